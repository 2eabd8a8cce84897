// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Settings

extension SegmentJob: JSONObject {
  package static let meaning = "A job to encode in segments, as job.json in its folder contains it."
  package static let fields: [JSONField<SegmentJob>] = ofFiles + ofWork

  private static let ofFiles: [JSONField<SegmentJob>] = [
    .init("version", "The version of the keys.", JSONSchema(.constant(currentVersion))) {
      $0.version
    },
    .init("id", "SHA-256 of everything else, as hexadecimal digits.", InputFacts.sha256) {
      $0.id
    },
    .init("input", "The file to read.") { $0.input },
    .init("files", "Other files named in the settings, such as an overlay.") { $0.files },
    .init("output", "The absolute path of the file to write.") { $0.output },
  ]

  private static let ofWork: [JSONField<SegmentJob>] = [
    .init(
      "settings", "The settings, in the form of a preset.",
      JSONSchema(.dictionary(of: JSONSchema(.anything)))
    ) { $0.settings },
    .init("options", "How the user wants the source to be read; not part of the settings.") {
      $0.options
    },
    .init("software", "The programs and libraries that determine the samples.") { $0.software },
    .init(
      "timescale", "The timescale of the segments' times, in ticks a second.",
      JSONSchema(.integer(1...Int(Int32.max)))
    ) { $0.timescale },
    .init("obstacle", "Why there is a single segment; absent if there can be several.") {
      $0.obstacle
    },
    .init(
      "shots", "The shots that tone curves are fitted to; absent if one curve serves all frames."
    ) { $0.shots },
    .init(
      "segments", "The segments, numbered from 0.",
      JSONSchema(.list(of: Segment.schema, count: 1...Int.max))
    ) { $0.segments },
  ]
}

extension SegmentJob.Segment: JSONObject {
  package static let fields: [JSONField<SegmentJob.Segment>] = [
    .init("number", "The number, from 0.", .count) { $0.number },
    .init("frames", "The frames of the segment.") { $0.frames },
    .init(
      "rpus",
      "The numbers of the first RPU and of the one after the last; absent without RPUs, or if "
        + "their number is unknown.",
      JSONSchema(.list(of: .count, count: 2...2))
    ) { $0.rpus },
  ]
}

extension SegmentJob.Options: JSONObject {
  package static let fields: [JSONField<SegmentJob.Options>] = [
    .init("sourceColor", "What the source's colors mean; absent to use its tags.") {
      $0.sourceColor
    },
    .init("strict", "Whether to refuse a source whose tags contradict each other.") { $0.strict },
    .init(
      "onError", "What to do after damage; absent for the default.",
      JSONSchema(.words(["continue", "stop"]))
    ) { $0.onError },
    .init(
      "from", "Where the wanted part begins, as on the command line; absent for the beginning."
    ) { $0.from },
    .init("to", "Where the wanted part ends, as on the command line; absent for the end.") {
      $0.to
    },
  ]
}

extension SegmentRange: JSONObject {
  package static let fields: [JSONField<SegmentRange>] = [
    .init("firstFrame", "The first frame's number among all presented frames, from 0.", .count) {
      $0.firstFrame
    },
    .init(
      "frameCount", "The number of frames; absent if only decoding can tell.",
      JSONSchema(.integer(1...Int.max))
    ) { $0.frameCount },
    .init("start", "When the first frame begins, in ticks; absent if frameCount is absent.") {
      $0.start
    },
    .init("end", "When the frame after the last begins, in ticks; absent if no frame follows.") {
      $0.end
    },
    .init(
      "before",
      "If the encoder needs frames from before the segment: the start of the earliest one, in "
        + "ticks. Otherwise absent."
    ) { $0.before },
    .init("decoding", "The samples to decode; absent for all.") { $0.decoding },
    .init(
      "fullness",
      "How full the coded picture buffer is before the first frame; absent if there is no buffer.",
      .share
    ) { $0.fullness },
  ]
}

extension SegmentRange.Decoding: JSONObject {
  package static let fields: [JSONField<SegmentRange.Decoding>] = [
    .init(
      "samples", "The numbers of the first sample and of the one after the last.",
      JSONSchema(.list(of: .count, count: 2...2))
    ) { [$0.samples.lowerBound, $0.samples.upperBound] },
    .init("start", "When the first sample is presented, in ticks.") { $0.start },
    .init("last", "When the last sample that is read is presented, in ticks.") { $0.last },
    .init(
      "dropsLeading",
      "Whether to leave out samples that follow the first one but are presented before it."
    ) {
      $0.dropsLeading
    },
  ]
}

extension InputFacts: JSONObject {
  package static let fields: [JSONField<InputFacts>] = [
    .init("path", "The absolute path.") { $0.path },
    .init("size", "The length in bytes.", .count) { $0.size },
    .init("modified", "The time of the last change, in nanoseconds since 1970.") {
      $0.modified
    },
    .init(
      "digest", "SHA-256 of a movie's tables and of 64 places in the file, as hexadecimal digits.",
      sha256
    ) { $0.digest },
  ]

  /// The hexadecimal digits of a SHA-256.
  fileprivate static let sha256 = JSONSchema(.string(pattern: "^[0-9a-f]{64}$"))
}
