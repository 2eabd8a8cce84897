// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Reading

extension PlanReport: JSONObject {
  package static let meaning = "What would be done with a file, and why."
  package static let fields: [JSONField<PlanReport>] = [
    .init("input", "The path of the file to read.") { $0.input },
    .init("preset", "The name of the preset.") { $0.preset },
    .init("container", "The container to write: mov, mp4, mkv or webm.") { $0.container },
    .init("range", "The part to write; absent for the whole.") { $0.range },
    .init("video", "What happens to video; absent if the output has none.") { $0.video },
    .init("audio", "What happens to each audio track of the output.") { $0.audio },
    .init(
      "otherTracks", "Other tracks of the output: timed metadata, time code, chapters, text."
    ) { $0.otherTracks },
    .init("keepsMetadata", "Whether dates, places and names are kept.") { $0.keepsMetadata },
    .init("notices", "Losses and assumptions.") { $0.notices },
  ]
}

extension PlanReport.OtherTrackReport: JSONObject {
  package static let fields: [JSONField<PlanReport.OtherTrackReport>] = [
    .init("track", "The track's ID in the source; absent if the track is new.") { $0.track },
    .init(
      "kind",
      "The sample entry, such as tmcd; the codec, such as subrip; or a word, such as chapters."
    ) { $0.kind },
  ]
}

extension AudioReport: JSONObject {
  package static let fields: [JSONField<AudioReport>] = [
    .init("track", "The track's ID in the source.") { $0.track },
    .init("codec", "FFmpeg's name for the source's codec.") { $0.codec },
    .init(
      "action", "Whether samples are copied or encoded.",
      JSONSchema(.words(["copied", "encoded"]))
    ) { $0.action },
    .init("reason", "Why samples are copied or encoded; absent for a usual copy.") { $0.reason },
    .init("encoding", "How audio is encoded; absent if samples are copied.") { $0.encoding },
  ]
}

extension AudioReport.Encoding: JSONObject {
  package static let fields: [JSONField<AudioReport.Encoding>] = [
    .init("codec", "FFmpeg's name for the codec.") { $0.codec },
    .init("sampleRate", "Samples per second in each channel, in Hz.", .count) { $0.sampleRate },
    .init("sourceLayout", "The source's channels, by FFmpeg's name: stereo, 5.1.") {
      $0.sourceLayout
    },
    .init("channelLayout", "The output's channels, by FFmpeg's name.") { $0.channelLayout },
    .init(
      "bitRate", "Bits per second for all channels together; absent for lossless codecs.", .count
    ) { $0.bitRate },
  ]
}
