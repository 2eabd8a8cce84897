public import Bitstreams

extension NALCodec: CaseIterable {
  /// The codecs, that with more Dolby Vision first.
  public static let allCases: [NALCodec] = [.hevc, .avc]

  /// The box of a sample entry that holds the parameter sets (ISO/IEC 14496-15, 5.3.3 and 8.3.3).
  public var configurationBox: FourCC { self == .hevc ? "hvcC" : "avcC" }
}
