// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Planning
internal import Transcoding
internal import VideoEncoders

/// Report that `--verbose` prints on standard error.
enum VerboseReport {
  /// Prints the plan, the parameters that the encoder was asked for, and those that it uses.
  static func printPlan(_ session: TranscodeSession) {
    RunMessages.detail(report: session.report.text(of: Advice.text))
    guard let report = session.encoderReport else { return }
    RunMessages.detail("\(report.encoder) was asked for: \(join(report.requested))")
    if !report.effective.isEmpty {
      RunMessages.detail("\(report.encoder) was given: \(join(report.effective))")
    }
  }

  /// Prints the result.
  static func printResult(_ result: TranscodeResult) {
    RunMessages.detail("\(result.summary)")
    if let level = result.measuredContentLightLevel {
      RunMessages.detail(
        "measured: MaxCLL \(level.maxContentLightLevel), MaxFALL "
          + "\(level.maxPicAverageLightLevel) cd/m²")
    }
  }

  private static func join(_ options: [(name: String, value: String)]) -> String {
    options.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
