// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import Testing

@testable import VideoEncoders

/// What settings ask of the encoder of each codec, held against what the encoder does.
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

  /// A codec that a preset may name has an encoder of it, whose properties fit together.
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

  /// The library knows every speed, and takes rate factors from the first to the last.
  @Test(arguments: VideoCodec.allCases) func speedsAndRateFactorsAreTaken(
    codec: VideoCodec
  ) throws {
    let encoder = codec.encoder
    var settings = Self.settings(encoder.profiles.first, depth: 8)
    // A rate factor of 0 is lossless in x264, which not every profile can be.
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

  /// Names are told apart in presets.
  @Test func namesAreDifferent() {
    let encoders = VideoCodec.allCases.map(\.encoder)
    #expect(Set(encoders.map { $0.name }).count == encoders.count)
    for encoder in encoders {
      #expect(Set(encoder.profiles.map(\.name)).count == encoder.profiles.count)
    }
  }

  /// The library knows every profile and every level by the name that is given here.
  @Test(arguments: VideoCodec.allCases) func profilesAndLevelsAreTaken(codec: VideoCodec) throws {
    let encoder = codec.encoder
    for profile in encoder.profiles {
      for depth in profile.bitDepths where encoder.bitDepths.contains(depth) {
        do {
          try encoder.check(Self.settings(profile, depth: depth))
        } catch VideoEncoderError.bitDepthUnavailable {
          // Libraries are built with fewer depths, too.
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
