// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import FoundationEssentials
internal import ISOBMFF
internal import MediaCore

/// A segment's file that is complete, as ``SegmentWriter`` writes it.
struct SegmentFile: Sendable {
  /// A sample of the table.
  struct Row: Sendable {
    /// Presentation time, in ticks.
    let time: Int64
    /// Decode time where the segment stands alone, in ticks.
    let decodeTime: Int64
    /// Duration of its presentation, in ticks.
    let duration: Int64
    /// The bytes of its data.
    let size: Int
    /// True if decoding can start here.
    let isSync: Bool
  }

  /// Statements of the file about itself.
  let facts: SegmentFacts
  /// The samples, in the order of decoding.
  let rows: [Row]

  private let source: FileByteSource
  private let path: String

  /// Opens a file and looks whether every byte of it is there.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where it is damaged.
  init(path: String) throws {
    self.path = path
    func refusal(_ reason: String) -> TranscodingError {
      TranscodingError(
        .unusableInput, "\(path) \(reason); remove it, and encode the segment again")
    }
    do {
      source = try FileByteSource(path: path)
      let tail = 8 + 32
      let start = SegmentWriter.beginning.count
      guard source.size >= start + tail,
        try source.read(at: 0, count: start) == SegmentWriter.beginning
      else { throw refusal("is no segment") }
      let end = try source.read(at: source.size - UInt64(tail), count: tail)
      guard try Self.digest(of: source, upTo: source.size - 32) == Array(end[8...]) else {
        throw refusal("is damaged: its digest is another")
      }
      let (count, length) = (Int(Self.number(end[0..<4])), Int(Self.number(end[4..<8])))
      let room = Int(source.size) - start - tail
      guard length <= room, count <= (room - length) / SegmentWriter.rowSize else {
        throw refusal("is damaged: its table is too long")
      }
      let place = source.size - UInt64(tail + length)
      let json = try source.read(at: place, count: length)
      facts = try JSONDecoder().decode(SegmentFacts.self, from: Data(json))
      let table = count * SegmentWriter.rowSize
      rows = Self.rows(try source.read(at: place - UInt64(table), count: table))
      guard rows.reduce(start, { $0 + $1.size }) == Int(place) - table else {
        throw refusal("is damaged: its samples have another length")
      }
    } catch let error as DecodingError {
      throw refusal("is damaged: \(error)")
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
  }

  private static func digest(
    of source: FileByteSource, upTo end: UInt64
  ) throws(ISOBMFFError) -> [UInt8] {
    var hash = SHA256()
    var place: UInt64 = 0
    while place < end {
      let bytes = try source.read(at: place, count: Int(min(end - place, 1 << 20)))
      guard !bytes.isEmpty else { return [] }
      hash.add(bytes)
      place += UInt64(bytes.count)
    }
    return hash.digest
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func rows(_ bytes: [UInt8]) -> [Row] {
    stride(from: 0, to: bytes.count, by: SegmentWriter.rowSize).map { start in
      func integer(_ place: Int, _ count: Int) -> UInt64 {
        number(bytes[start + place..<start + place + count])
      }
      return Row(
        time: Int64(bitPattern: integer(0, 8)), decodeTime: Int64(bitPattern: integer(8, 8)),
        duration: Int64(bitPattern: integer(16, 8)), size: Int(integer(24, 4)),
        isSync: integer(28, 4) & 1 != 0)
    }
  }

  /// The data of a sample.
  ///
  /// - Parameter place: where it begins; the first is at ``firstPlace``, others behind each other.
  func data(of row: Row, at place: UInt64) throws -> [UInt8] {
    let bytes = try source.read(at: place, count: row.size)
    guard bytes.count == row.size else {
      throw TranscodingError(.inputOutput, "\(path) became shorter while it was read")
    }
    return bytes
  }

  /// Place of the data of the first sample.
  static let firstPlace = UInt64(SegmentWriter.beginning.count)

  /// True if a file is there, complete, and of a segment of a job.
  static func isComplete(_ path: String, of job: SegmentJob, number: Int) -> Bool {
    guard PosixPath.kind(of: path) == .file, let file = try? SegmentFile(path: path) else {
      return false
    }
    return file.facts.job == job.id && file.facts.number == number
  }
}
