// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import MediaCore

/// Facts about x264, whether or not this build has it.
extension X264Encoder {
  package static let name = "x264"
  package static let bitDepths = [8, 10]
  package static let usualBitDepth = 8
  // Few players show H.264 with a subsampling other than 4:2:0.
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
  // The levels of H.264, table A-1.
  package static let levels: Set = [
    "1", "1.1", "1.2", "1.3", "2", "2.1", "2.2", "3", "3.1", "3.2", "4", "4.1", "4.2", "5", "5.1",
    "5.2", "6", "6.1", "6.2",
  ]
  package static let speeds = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    "placebo",
  ]
  // The range of quantizers at 8 bits (H.264, 7.4.2.1.1).
  package static let rateFactors: ClosedRange<Double>? = 0...51
  package static let losslessProfile: (name: String, number: Int)? = ("High444", 244)
  package static let returnsDecodedFrames = true

  /// Returns a sentence that says why interlaced frames cannot be coded as fields, or `nil` if they
  /// can.
  package static func fieldObstacle(_ settings: VideoEncoderSettings) -> String? {
    let subsampling = settings.format.chromaSubsampling
    let unit = 2 << subsampling.verticalShift
    // H.264, A.2.1: Baseline has `frame_mbs_only_flag` 1.
    if settings.profile == "baseline" {
      return "the Baseline profile of H.264 does not support fields"
    }
    let height = settings.size.height
    // The coded height is a multiple of 32, and decoders crop frames to the height that is shown.
    // Each field has its own chroma rows, so in 4:2:0, frames can be cropped only in steps of 4
    // rows (H.264, 7.4.2.1.1, `CropUnitY`).
    guard height % unit != 0 else { return nil }
    return "in H.264, the height of \(subsampling.rawValue) frames with fields must be a multiple "
      + "of \(unit), and \(height) is not"
  }
}

/// Facts about x265, whether or not this build has it.
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
  // x265 uses the names and numbers of x264.
  package static let speeds = X264Encoder.speeds
  package static let rateFactors = X264Encoder.rateFactors
  package static let returnsDecodedFrames = true
}
