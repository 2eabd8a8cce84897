// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
internal import CodePoints

/// A codec that Candela can encode.
///
/// To add a codec, write a new file with a value of this type and its encoder, and add a line to
/// `all`. Code that reads files does not look here, because some codecs can be read but not
/// encoded.
public struct VideoCodec: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The name in presets and reports, which is FFmpeg's name for the codec.
  public let rawValue: String
  /// The codec's name in texts for people.
  package let name: String
  /// The type of the sample entry that contains all parameter sets, such as `hvc1`.
  package let sampleEntry: FourCC
  /// The library that encodes this codec.
  package let encoder: any EncoderLibrary.Type
  /// Whether HDR metadata is written into the codec's samples and boxes.
  package let carriesHDRMetadata: Bool
  /// Whether the codec's samples can have the RPUs of Dolby Vision.
  package let carriesDolbyVision: Bool

  /// Makes a codec from its parts.
  init(
    _ rawValue: String, name: String, sampleEntry: FourCC, encoder: any EncoderLibrary.Type,
    carriesHDRMetadata: Bool = false, carriesDolbyVision: Bool = false
  ) {
    (self.rawValue, self.name, self.sampleEntry) = (rawValue, name, sampleEntry)
    self.encoder = encoder
    self.carriesHDRMetadata = carriesHDRMetadata
    self.carriesDolbyVision = carriesDolbyVision
  }

  private init(_ codec: NALCodec, encoder: any EncoderLibrary.Type) {
    self.init(
      codec.rawValue, name: codec.name, sampleEntry: VideoSampleEntry(codec).type,
      encoder: encoder, carriesHDRMetadata: true, carriesDolbyVision: codec.carriesDolbyVision)
  }

  /// H.265, published as HEVC in ISO/IEC 23008-2.
  public static let hevc = VideoCodec(.hevc, encoder: X265Encoder.self)
  /// H.264, published as AVC in ISO/IEC 14496-10.
  public static let h264 = VideoCodec(.h264, encoder: X264Encoder.self)

  /// Every codec that can be encoded, in the order of the documentation.
  package static let all: [VideoCodec] = [
    .hevc,
    .h264,
    .av1,
  ]

  /// The codec to use if settings encode but do not name one.
  package static let usual = hevc

  /// Every codec that can be encoded, in the order of the documentation.
  public static var allCases: [VideoCodec] { all }

  /// Finds a codec by its name. Returns `nil` if no codec has it.
  public init?(rawValue: String) {
    guard let codec = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = codec
  }
}
