// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

extension ComparisonReport: JSONObject {
  package static let meaning = "What is kept, changed and lost in an output."
  package static let fields: [JSONField<Self>] = [
    .init("source", "The path of the source.") { $0.source },
    .init("output", "The path of the output.") { $0.output },
    .init("isComplete", "Whether the plan announced every loss; also true if nothing is lost.") {
      $0.isComplete
    },
    .init("findings", "Findings about the file as a whole.") { $0.findings },
    .init("tracks", "The tracks: first the source's tracks in their order, then new tracks.") {
      $0.tracks
    },
  ]
}

extension TrackComparison: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("source", "The track's number in the source; absent if it is new.") { $0.source },
    .init("output", "The track's number in the output; absent if it is lost.") { $0.output },
    .init("kind", "The kind: video, audio or artwork; otherwise the sample entry or codec.") {
      $0.kind
    },
    .init("findings", "Findings about the track.") { $0.findings },
    .init("times", "How the times of samples with the same bytes differ.") { $0.times },
    .init("audio", "How audio differs.") { $0.audio },
    .init("frames", "How the frames of the first video track differ.") { $0.frames },
  ]
}

extension Finding: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("code", "The fact's key, which never changes; the guide Comparing lists all keys.") {
      $0.code
    },
    .init("name", "Distinguishes findings with the same code; always a text, such as '1'.") {
      $0.name
    },
    .init("state", "What became of the fact in the output.") { $0.state },
    .init("source", "The value in the source, as inspect writes it; absent if there is none.") {
      $0.source
    },
    .init("output", "The value in the output, or a description of it; absent if there is none.") {
      $0.output
    },
    .init("notice", "The code of the plan's notice that announced the loss.") { $0.notice },
  ]
}

extension Finding.State: JSONDescribed {}

extension TimeComparison: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("count", "How many pairs of times were compared.", .count) { $0.count },
    .init("first", "How much later the first sample or frame is in the output.") { $0.first },
    .init("last", "How much later the last sample or frame is in the output.") { $0.last },
    .init("largest", "The largest difference in either direction.") { $0.largest },
  ]
}

extension TimeComparison.Ticks: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("ticks", "The exact difference in ticks.") { $0.ticks },
    .init("timescale", "Ticks per second.") { $0.timescale },
    .init("seconds", "The difference in seconds, rounded.") { $0.seconds },
  ]
}

extension AudioComparison: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("isIdentical", "Whether packets, or at least decoded samples, are the same.") {
      $0.isIdentical
    },
    .init("offset", "How many samples later the output is, at the source's sample rate.") {
      $0.offset
    },
    .init("gain", "The gain from source to output, in dB.") { $0.gain },
    .init("signalToNoise", "The signal-to-noise ratio with offset and gain compensated, in dB.") {
      $0.signalToNoise
    },
    .init("lowSignalToNoise", "The signal-to-noise ratio below 1.5 kHz, in dB.") {
      $0.lowSignalToNoise
    },
    .init("sampleCount", "How many samples of each channel were compared.", .count) {
      $0.sampleCount
    },
    .init("channels", "The channels that can be heard.") { $0.channels },
    .init("reason", "Why something was not measured, in words.") { $0.reason },
  ]
}

extension AudibleChannels: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("sourceCount", "How many channels of the source can be heard.", .count) {
      $0.sourceCount
    },
    .init("silent", "The numbers, from 1, of the channels that are silent in the output.") {
      $0.silent
    },
  ]
}

extension FrameComparison: JSONDescribed {
  package static let schema = JSONSchema(
    .object(counts.map(\.property) + others.map(\.property) + FrameMetric.properties()))

  private static let others: [JSONField<Self>] = [
    .init("times", "Differences in presentation times.") { $0.times },
    .init("reasons", "Why something was not measured, in words.") { $0.reasons },
    .init("frames", "The values of each compared frame.") { $0.frames },
  ]

  /// Encodes the metrics on the same level as the other keys.
  package func encode(to encoder: any Encoder) throws {
    try Self.counts.encode(self, to: encoder)
    try metrics.encode(to: encoder)
    try Self.others.encode(self, to: encoder)
  }

  private static let counts: [JSONField<Self>] = [
    .init("sourceCount", "The number of frames in the source.", .count) { $0.sourceCount },
    .init("outputCount", "The number of frames in the output.", .count) { $0.outputCount },
    .init("missingCount", "How many source frames have no output frame at the same time.", .count) {
      $0.missingCount
    },
    .init("addedCount", "How many output frames have no source frame at the same time.", .count) {
      $0.addedCount
    },
    .init("addedAtEndCount", "How many added frames come after the source's end.", .count) {
      $0.addedAtEndCount
    },
    .init("sourceDamagedCount", "How often decoding the source reported damage.", .count) {
      $0.sourceDamagedCount
    },
    .init("outputDamagedCount", "How often decoding the output reported damage.", .count) {
      $0.outputDamagedCount
    },
    .init("comparedCount", "How many pairs of frames were compared.", .count) { $0.comparedCount },
    .init(
      "otherContentCount",
      "How many compared output frames are flat or frozen although the source's frames are not.",
      .count
    ) {
      $0.otherContentCount
    },
    .init("isIdentical", "Whether all samples of all compared frames are the same.") {
      $0.isIdentical
    },
    .init("isScaled", "Whether output frames were scaled to the source's size.") { $0.isScaled },
  ]
}

extension FrameMetric {
  /// Returns the keys under which metrics are written; a metric that was not measured is absent.
  ///
  /// - Parameter areOfFrame: whether the values belong to a single frame, which may have a value
  ///   for the first part only.
  fileprivate static func properties(ofFrame areOfFrame: Bool = false) -> [JSONProperty] {
    all.map { metric in
      let parts = metric.parts.map { part in
        JSONProperty(part.key, "\(part.name).", Double.schema, isRequired: false)
      }
      let unit = metric.unit.isEmpty ? "" : ", in \(metric.unit)"
      let object = JSONSchema(.object(parts))
      let several = areOfFrame ? JSONSchema(.anyOf([Double.schema, object])) : object
      return JSONProperty(
        metric.key, "\(metric.name)\(unit).", parts.count == 1 ? Double.schema : several,
        isRequired: false)
    }
  }
}

extension FrameValues: JSONDescribed {
  package static let schema = JSONSchema(
    .object(own.map(\.property) + FrameMetric.properties(ofFrame: true)))

  private static let own: [JSONField<Self>] = [
    .init("frame", "The source frame's place in the order of presentation, from 0.", .count) {
      $0.frame
    },
    .init("time", "When the source frame is presented, in seconds.") { $0.time },
  ]

  package func encode(to encoder: any Encoder) throws {
    try Self.own.encode(self, to: encoder)
    try metrics.encode(to: encoder)
  }
}
