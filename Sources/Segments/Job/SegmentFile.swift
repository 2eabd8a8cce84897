// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host
internal import ISOBMFF
internal import MediaCore

/// A segment's file that is complete, as ``SegmentWriter`` writes it, and as its job wants it.
struct SegmentFile: Sendable {
  /// A sample of the table.
  struct Row: Sendable {
    /// Presentation time, in ticks.
    let time: Int64
    /// Decode time where the segment stands alone, in ticks.
    let decodeTimeStamp: Int64
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

  /// Opens a segment's file of a job, and looks whether it is what was planned and whether every
  /// byte of it is there.
  ///
  /// What costs nothing is looked at first: a file that somebody else wrote may state anything.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where it is missing, damaged, or of
  ///   another job.
  init(_ number: Int, of job: SegmentJob, in folder: JobFolder) throws {
    let path = folder.segmentPath(number)
    self.path = path
    do {
      source = try FileByteSource(OpenFile.own(path, of: .anybody), path: path)
      let layout = try SegmentLayout(source, path: path)
      facts = try layout.facts(in: source)
      let frames = job.segments[number].frames
      if let fault = facts.fault(as: number, of: job) ?? layout.fault(of: facts) {
        throw TranscodingError(segmentAt: path, fault)
      }
      rows = try layout.rows(in: source)
      if let fault = rows.timeFault(in: frames, timescale: facts.timescale) {
        throw TranscodingError(segmentAt: path, fault)
      }
      guard try layout.isIntact(in: source) else {
        throw TranscodingError(segmentAt: path, "is damaged: its digest is another")
      }
    } catch let error as FileRefusal {
      throw TranscodingError(segmentAt: path, error.text)
    } catch let error as DecodingError {
      throw TranscodingError(segmentAt: path, "is damaged: \(error)")
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
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

  /// True if a segment of a job is there, complete, and as it was planned.
  static func isComplete(_ number: Int, of job: SegmentJob, in folder: JobFolder) -> Bool {
    (try? SegmentFile(number, of: job, in: folder)) != nil
  }
}
