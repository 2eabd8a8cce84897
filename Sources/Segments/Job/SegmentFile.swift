// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Host
internal import ISOBMFF
internal import MediaCore

/// A segment's complete file, as ``SegmentWriter`` writes it and as its job requires it.
struct SegmentFile: Sendable {
  /// A row of the table of samples. Each row describes one sample.
  struct Row: Sendable {
    /// Presentation time, in ticks.
    let time: Int64
    /// Decode time as if the segment were the whole track, in ticks.
    let decodeTimeStamp: Int64
    /// How long the sample is presented, in ticks.
    let duration: Int64
    /// The length of the sample's data in bytes.
    let size: Int
    /// Whether decoding can start at this sample.
    let isSync: Bool
  }

  /// What the file says about itself.
  let facts: SegmentFacts
  /// The samples, in decoding order.
  let rows: [Row]

  private let source: FileByteSource
  private let path: String

  /// Opens the file of a job's segment, and checks that it is as planned and that its bytes are
  /// intact.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if it is missing or damaged, or belongs
  ///   to another job.
  init(_ number: Int, of job: SegmentJob, in folder: JobFolder) throws {
    let path = folder.segmentPath(number)
    self.path = path
    do {
      source = try FileByteSource(OpenFile.own(path, isShared: true), path: path)
      // Somebody else may have written the file, so check everything. The cheap checks come first,
      // and the digest of all bytes last.
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
        throw TranscodingError(segmentAt: path, "is damaged: its digest does not match")
      }
    } catch let error as FileRefusal {
      throw TranscodingError(segmentAt: path, error.text)
    } catch let error as DecodingError {
      throw TranscodingError(segmentAt: path, "is damaged: \(error)")
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
  }

  /// Reads the data of a sample.
  ///
  /// - Parameter place: where the data begins: ``firstPlace``, or the end of the previous sample.
  func data(of row: Row, at place: UInt64) throws -> [UInt8] {
    let bytes = try source.read(at: place, count: row.size)
    guard bytes.count == row.size else {
      throw TranscodingError(.inputOutput, "\(path) became shorter while it was read")
    }
    return bytes
  }

  /// Where the data of the first sample begins.
  static let firstPlace = UInt64(SegmentWriter.beginning.count)

  /// Returns those segments of a job whose files are missing or not as planned.
  static func missing(
    among segments: [SegmentJob.Segment], of job: SegmentJob, in folder: JobFolder
  ) async throws -> [SegmentJob.Segment] {
    // A complete file is read to its end, which may take a while.
    try await Pipeline.onThread("segments") { checkpoint in
      try segments.filter { segment in
        try checkpoint()
        return (try? SegmentFile(segment.number, of: job, in: folder)) == nil
      }
    }
  }
}
