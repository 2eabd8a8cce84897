// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import FoundationEssentials
internal import Host
internal import Planning
internal import Reading
package import Settings
package import Shots

/// A plan that is stored in a file, `job.json`, so that other processes and other machines can work
/// on it. It says what is read, what the output is like, and where the source is cut into segments.
package struct SegmentJob: Hashable, Sendable, Codable {
  /// The version of the keys, which is raised when a key changes or is removed.
  package let version: Int
  /// SHA-256 of everything else. Segments state it, which ties them to their job.
  package private(set) var id: String
  package let input: InputFacts
  /// Other files that the settings name, such as an overlay.
  package let files: [InputFacts]
  /// The absolute path of the file to write.
  package let output: String
  /// The settings, in the form of a preset.
  package let settings: JSONValue
  /// How the user wants the source to be read. These options are not part of the settings.
  package let options: Options
  /// The programs and libraries that determine the samples.
  package let software: SoftwareFacts
  /// The timescale of the segments' times, in ticks a second.
  package let timescale: Int32
  /// Why there is a single segment; `nil` if there may be several.
  package let obstacle: String?
  /// The shots that tone curves are fitted to; `nil` if one curve serves all frames.
  package let shots: ShotPlan?
  /// The segments, numbered from 0.
  package let segments: [Segment]

  /// A part of the frames, which is encoded separately.
  package struct Segment: Hashable, Sendable, Codable {
    /// The number, from 0.
    package let number: Int
    package let frames: SegmentRange
    /// The numbers of the first RPU and of the one after the last; `nil` if there are no RPUs, or
    /// if their number is unknown.
    package let rpus: [Int]?
  }

  /// How the user wants the source to be read.
  package struct Options: Hashable, Sendable, Codable {
    /// What the source's colors mean; `nil` to use its tags.
    package let sourceColor: String?
    /// Whether to refuse a source whose tags contradict each other.
    package let strict: Bool
    /// What to do about damage; `nil` for the default.
    package let onError: String?
    /// Where the requested part of the presentation begins, in the command line's spelling; `nil`
    /// for the beginning.
    package let from: String?
    /// Where that part ends; `nil` for the end of the presentation.
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
        .unusableInput, "\(input.path): cannot make a job from it: \(fault.key) \(fault.problem)")
    }
  }

  /// SHA-256 of everything but ``id``. In a job that nobody has changed, it is equal to ``id``.
  private var digest: String {
    get throws {
      var plain = self
      plain.id = ""
      return SHA256.text(of: try Self.encoder.encode(plain))
    }
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    // Sorted keys give the same job the same bytes, wherever its digest is computed.
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The content of `job.json`.
  var json: [UInt8] {
    get throws { Array(try Self.encoder.encode(self)) + [0x0A] }
  }

  /// `job.json` may have at most this many bytes.
  static let longest = 64 << 20

  private struct Head: Decodable {
    let version: Int
    let id: String?
  }

  /// Returns whether a text is a job of any version.
  static func isJob(_ json: [UInt8], path: String) -> Bool {
    // A later version may have different keys, so look only at `version` and `id`. These two keys
    // distinguish a job from any other `job.json`.
    let head = try? JSONFile(json, path: path).decoded(as: Head.self)
    guard let head, let id = head.id else { return false }
    return head.version > 0 && id.utf8.count == 64
      && id.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  /// Reads a job.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the text is not a job, has another
  ///   version, or was changed.
  init(json: [UInt8], path: String) throws {
    // The keys of a different version may not decode, so look at the version first.
    let file = try JSONFile(json, path: path)
    let version = try file.decoded(as: Head.self).version
    guard version == Self.currentVersion else {
      throw file.refusal(
        "version",
        "is \(version), but this program supports \(Self.currentVersion); make a new job")
    }
    self = try file.decoded(as: SegmentJob.self)
    if let fault { throw file.refusal(fault.key, "\(fault.problem); make a new job") }
    guard try digest == id else {
      throw TranscodingError(
        .unusableInput, "\(path) was changed after it was made; make a new job")
    }
  }

  /// The first value that no valid job can have; `nil` if there is none.
  private var fault: (key: String, problem: String)? {
    Self.wholeBounds.fault(in: self) ?? Self.realBounds.fault(in: self) ?? sequenceFault
  }

  /// The first segment whose number, frames or times do not fit the sequence of segments; `nil` if
  /// all of them fit.
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

  /// The options for a session.
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

  /// Reads the files that the job was made for, which can take long on a network disk.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if one of them has changed.
  func checkFiles() throws {
    for file in [input] + files { try file.check() }
  }

  /// The number of frames; `nil` if it is known only after decoding.
  package var frameCount: Int? {
    segments.reduce(Optional(0)) { sum, segment in
      sum.flatMap { sum in segment.frames.frameCount.map { sum + $0 } }
    }
  }
}
