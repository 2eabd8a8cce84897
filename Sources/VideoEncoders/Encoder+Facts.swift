// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import MediaCore

/// Facts about x264, whether it is built in or not.
extension X264Encoder {
  package static let name = "x264"
  package static let bitDepths = [8, 10]
  package static let usualBitDepth = 8
  // Few players show H.264 of anything else.
  package static let keptSubsamplings: Set<ChromaSubsampling> = [.cs420]
  package static let profiles: [EncoderProfile] = [
    .init(.h264, "Baseline", "baseline", 8...8, .cs420),
    .init(.h264, "ConstrainedBaseline", "baseline", 8...8, .cs420),
    .init(.h264, "Main", "main", 8...8, .cs420),
    .init(.h264, "High", "high", 8...8, .cs420),
    .init(.h264, "High10", "high10", 10...10, .cs420),
    .init(.h264, "High422", "high422", 8...10, .cs422),
    .init(.h264, "High444", "high444", 8...10, .cs444),
  ]
  // H.264, table A-1.
  package static let levels: Set = [
    "1", "1.1", "1.2", "1.3", "2", "2.1", "2.2", "3", "3.1", "3.2", "4", "4.1", "4.2", "5", "5.1",
    "5.2", "6", "6.1", "6.2",
  ]
  package static let speeds = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    "placebo",
  ]
  // Quantizers of 8 bits (H.264, 7.4.2.1.1).
  package static let rateFactors: ClosedRange<Double>? = 0...51
  package static let losslessProfile: (name: String, number: Int)? = ("High444", 244)

  /// Reason for which interlaced frames cannot be coded as such; nil where they can.
  ///
  /// Each field has its own chroma rows, and so does what is cropped from the coded height, a
  /// multiple of 32 (H.264, 7.4.2.1.1: `CropUnitY` is 4 for 4:2:0 that may have fields).
  package static func fieldObstacle(_ settings: VideoEncoderSettings) -> String? {
    let subsampling = settings.format.chromaSubsampling
    let unit = 2 << subsampling.verticalShift
    if settings.profile == "baseline" { return "the Baseline profile of H.264 has no fields" }
    let height = settings.size.height
    guard height % unit != 0 else { return nil }
    return "in H.264, the height of \(subsampling.rawValue) frames with fields is a multiple of "
      + "\(unit), which \(height) is not"
  }
}

/// Facts about x265, whether it is built in or not.
extension X265Encoder {
  package static let name = "x265"
  package static let bitDepths = [8, 10, 12]
  package static let usualBitDepth = 10
  package static let keptSubsamplings: Set<ChromaSubsampling> = [.cs420, .cs422]
  package static let profiles: [EncoderProfile] = [
    .init(.hevc, "Main", "main", 8...8, .cs420),
    .init(.hevc, "Main10", "main10", 10...10, .cs420),
    .init(.hevc, "Main12", "main12", 12...12, .cs420),
    .init(.hevc, "Main42210", "main422-10", 10...10, .cs422),
    .init(.hevc, "Main444", "main444-8", 8...8, .cs444),
    .init(.hevc, "Main44410", "main444-10", 10...10, .cs444),
  ]
  // Names and numbers that x265 took over from x264.
  package static let speeds = X264Encoder.speeds
  package static let rateFactors = X264Encoder.rateFactors
  package static let givesPictures = true
}
