// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import MediaCore

/// An encoder library: what it can do, and how its encoders are opened.
///
/// Settings, plans and the documentation ask a codec for its library, and ask the library for
/// everything else.
package protocol EncoderLibrary: VideoEncoder, SendableMetatype {
  /// The library's name: "x265".
  static var name: String { get }
  /// The library's version: "3.5+1-f0c1022b6".
  static var version: String { get }
  /// The bit depths that the library takes.
  static var bitDepths: [Int] { get }
  /// The output's bit depth if the settings name none, and if the output is HDR or the source has
  /// more than 8 bits.
  static var usualBitDepth: Int { get }
  /// The source's subsamplings that the output keeps if the settings name none.
  static var keptSubsamplings: Set<ChromaSubsampling> { get }
  /// The profiles, in the order of the documentation.
  static var profiles: [EncoderProfile] { get }
  /// The levels, such as `4.1`.
  static var levels: Set<String> { get }
  /// Whether the library can return a sample together with the frame that decoders will make of it.
  static var returnsDecodedFrames: Bool { get }
  /// The names of the library's speeds, the fastest first. Slower ones compress better. SVT-AV1
  /// lists its speeds twice: by name, then by number. Empty if there is only one way to encode.
  static var speeds: [String] { get }
  /// The rate factors that the library takes; lower is better. `nil` if it has no rate control.
  static var rateFactors: ClosedRange<Double>? { get }
  /// Whether rate factors are whole numbers.
  static var hasWholeRateFactors: Bool { get }
  /// Whether the library can keep the data rate within limits.
  static var keepsDataRateLimits: Bool { get }
  /// The rate factor if the settings name none.
  static var usualRateFactor: Double { get }
  /// Returns the rate factor that Apple's quality, a number from 0 to 1, stands for.
  static func rateFactor(quality: Double) -> Double
  /// The only profile that can be lossless: its name in a preset, and its `profile_idc`. `nil` if
  /// every profile can be lossless.
  static var losslessProfile: (name: String, number: Int)? { get }

  /// Opens an encoder.
  ///
  /// - Throws: ``VideoEncoderError`` for features that the library lacks or refuses.
  init(_ settings: VideoEncoderSettings) throws(VideoEncoderError)

  /// Throws if opening an encoder would throw, but takes less time.
  static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError)

  /// The number of earlier frames to encode before a segment. From these, rate control learns about
  /// the scene that the segment continues. The number is 0 if rate control does not need them.
  ///
  /// - Parameter isStill: whether these frames hardly differ.
  static func framesAhead(_ settings: VideoEncoderSettings, isStill: Bool) -> Int

  /// Whether the encoder has to model the decoder's buffer from the start. Otherwise a file or a
  /// segment is first encoded without that model, which is faster. If the result would empty the
  /// buffer, the frames are encoded again with the model.
  static func needsBuffer(_ settings: VideoEncoderSettings) -> Bool

  /// How many cores the library's encoders keep busy.
  static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism

  /// How many seconds one core takes for a million pixels, by the name of the speed.
  static var secondsPerMegapixel: [String: Double] { get }

  /// Returns a sentence that says why interlaced frames cannot be coded as fields, or `nil` if they
  /// can.
  static func fieldObstacle(_ settings: VideoEncoderSettings) -> String?
}

extension EncoderLibrary {
  /// The first of ``bitDepths``.
  package static var usualBitDepth: Int { bitDepths.first ?? 8 }

  /// Libraries without profiles have nothing to list.
  package static var profiles: [EncoderProfile] { [] }

  /// Libraries without levels have nothing to list.
  package static var levels: Set<String> { [] }

  /// Libraries with one way to encode have no speeds.
  package static var speeds: [String] { [] }

  /// Libraries without rate control take no rate factor.
  package static var rateFactors: ClosedRange<Double>? { nil }

  /// `false`, because most libraries also take fractions.
  package static var hasWholeRateFactors: Bool { false }

  /// Libraries with rate control model the decoder's buffer unless they say otherwise.
  package static var keepsDataRateLimits: Bool { rateFactors != nil }

  /// The default rate factor that Candela uses with x264 and x265.
  package static var usualRateFactor: Double { 20 }

  /// Uses the formula for x264 and x265.
  package static func rateFactor(quality: Double) -> Double { 44 - 32 * quality }

  /// Assumes an encoder that works on one core.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    EncoderParallelism(serialShare: 1, ofWorker: 1, ofPoolThread: nil)
  }

  /// A library that nobody measured has no times, so predictions leave out the time for encoding.
  package static var secondsPerMegapixel: [String: Double] { [:] }

  /// Most libraries do not hand back decoded frames.
  package static var returnsDecodedFrames: Bool { false }

  /// Every profile can be lossless unless a library says otherwise.
  package static var losslessProfile: (name: String, number: Int)? { nil }

  /// Rate control learns nothing from earlier frames unless a library says otherwise.
  package static func framesAhead(_ settings: VideoEncoderSettings, isStill: Bool) -> Int { 0 }

  // x265 writes different parameter sets with and without a buffer, but all segments of a file must
  // have the same sets. So either all segments are encoded with the buffer, or none is.
  /// If the settings have a buffer, it is modeled from the start, unless a library says otherwise.
  package static func needsBuffer(_ settings: VideoEncoderSettings) -> Bool {
    settings.buffer != nil
  }

  /// Interlaced frames can be coded as fields unless a library says otherwise.
  package static func fieldObstacle(_ settings: VideoEncoderSettings) -> String? { nil }
}

/// A profile, with its names in presets and in the library.
package struct EncoderProfile: Hashable, Sendable {
  /// The codec that the profile belongs to.
  package let codec: VideoCodec
  /// The name in a preset: "Main10".
  package let name: String
  /// The library's name for it: "main10".
  package let encoderName: String
  /// The depths of its samples, in bits.
  package let bitDepths: ClosedRange<Int>
  /// The subsampling of its frames.
  package let chromaSubsampling: ChromaSubsampling

  init(
    _ codec: VideoCodec, _ name: String, _ encoderName: String, _ bitDepths: ClosedRange<Int>,
    _ chromaSubsampling: ChromaSubsampling
  ) {
    (self.codec, self.name, self.encoderName) = (codec, name, encoderName)
    (self.bitDepths, self.chromaSubsampling) = (bitDepths, chromaSubsampling)
  }
}
