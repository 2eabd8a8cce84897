// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host
internal import ISOBMFF

/// The problem to report if the end of a file disappears while it is read.
private let shorter = "became shorter while it was read"

/// Where the parts of a segment's file are, as ``SegmentWriter`` writes them.
struct SegmentLayout {
  /// How many samples the table has.
  private let count: Int
  /// The length of the facts in bytes, and where they begin.
  private let (factsSize, factsPlace): (Int, UInt64)
  /// The digest that the file ends with.
  private let digest: [UInt8]
  private let size: UInt64
  private let path: String

  private static let digestSize = 32
  private static let tailSize = 8 + digestSize
  private static let start = SegmentWriter.beginning.count
  /// How many bytes the facts may have at most, and how many a sample may have.
  private static let (largestFacts, largestSample) = (16 << 20, 1 << 30)

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the file is not a segment.
  init(_ source: FileByteSource, path: String) throws {
    (size, self.path) = (source.size, path)
    guard size >= Self.start + Self.tailSize,
      try source.read(at: 0, count: Self.start) == SegmentWriter.beginning
    else { throw TranscodingError(segmentAt: path, "is not a segment") }
    let tail = try source.read(at: size - UInt64(Self.tailSize), count: Self.tailSize)
    guard tail.count == Self.tailSize else { throw TranscodingError(segmentAt: path, shorter) }
    (count, factsSize) = (Int(Self.number(tail[0..<4])), Int(Self.number(tail[4..<8])))
    digest = Array(tail[8...])
    // Check the bounds first. If they hold, the product below cannot overflow.
    guard factsSize <= Self.largestFacts, count <= SegmentJob.mostFrames,
      UInt64(factsSize + count * SegmentWriter.rowSize) <= size - UInt64(Self.start + Self.tailSize)
    else { throw TranscodingError(segmentAt: path, "is damaged: its table is too long") }
    factsPlace = size - UInt64(Self.tailSize + factsSize)
  }

  private var tablePlace: UInt64 { factsPlace - UInt64(count * SegmentWriter.rowSize) }

  /// Reads what the file says about itself.
  func facts(in source: FileByteSource) throws -> SegmentFacts {
    let json = try source.read(at: factsPlace, count: factsSize)
    return try JSONDecoder().decode(SegmentFacts.self, from: Data(json))
  }

  /// Returns how the facts contradict the file; `nil` if they do not.
  func fault(of facts: SegmentFacts) -> String? {
    facts.frameCount == count
      ? nil : "is damaged: its table has \(count) samples, not \(facts.frameCount)"
  }

  /// Reads the table of samples.
  func rows(in source: FileByteSource) throws -> [SegmentFile.Row] {
    var rows: [SegmentFile.Row] = []
    var (place, total) = (tablePlace, UInt64(Self.start))
    while rows.count < count {
      // Read a megabyte at a time. A table that claims millions of samples then takes no more
      // memory than the rows that are really there.
      let part = min(count - rows.count, 1 << 15) * SegmentWriter.rowSize
      let bytes = try source.read(at: place, count: part)
      guard bytes.count == part else { throw TranscodingError(segmentAt: path, shorter) }
      for start in stride(from: 0, to: part, by: SegmentWriter.rowSize) {
        let row = Self.row(bytes[start..<start + SegmentWriter.rowSize])
        guard (1...Self.largestSample).contains(row.size) else {
          throw TranscodingError(
            segmentAt: path, "is damaged: sample \(rows.count) has \(row.size) bytes")
        }
        rows.append(row)
        total += UInt64(row.size)
      }
      place += UInt64(part)
    }
    guard total == tablePlace else {
      throw TranscodingError(segmentAt: path, "is damaged: its samples have the wrong total size")
    }
    return rows
  }

  private static func row(_ bytes: ArraySlice<UInt8>) -> SegmentFile.Row {
    func integer(_ place: Int, _ count: Int) -> UInt64 {
      number(bytes[bytes.startIndex + place..<bytes.startIndex + place + count])
    }
    return SegmentFile.Row(
      time: Int64(bitPattern: integer(0, 8)), decodeTimeStamp: Int64(bitPattern: integer(8, 8)),
      duration: Int64(bitPattern: integer(16, 8)), size: Int(integer(24, 4)),
      isSync: integer(28, 4) & 1 != 0)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns whether every byte is as it was written.
  func isIntact(in source: FileByteSource) throws -> Bool {
    var hash = SHA256()
    var place: UInt64 = 0
    let end = size - UInt64(Self.digestSize)
    while place < end {
      let bytes = try source.read(at: place, count: Int(min(end - place, 1 << 20)))
      guard !bytes.isEmpty else { return false }
      hash.add(bytes)
      place += UInt64(bytes.count)
    }
    return hash.digest == digest
  }
}

extension TranscodingError {
  /// Creates the error for a file that is not a usable segment.
  init(segmentAt path: String, _ reason: String) {
    self.init(.unusableInput, "\(path) \(reason); remove it, and encode the segment again")
  }
}
