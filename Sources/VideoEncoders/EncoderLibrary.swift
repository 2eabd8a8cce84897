// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import MediaCore

/// An encoder library: its abilities, and the opening of its encoders.
///
/// Settings, plans and the documentation ask a codec for its library, and the library for all of
/// this.
package protocol EncoderLibrary: VideoEncoder, SendableMetatype {
  /// The library's name: "x265".
  static var name: String { get }
  /// The library's version: "3.5+1-f0c1022b6".
  static var version: String { get }
  /// The depths of the samples that it takes, in bits.
  static var bitDepths: [Int] { get }
  /// The depth, in bits, where the source is deeper than 8 bits or HDR and nothing states another.
  static var usualBitDepth: Int { get }
  /// The subsamplings that stay the source's where nothing states another.
  static var keptSubsamplings: Set<ChromaSubsampling> { get }
  /// Profiles of the encoder, in the order of the documentation.
  static var profiles: [EncoderProfile] { get }
  /// Levels of the encoder, as `4.1`.
  static var levels: Set<String> { get }
  /// True if samples can come with the frame that decoders will make of them.
  static var givesPictures: Bool { get }
  /// Names of the encoder for balances of speed and compression, the fastest first; none where it
  /// has one way alone.
  static var speeds: [String] { get }
  /// The rate factors that it takes; less is better. Nil where its samples have the size that they
  /// have.
  static var rateFactors: ClosedRange<Double>? { get }
  /// The only profile whose frames can be lossless, by its name in a preset, and `profile_idc`;
  /// nil where all can.
  static var losslessProfile: (name: String, number: Int)? { get }

  /// Opens an encoder.
  ///
  /// - Throws: ``VideoEncoderError`` for features that the library lacks or refuses.
  init(_ settings: VideoEncoderSettings) throws(VideoEncoderError)

  /// Looks for what opening an encoder would refuse.
  static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError)

  /// Number of frames before a segment from which the rate control has to learn how a scene goes
  /// on; 0 where it need not.
  ///
  /// - Parameter isStill: true if they hardly differ.
  static func framesAhead(_ settings: VideoEncoderSettings, isStill: Bool) -> Int

  /// Number of cores that its encoders keep busy.
  static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism

  /// Seconds that one core needs for a million pixels, by the names of speeds.
  static var secondsPerMegapixel: [String: Double] { get }

  /// Reason for which interlaced frames cannot be coded as such, a sentence; nil where they can.
  static func fieldObstacle(_ settings: VideoEncoderSettings) -> String?
}

extension EncoderLibrary {
  /// The depth where nothing states another: the first.
  package static var usualBitDepth: Int { bitDepths.first ?? 8 }

  /// Profiles: none.
  package static var profiles: [EncoderProfile] { [] }

  /// Levels: none.
  package static var levels: Set<String> { [] }

  /// Speeds: none.
  package static var speeds: [String] { [] }

  /// Rate factors: none.
  package static var rateFactors: ClosedRange<Double>? { nil }

  /// Cores that are kept busy: one.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    EncoderParallelism(serialShare: 1, ofWorker: 1, ofPoolThread: nil)
  }

  /// Seconds for a million pixels: none are known.
  package static var secondsPerMegapixel: [String: Double] { [:] }

  /// Frames that come back: none.
  package static var givesPictures: Bool { false }

  /// Profile of lossless coding: nil, since every profile can be lossless.
  package static var losslessProfile: (name: String, number: Int)? { nil }

  /// Frames before a segment: 0, since nothing is learnt from them.
  package static func framesAhead(_ settings: VideoEncoderSettings, isStill: Bool) -> Int { 0 }

  /// Obstacle to fields: nil, since there is none.
  package static func fieldObstacle(_ settings: VideoEncoderSettings) -> String? { nil }
}

/// A profile of an encoder.
package struct EncoderProfile: Hashable, Sendable {
  /// The codec that has it.
  package let codec: VideoCodec
  /// The name in a preset: "Main10".
  package let name: String
  /// The library's name of it: "main10".
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
