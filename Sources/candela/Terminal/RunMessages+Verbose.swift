// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Planning
internal import Transcoding
internal import VideoEncoders

/// The details that `--verbose` prints on standard error.
extension RunMessages {
  /// Prints the plan, the parameters that the encoder was asked for, and those that it uses.
  static func detail(planOf session: TranscodeSession) {
    detail(report: session.report.text(of: \.advice))
    guard let report = session.encoderReport else { return }
    detail("\(report.encoder) was asked for: \(join(report.requested))")
    // Encoder libraries change some of the parameters, so print both lists.
    if !report.effective.isEmpty {
      detail("\(report.encoder) uses: \(join(report.effective))")
    }
  }

  /// Prints a line about the result, and the measured light levels.
  static func detail(_ result: TranscodeResult) {
    detail("\(result.summary)")
    if let level = result.measuredContentLightLevel {
      detail(
        "measured: MaxCLL \(level.maxContentLightLevel), MaxFALL "
          + "\(level.maxPicAverageLightLevel) cd/m²")
    }
  }

  private static func join(_ options: [(name: String, value: String)]) -> String {
    options.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
