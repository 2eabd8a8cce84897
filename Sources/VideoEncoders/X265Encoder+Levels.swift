// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// Limits that HEVC's levels set to the size and the rate of frames (H.265, tables A.8 and A.9).
extension X265Encoder {
  /// `MaxLumaPs`, luma samples per frame, and `MaxLumaSr`, luma samples per second.
  private static let levelLimits: [String: (pictureSize: Int, sampleRate: Int)] = [
    "1": (36_864, 552_960), "2": (122_880, 3_686_400), "2.1": (245_760, 7_372_800),
    "3": (552_960, 16_588_800), "3.1": (983_040, 33_177_600), "4": (2_228_224, 66_846_720),
    "4.1": (2_228_224, 133_693_440), "5": (8_912_896, 267_386_880),
    "5.1": (8_912_896, 534_773_760), "5.2": (8_912_896, 1_069_547_520),
    "6": (35_651_584, 1_069_547_520), "6.1": (35_651_584, 2_139_095_040),
    "6.2": (35_651_584, 4_278_190_080),
  ]

  package static let levels = Set(levelLimits.keys)

  /// Checks that the settings' level, such as `4.1` or `4.0`, allows the size and rate of frames.
  ///
  /// - Throws: ``VideoEncoderError/unsupportedSize(encoder:size:reason:decidedBy:)``.
  static func checkLevel(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    guard let stated = settings.level else { return }
    let level = stated.hasSuffix(".0") ? String(stated.dropLast(2)) : stated
    // Leave levels that do not exist to x265, which refuses them as an invalid option. x265 also
    // refuses a level that is too low, but without naming the level or a reason.
    guard let (pictureSize, sampleRate) = levelLimits[level] else { return }
    let (width, height) = (settings.size.width, settings.size.height)
    var excess: String?
    let rate = settings.frameRate
    // Clause A.4.1 limits each side to the square root of eight times `MaxLumaPs`.
    if width * height > pictureSize || max(width * width, height * height) > 8 * pictureSize {
      excess = "\(pictureSize) luma samples per frame"
    } else if width * height * rate.numerator > sampleRate * max(rate.denominator, 1) {
      excess = "\(sampleRate) luma samples per second"
    }
    guard let excess else { return }
    throw .unsupportedSize(
      encoder: "x265", size: settings.size, reason: "level \(level) allows at most \(excess)",
      decidedBy: .level)
  }
}
