// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Glibc
internal import MediaCore
internal import Synchronization

/// Writes a segment's file: the data of its samples, a table of them, facts about them, and a
/// digest of everything.
///
///     "CandelaSegment 1"   16 bytes
///     data                 the samples, one after the other
///     table                32 bytes for each sample: presentation time, decode time, duration
///                          (64 bits each, in ticks), number of bytes, flags (32 bits each; 1:
///                          decoding can start here)
///     facts                JSON
///     counts               number of samples, length of the facts in bytes (32 bits each)
///     digest               SHA-256 of everything before it, 32 bytes
///
/// Numbers are little-endian.
final class SegmentWriter: Sendable {
  static let beginning = Array("CandelaSegment 1".utf8)
  /// The length of a row in the table of samples, in bytes.
  static let rowSize = 32

  private struct State {
    let file: UnfinishedName
    var hash = SHA256()
    var table: [UInt8] = []
    var count = 0
    /// Bytes that have not been written yet.
    var waiting: [UInt8] = []

    init(_ file: consuming sending UnfinishedName) { self.file = file }

    mutating func add(_ bytes: [UInt8]) throws {
      waiting += bytes
      // Samples can be a few bytes long, and each write is a system call, so write many at once.
      if waiting.count >= 1 << 20 { try flush() }
    }

    mutating func flush() throws {
      hash.add(waiting)
      try file.write(waiting)
      waiting = []
    }
  }

  private let state: Mutex<State>
  private let timescale: Int32

  /// - Parameters:
  ///   - path: where the complete file appears.
  ///   - timescale: the number of ticks per second in the table's times.
  init(path: String, timescale: Int32) throws {
    self.timescale = timescale
    var state = State(try UnfinishedName(path))
    try state.add(Self.beginning)
    self.state = Mutex(state)
  }

  func write(_ sample: EncodedSample) throws {
    try state.withLock { state in
      try state.add(sample.bytes)
      for time in [sample.presentationTimeStamp, sample.decodeTimeStamp, sample.duration] {
        state.table += Self.bytes(UInt64(bitPattern: time.converted(to: timescale).value), 8)
      }
      state.table += Self.bytes(UInt64(sample.bytes.count), 4)
      state.table += Self.bytes(sample.isSync ? 1 : 0, 4)
      state.count += 1
    }
  }

  /// Completes the file and gives it its name.
  func finish(_ facts: SegmentFacts) throws {
    try state.withLock { state in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let json = Array(try encoder.encode(facts))
      try state.add(state.table)
      try state.add(json)
      try state.add(Self.bytes(UInt64(state.count), 4) + Self.bytes(UInt64(json.count), 4))
      try state.flush()
      // The flush adds bytes to the digest, so write the digest afterwards. The digest does not
      // cover itself.
      try state.file.write(state.hash.digest)
      try state.file.publish()
    }
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}
