// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
package import Planning
internal import Reading
package import Settings
package import Shots
internal import VideoEncoders

/// A request for a job: which file to encode in segments, how, and where to write the output.
package struct JobRequest: Sendable {
  /// The path of the file to read.
  package let input: String
  /// The path of the file to write.
  package let output: String
  /// The settings, in the form of a preset.
  package let settings: JSONValue
  /// Options of the run, besides the settings.
  package let options: TranscodeOptions

  package init(input: String, output: String, settings: JSONValue, options: TranscodeOptions) {
    (self.input, self.output) = (input, output)
    (self.settings, self.options) = (Self.independent(settings), options)
  }

  /// Returns the request with shots that were found before, so that nobody looks for them again.
  package func knowing(_ shots: ShotPlan?) -> JobRequest {
    var options = options
    options.shots = options.shots ?? shots
    return JobRequest(input: input, output: output, settings: settings, options: options)
  }

  /// Returns the settings with an absolute path for the file that they name.
  private static func independent(_ settings: JSONValue) -> JSONValue {
    var settings = settings
    // A worker may be started in any folder, and on another host.
    let key = ["video", "composition", "overlay", "file"][...]
    if case .string(let path)? = settings[key], let resolved = PosixPath.resolved(path) {
      settings[key] = .string(resolved)
    }
    return settings
  }

  /// The absolute path of the output.
  private var absoluteOutput: String {
    if let resolved = PosixPath.resolved(output) { return resolved }
    // The output does not exist yet, so only its folder can be resolved.
    let folder = PosixPath.directory(of: output)
    return "\(PosixPath.resolved(folder) ?? folder)/\(PosixPath.name(of: output))"
  }

  /// Estimates how much memory the work takes at most, in bytes.
  ///
  /// - Parameters:
  ///   - workers: the number of processes that encode.
  ///   - part: the memory, in bytes, that several of them may take together.
  package func memory(of workers: WorkerCount, within part: UInt64) async -> UInt64 {
    // Skip the search for shots. It decodes much of the file, and memory does not depend on it.
    var options = options
    options.looksForShots = false
    // A file that cannot be planned, or is only copied, takes little memory.
    guard
      let source = try? await SegmentSource(
        input: input, output: output, settings: TranscodeSettings(settings), options: options)
    else { return SegmentSource.baseMemory }
    let single = source.memoryOfWorker
    return workers.wantsSegments(source.plan) ? max(single, part) : single
  }

  /// Plans every segment.
  ///
  /// - Parameter memory: the memory, in bytes, that planning may take; `nil` for half of what is
  ///   free.
  /// - Throws: the same ``TranscodingError`` as a session.
  package func makeJob(memory: UInt64? = nil) async throws -> SegmentJob {
    let parsed = try TranscodeSettings(settings)
    let source = try await SegmentSource(
      input: input, output: output, settings: parsed, options: options)
    return try await Pipeline.onThread("segments") { checkpoint in
      // Take the facts before the search for cuts, so that workers refuse the job if the file
      // changes during the search.
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

  /// Returns how an earlier job differs from what is wanted now, as texts; empty if its work can be
  /// continued.
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
      texts.append("a file named in the settings was changed")
    }
    let changes = settings.changes(from: job.settings)
    if !changes.isEmpty {
      texts.append("the settings differ: \(changes.joined(separator: ", "))")
    }
    if SegmentJob.Options(options) != job.options {
      texts.append("the range or the options for the source differ")
    }
    if absoluteOutput != job.output { texts.append("the output is now \(absoluteOutput)") }
    return texts
      + SoftwareFacts(codec: parsed.video.codec ?? .usual).differences(from: job.software)
  }
}
