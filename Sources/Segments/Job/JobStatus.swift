// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Host

/// The progress of a job.
package struct JobStatus: Sendable, Encodable {
  /// The path of the file to read.
  package let input: String
  /// The path of the file to write.
  package let output: String
  /// Why there is a single segment; `nil` if there may be several.
  package let obstacle: String?
  package let count: Int
  /// The number of segments that are done.
  package var done: Int { segments.count { $0.state == .done } }
  /// Seconds that are left if the number of working processes stays the same; `nil` if unknown.
  package let secondsLeft: Double?
  /// The segments, ordered by number.
  package let segments: [Segment]
  private let id: String

  /// How far a segment has come.
  package enum State: String, Sendable, CaseIterable, Encodable {
    /// It is complete.
    case done
    /// A process is working on it.
    case running
    /// Its file is missing or not as planned, and nobody is working on it.
    case missing
  }

  /// One segment of the job with its progress.
  package struct Segment: Sendable, Encodable {
    /// The number, from 0.
    package let number: Int
    package let state: State
    /// The number of its frames; `nil` if it is known only after decoding.
    package let frames: Int?
    /// How many of them are encoded; `nil` if the segment is missing.
    package let encoded: Int?
    /// Who is working on it; `nil` if nobody is.
    package let lease: SegmentLease?
    /// How long the work took, in seconds; `nil` if it is not done.
    package let seconds: Double?
    /// Numbers that differ between two versions of its file; empty if it is not done.
    fileprivate var version: [Int] = []
  }

  /// Finds out how far a job has come.
  ///
  /// - Parameter earlier: the status at an earlier time. Files that were complete then are read
  ///   again only if they have changed since.
  /// - Throws: ``TranscodingError`` if there is no usable job.
  package static func status(
    of folder: JobFolder, after earlier: JobStatus? = nil
  ) async throws -> JobStatus {
    // A finished segment is read to its end, which may take a while.
    try await Pipeline.onThread("status") { checkpoint in
      try JobStatus(folder, after: earlier, checkpoint)
    }
  }

  private init(
    _ folder: JobFolder, after earlier: JobStatus?, _ checkpoint: Pipeline.Checkpoint
  ) throws {
    let job = try folder.job()
    (input, output, obstacle) = (job.input.path, job.output, job.obstacle)
    count = job.segments.count
    id = job.id
    let known = earlier?.id == job.id ? earlier?.segments ?? [] : []
    let segments = try job.segments.map { segment in
      try checkpoint()
      let number = segment.number
      return folder.state(
        of: segment, in: job, known.indices.contains(number) ? known[number] : nil)
    }
    self.segments = segments
    secondsLeft = Self.secondsLeft(segments)
  }

  private static func secondsLeft(_ segments: [Segment]) -> Double? {
    let done = segments.filter { $0.state == .done }
    let running = segments.count { $0.state == .running }
    guard running > 0 || done.count == segments.count else { return nil }
    let seconds = done.reduce(0) { $0 + ($1.seconds ?? 0) }
    let frames = done.reduce(0) { $0 + ($1.frames ?? 0) }
    let left = segments.filter { $0.state != .done }.reduce(0) {
      $0 + ($1.frames ?? 0) - ($1.encoded ?? 0)
    }
    if left <= 0 { return done.count == segments.count ? 0 : nil }
    return frames > 0 ? seconds / Double(frames) * Double(left) / Double(running) : nil
  }

  /// The status as a line of text.
  package var summary: String {
    let running = segments.count { $0.state == .running }
    let frames = segments.reduce(0) { $0 + ($1.encoded ?? 0) }
    return "\(done) of \(count.counted("segment")) done, \(running) running, "
      + frames.counted("frame") + (timeLeft.map { ", \($0)" } ?? "")
  }

  /// The time that is left, as text; `nil` if it is unknown or none is left.
  private var timeLeft: String? {
    guard let secondsLeft, secondsLeft > 0 else { return nil }
    // A file may claim any duration, and `Int` traps for a `Double` that it cannot represent.
    return "about \(Int(min(secondsLeft, 1e12).rounded(.up))) s left"
  }

  /// The status as text.
  package var text: String {
    var lines = ["\(input) → \(output): \(done) of \(count.counted("segment")) done"]
    if let obstacle { lines.append("  one segment: \(obstacle)") }
    for segment in segments where segment.state != .done {
      var line = "  \(segment.number)  \(segment.state.rawValue)"
      if let lease = segment.lease {
        let frames =
          segment.frames.map { "\(lease.frames) of \($0.counted("frame"))" }
          ?? lease.frames.counted("frame")
        line += ": \(frames), process \(lease.process) on \(lease.host)"
      }
      lines.append(line)
    }
    if let timeLeft { lines.append("  \(timeLeft)") }
    return lines.joined(separator: "\n")
  }
}

