// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import Testing

@testable import VideoEncoders

/// Each codec's encoder accepts everything that settings can ask of it.
@Suite(.serialized) struct EncoderLibraryTests {
  private static func settings(_ profile: EncoderProfile?, depth: Int) -> VideoEncoderSettings {
    let format = PixelFormat(
      bitDepth: depth, chromaSubsampling: profile?.chromaSubsampling ?? .cs420)
    var settings = VideoEncoderSettings(
      size: VideoDimensions(width: 128, height: 96), format: format,
      signal: SignalDescription(), timescale: 600, frameRate: FrameRate(framesPerSecond: 30))
    settings.profile = profile?.encoderName
    return settings
  }

  /// Every codec that a preset can name has an encoder, whose properties fit together.
  @Test(arguments: VideoCodec.allCases) func everyCodecHasAnEncoder(codec: VideoCodec) {
    let encoder = codec.encoder
    #expect(encoder.profiles.allSatisfy { $0.codec == codec })
    #expect(encoder.bitDepths.contains(encoder.usualBitDepth))
    #expect(
      encoder.profiles.isEmpty
        || Set(encoder.profiles.flatMap(\.bitDepths)).isSuperset(of: [8, encoder.usualBitDepth]))
    if let lossless = encoder.losslessProfile {
      #expect(encoder.profiles.contains { $0.name == lossless.name })
    }
  }

  /// Each encoder's library knows every speed, and accepts the lowest and the highest rate factor.
  @Test(arguments: VideoCodec.allCases) func speedsAndRateFactorsAreTaken(
    codec: VideoCodec
  ) throws {
    let encoder = codec.encoder
    var settings = Self.settings(encoder.profiles.first, depth: 8)
    // In x264, a rate factor of 0 means lossless, which not every profile allows.
    settings.profile = nil
    #expect(encoder.speeds.contains(settings.speed))
    for speed in encoder.speeds {
      settings.speed = speed
      #expect(throws: Never.self) { try encoder.check(settings) }
    }
    let factors = encoder.rateFactors ?? 0...0
    for factor in [factors.lowerBound, factors.upperBound] {
      settings.rateControl = .constantRateFactor(factor)
      #expect(throws: Never.self) { try encoder.check(settings) }
    }
  }

  /// No two encoders and no two profiles of an encoder share a name, so presets can tell them
  /// apart.
  @Test func namesAreDifferent() {
    let encoders = VideoCodec.allCases.map(\.encoder)
    #expect(Set(encoders.map { $0.name }).count == encoders.count)
    for encoder in encoders {
      #expect(Set(encoder.profiles.map(\.name)).count == encoder.profiles.count)
    }
  }

  /// Each encoder's library knows all profiles and levels by the names that the encoder lists.
  @Test(arguments: VideoCodec.allCases) func profilesAndLevelsAreTaken(codec: VideoCodec) throws {
    let encoder = codec.encoder
    for profile in encoder.profiles {
      for depth in profile.bitDepths where encoder.bitDepths.contains(depth) {
        do {
          try encoder.check(Self.settings(profile, depth: depth))
        } catch VideoEncoderError.bitDepthUnavailable {
          // Some builds of the library lack some bit depths.
        }
      }
    }
    let profile = encoder.profiles.first
    for level in encoder.levels {
      var settings = Self.settings(profile, depth: 8)
      settings.level = level
      #expect(throws: Never.self) { try encoder.check(settings) }
    }
  }
}
