internal import Bitstreams
internal import CodePoints

/// The color that an Apple ProRes frame states in its header (SMPTE RDD 36, 5.1.1 and 6.1.1).
struct ProResFrameHeader {
  let signal: SignalDescription

  /// Reads the beginning of a sample; nil where it is no ProRes frame.
  init?(_ sample: [UInt8]) {
    // Frame size and identifier; then sizes, versions, the picture's size and two bytes of flags.
    var reader = ByteReader(sample, at: 4)
    guard (try? reader.integer(UInt32.self)) == FourCC("icpf").rawValue,
      (try? reader.skip(14)) != nil, let primaries = try? reader.integer(UInt8.self),
      let transfer = try? reader.integer(UInt8.self), let matrix = try? reader.integer(UInt8.self)
    else { return nil }
    // 0 is "unknown" here, as 2 is "unspecified" in H.273.
    func code(_ value: UInt8) -> UInt8 { value == 0 ? 2 : value }
    signal = SignalDescription(
      color: ColorDescription(
        ColorPrimaries(rawValue: code(primaries)),
        TransferCharacteristics(rawValue: code(transfer)),
        MatrixCoefficients(rawValue: code(matrix))))
  }
}