extension JobFolder {
  /// - Parameter earlier: the segment's state at an earlier time.
  fileprivate func state(
    of segment: SegmentJob.Segment, in job: SegmentJob, _ earlier: JobStatus.Segment?
  ) -> JobStatus.Segment {
    let number = segment.number
    let planned = segment.frames.frameCount
    let version = PosixPath.version(of: segmentPath(number))
    if let earlier, earlier.state == .done, earlier.version == version, !version.isEmpty {
      return earlier
    }
    if let file = try? SegmentFile(number, of: job, in: self) {
      return JobStatus.Segment(
        number: number, state: .done, frames: file.facts.frameCount,
        encoded: file.facts.frameCount, lease: nil, seconds: file.facts.seconds,
        version: version)
    }
    let lease = SegmentLease(path: leasePath(number)).flatMap { lease in
      // Anybody may have written the lease. If it counts more frames than there are, ignore it.
      lease.isHeld && lease.frames <= planned ?? .max ? lease : nil
    }
    return JobStatus.Segment(
      number: number, state: lease == nil ? .missing : .running, frames: planned,
      encoded: lease?.frames, lease: lease, seconds: nil)
  }
}

extension SegmentJob {
  /// The job in one line, as text.
  package var summary: String {
    let frames = frameCount.map { ", \($0.counted("frame"))" } ?? ""
    let reason = obstacle.map { "; one segment: \($0)" } ?? ""
    return "\(input.path) → \(output): \(segments.count.counted("segment"))\(frames)\(reason)"
  }
}

extension JobStatus: JSONObject {
  package static let meaning = "The progress of a job."
  package static let fields: [JSONField<JobStatus>] = [
    .init("input", "The path of the file to read.") { $0.input },
    .init("output", "The path of the file to write.") { $0.output },
    .init("obstacle", "Why there is a single segment; absent if there can be several.") {
      $0.obstacle
    },
    .init("count", "The number of segments.", .count) { $0.count },
    .init("done", "How many segments are done.", .count) { $0.done },
    .init(
      "secondsLeft",
      "Seconds that are left if the number of working processes stays the same; absent if unknown."
    ) { $0.secondsLeft },
    .init("segments", "The segments, ordered by number.") { $0.segments },
  ]
}

extension JobStatus.State: JSONDescribed {}

extension JobStatus.Segment: JSONObject {
  package static let fields: [JSONField<JobStatus.Segment>] = [
    .init("number", "The segment's number, from 0.", .count) { $0.number },
    .init("state", "Done, running (a process works on it), or missing (neither).") { $0.state },
    .init("frames", "The number of its frames; absent if only decoding can tell.", .count) {
      $0.frames
    },
    .init("encoded", "How many frames are encoded; absent if unknown.", .count) { $0.encoded },
    .init("lease", "Who is working on it; absent if nobody is.") { $0.lease },
    .init("seconds", "How long the work took, in seconds; absent if the segment is not done.") {
      $0.seconds
    },
  ]
}

extension SegmentLease: JSONObject {
  package static let fields: [JSONField<SegmentLease>] = [
    .init("host", "The name of the host that the process runs on.") { $0.host },
    .init("process", "The number of the process on that host.") { $0.process },
    .init("started", "When the work began, in seconds since 1970.") { $0.started },
    .init("updated", "When the lease was written, in seconds since 1970.") { $0.updated },
    .init("frames", "The number of frames encoded so far.", .count) { $0.frames },
  ]
}
