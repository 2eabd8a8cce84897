// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import Planning
package import VideoEncoders

/// A session's plan and result, as data.
package struct SessionReport: Sendable, Encodable {
  /// What was to be done, and what the output loses.
  package let plan: PlanReport
  /// The encoder with its version; absent if frames were copied.
  package let encoder: EncoderParameterReport?
  /// The number of frames that were encoded.
  package let frameCount: Int
  /// The number of copied frames whose metadata was measured.
  package let measuredFrameCount: Int
  /// The number of samples in each track, in the order of the output's tracks.
  package let sampleCounts: [Int]
  /// The number of damaged frames, RPUs, packets, subtitles and tracks that were concealed or left
  /// out.
  package let concealedCount: Int
  /// The number of the source's frames that no edit presents and that were left out.
  package let hiddenFrameCount: Int
  /// The number of frames whose time was missing or out of order and was made up.
  package let repairedTimeCount: Int
  /// The measured light levels; absent if they were not measured.
  package let measuredContentLightLevel: ContentLightLevel?
  /// Notices that came up only while the samples were read.
  package let notices: [Notice]
  /// How long the work took, in seconds.
  package let secondsElapsed: Double

  /// Reports on a session that has run.
  ///
  /// - Parameter seconds: the duration of all the work; `nil` to take the session's own time.
  package init(
    _ session: TranscodeSession, _ result: TranscodeResult, seconds: Double? = nil
  ) {
    plan = session.report
    encoder = session.encoderReport
    frameCount = result.frameCount
    measuredFrameCount = result.measuredFrameCount
    sampleCounts = result.sampleCounts
    concealedCount = result.concealedCount
    hiddenFrameCount = result.hiddenFrameCount
    repairedTimeCount = result.repairedTimeCount
    measuredContentLightLevel = result.measuredContentLightLevel
    notices = result.notices
    secondsElapsed = seconds ?? session.progress.secondsElapsed
  }
}

extension SessionReport: JSONObject {
  package static let meaning = "What was done, and what the result is."
  package static let fields: [JSONField<SessionReport>] = [
    .init("plan", "What was to be done, and what the output loses.") { $0.plan },
    .init("encoder", "The encoder; absent if frames were copied.") { $0.encoder },
    .init("frameCount", "The number of frames that were encoded.", .count) { $0.frameCount },
    .init(
      "measuredFrameCount", "The number of copied frames whose metadata was measured.", .count
    ) { $0.measuredFrameCount },
    .init("sampleCounts", "The number of samples in each track, in the order of the tracks.") {
      $0.sampleCounts
    },
    .init(
      "concealedCount",
      "How many damaged frames, RPUs, packets, subtitles and tracks were concealed or left out.",
      .count
    ) { $0.concealedCount },
    .init(
      "hiddenFrameCount", "How many frames were left out because no edit presents them.", .count
    ) { $0.hiddenFrameCount },
    .init(
      "repairedTimeCount",
      "How many frames got a new time because theirs was missing or out of order.", .count
    ) { $0.repairedTimeCount },
    .init(
      "measuredContentLightLevel", "The frames' light levels; absent if they were not measured."
    ) { $0.measuredContentLightLevel },
    .init("notices", "Notices that came up only while the samples were read.") { $0.notices },
    .init("secondsElapsed", "How long the work took, in seconds.") { $0.secondsElapsed },
  ]
}

extension EncoderParameterReport: JSONObject {
  package static let fields: [JSONField<EncoderParameterReport>] = [
    .init("name", "The encoder's name and version.") { $0.encoder },
    .init("requested", "The options that were set, with their values.") {
      dictionary($0.requested)
    },
    .init("effective", "The values in use, including options that were not set.") {
      dictionary($0.effective)
    },
  ]

  private static func dictionary(_ options: [(name: String, value: String)]) -> [String: String] {
    // If an option is set twice, encoders use the last value.
    Dictionary(options.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}
