// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import FoundationEssentials
internal import Host
internal import Planning
internal import Reading
package import Settings
package import Shots

/// A plan that was written down, so that other processes and other machines can work on it: what is
/// read, what it becomes, and where it is cut. `job.json` holds it.
package struct SegmentJob: Hashable, Sendable, Codable {
  /// The version of the keys, which counts up where one changes or goes.
  package let version: Int
  /// SHA-256 of all else, by which segments know their job.
  package private(set) var id: String
  /// The file to read.
  package let input: InputFacts
  /// Other files that the settings name.
  package let files: [InputFacts]
  /// The path of the file to write.
  package let output: String
  /// The settings, in the form of a preset.
  package let settings: JSONValue
  /// Statements of the user about the source beside them.
  package let options: Options
  /// The programs that decide the bits.
  package let software: SoftwareFacts
  /// Ticks a second of the segments' times.
  package let timescale: Int32
  /// Reason for a single segment; nil where there may be several.
  package let obstacle: String?
  /// The shots that tone curves are fitted to; nil where there is one curve.
  package let shots: ShotPlan?
  /// The segments, numbered from 0.
  package let segments: [Segment]

  /// A part of the frames.
  package struct Segment: Hashable, Sendable, Codable {
    /// The number, from 0.
    package let number: Int
    /// The frames.
    package let frames: SegmentRange
    /// The numbers of the first RPU and of the one behind the last; nil where there are none, or
    /// where nobody knows how many.
    package let rpus: [Int]?
  }

  /// Statements of the user about the source.
  package struct Options: Hashable, Sendable, Codable {
    /// The meaning of its colors; nil for what it states.
    package let sourceColor: String?
    /// True if contradicting tags are refused.
    package let strict: Bool
    /// The reaction to damage; nil for the default.
    package let onError: String?
    /// Beginning of the part of the presentation that is wanted, as the command line says it; nil
    /// for the beginning of all.
    package let from: String?
    /// End of that part; nil for the end of the presentation.
    package let to: String?

    init(_ options: TranscodeOptions) {
      from = options.range?.start?.spelling
      to = options.range?.end?.spelling
      sourceColor = options.sourceColor.map(\.spelling)
      strict = options.strict
      onError = options.onError?.rawValue
    }
  }

  /// The version of the keys that this program writes.
  static let currentVersion = 1

  init(
    input: InputFacts, files: [InputFacts], output: String, settings: JSONValue,
    options: Options, software: SoftwareFacts, timescale: Int32, obstacle: String?,
    shots: ShotPlan?, segments: [Segment]
  ) throws {
    version = Self.currentVersion
    id = ""
    (self.input, self.files, self.output) = (input, files, output)
    (self.settings, self.options, self.software) = (settings, options, software)
    (self.timescale, self.obstacle, self.shots) = (timescale, obstacle, shots)
    self.segments = segments
    id = try digest
    if let fault {
      throw TranscodingError(
        .unusableInput, "\(input.path): no job can be made of it: \(fault.key) \(fault.problem)")
    }
  }

  /// The digest of all but the digest.
  private var digest: String {
    get throws {
      var plain = self
      plain.id = ""
      return SHA256.text(of: try Self.encoder.encode(plain))
    }
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The job as `job.json` has it.
  var json: [UInt8] {
    get throws { Array(try Self.encoder.encode(self)) + [0x0A] }
  }

  /// The bytes of `job.json` at most.
  static let longest = 64 << 20

  /// True if a text is a job, of whatever version: it states that and an identifier.
  static func isJob(_ json: [UInt8], path: String) -> Bool {
    struct Head: Decodable { let version: Int, id: String }
    guard let head = try? JSONFile(json, path: path).decoded(as: Head.self) else { return false }
    return head.version > 0 && head.id.utf8.count == 64
      && head.id.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  /// Reads a job.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where it is none, of another version,
  ///   or was changed.
  init(json: [UInt8], path: String) throws {
    struct Head: Decodable { let version: Int }
    let file = try JSONFile(json, path: path)
    let version = try file.decoded(as: Head.self).version
    guard version == Self.currentVersion else {
      throw file.refusal(
        "version", "is \(version), this program knows \(Self.currentVersion); make the job anew")
    }
    self = try file.decoded(as: SegmentJob.self)
    if let fault { throw file.refusal(fault.key, "\(fault.problem); make the job anew") }
    guard try digest == id else {
      throw TranscodingError(
        .unusableInput, "\(path) was changed after it was made; make the job anew")
    }
  }

  /// A field that no job has so; nil for none.
  private var fault: (key: String, problem: String)? {
    Self.wholeBounds.fault(in: self) ?? Self.realBounds.fault(in: self) ?? sequenceFault
  }

  /// The first segment that does not begin where the one before it ends.
  private var sequenceFault: (key: String, problem: String)? {
    var (frame, start) = (segments.first?.frames.firstFrame ?? 0, segments.first?.frames.start)
    for (index, segment) in segments.enumerated() {
      let (frames, isLast) = (segment.frames, index + 1 == segments.count)
      let isKnown = segments.count == 1 || frames.frameCount != nil && frames.start != nil
      let ends = isLast || frames.end.map { end in frames.start.map { $0 < end } ?? false } ?? false
      guard segment.number == index, frames.firstFrame == frame, frames.start == start, isKnown,
        ends
      else { return ("segments[\(index)]", "does not follow the one before it") }
      (frame, start) = (frame + (frames.frameCount ?? 0), frames.end)
    }
    return nil
  }

  /// The options of a session.
  var transcodeOptions: TranscodeOptions {
    var result = TranscodeOptions()
    result.sourceColor = options.sourceColor.flatMap { ColorDescription(spelling: $0) }
    result.strict = options.strict
    result.shots = shots
    result.onError = options.onError.flatMap { TranscodeOptions.OnError(rawValue: $0) }
    func bound(_ text: String?) -> TimeRange.Bound? { text.flatMap { .init(spelling: $0) } }
    let range = TimeRange(start: bound(options.from), end: bound(options.to))
    result.range = range == TimeRange() ? nil : range
    return result
  }

  /// Number of frames; nil where only decoding tells.
  package var frameCount: Int? {
    segments.reduce(Optional(0)) { sum, segment in
      sum.flatMap { sum in segment.frames.frameCount.map { sum + $0 } }
    }
  }
}
