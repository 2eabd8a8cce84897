// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
package import Planning
internal import Reading
package import Settings
package import Shots
internal import VideoEncoders

/// Work that is to be done in segments.
package struct JobRequest: Sendable {
  /// The file to read.
  package let input: String
  /// The file to write.
  package let output: String
  /// The settings, in the form of a preset.
  package let settings: JSONValue
  /// Statements of the user about the source.
  package let options: TranscodeOptions

  /// A request from its parts.
  package init(input: String, output: String, settings: JSONValue, options: TranscodeOptions) {
    (self.input, self.output) = (input, output)
    (self.settings, self.options) = (Self.independent(settings), options)
  }

  /// The request where the shots were found before, so that nobody looks for them again.
  package func knowing(_ shots: ShotPlan?) -> JobRequest {
    var options = options
    options.shots = options.shots ?? shots
    return JobRequest(input: input, output: output, settings: settings, options: options)
  }

  /// Settings that name a file from the root on, wherever a worker is started.
  private static func independent(_ settings: JSONValue) -> JSONValue {
    var settings = settings
    let key = ["video", "composition", "overlay", "file"][...]
    if case .string(let path)? = settings[key], let resolved = PosixPath.resolved(path) {
      settings[key] = .string(resolved)
    }
    return settings
  }

  /// The path of the output from the root on.
  private var absoluteOutput: String {
    if let resolved = PosixPath.resolved(output) { return resolved }
    let folder = PosixPath.directory(of: output)
    return "\(PosixPath.resolved(folder) ?? folder)/\(PosixPath.name(of: output))"
  }

  /// The bytes that the work takes at most, by estimate.
  ///
  /// - Parameters:
  ///   - workers: number of processes that encode.
  ///   - part: the bytes that several of them may take.
  package func memory(of workers: WorkerCount, within part: UInt64) async -> UInt64 {
    // What cannot be planned, and what is copied, takes little.
    guard
      let source = try? await SegmentSource(
        input: input, output: output, settings: TranscodeSettings(settings), options: options)
    else { return SegmentSource.baseMemory }
    let single = source.memoryOfWorker
    return workers.wantsSegments(source.plan) ? max(single, part) : single
  }

  /// Decides what every segment is.
  ///
  /// - Parameter memory: the bytes that this may take; nil for half of what is free.
  /// - Throws: ``TranscodingError``, as a session does.
  package func makeJob(memory: UInt64? = nil) async throws -> SegmentJob {
    let parsed = try TranscodeSettings(settings)
    let source = try await SegmentSource(
      input: input, output: output, settings: parsed, options: options)
    return try await Pipeline.onThread("segments") { checkpoint in
      let facts = try InputFacts(path: input)
      let (ranges, obstacle) = try source.segments(
        readers: source.readers(within: memory ?? SystemLimits.usualMemory),
        checkpoint: checkpoint)
      let segments = ranges.enumerated().map { number, range in
        let rpus = range.frameCount.map { [range.firstFrame, range.firstFrame + $0] }
        return SegmentJob.Segment(
          number: number, frames: range, rpus: source.hasRPUs ? rpus : nil)
      }
      return try SegmentJob(
        input: facts, files: parsed.files.map { try InputFacts(path: $0) },
        output: absoluteOutput, settings: settings, options: .init(options),
        software: SoftwareFacts(codec: parsed.video.codec ?? .usual),
        timescale: source.encoder.timescale, obstacle: obstacle?.description,
        shots: source.shots, segments: segments)
    }
  }

  /// Differences between a job that was made before and what is wanted now, for people; none where
  /// the work can go on.
  func differences(from job: SegmentJob) throws -> [String] {
    var texts: [String] = []
    let facts = try InputFacts(path: input)
    if facts.path != job.input.path {
      texts.append("the input is \(facts.path), not \(job.input.path)")
    } else if facts != job.input {
      texts.append("the input was changed")
    }
    let parsed = try TranscodeSettings(settings)
    if try parsed.files.map({ try InputFacts(path: $0) }) != job.files {
      texts.append("a file that the settings name was changed")
    }
    let changes = settings.changes(from: job.settings)
    if !changes.isEmpty {
      texts.append("the settings are others: \(changes.joined(separator: ", "))")
    }
    if SegmentJob.Options(options) != job.options {
      texts.append("the range, or what is stated about the source, is another")
    }
    if absoluteOutput != job.output { texts.append("the output is \(absoluteOutput)") }
    return texts
      + SoftwareFacts(codec: parsed.video.codec ?? .usual).differences(from: job.software)
  }
}
