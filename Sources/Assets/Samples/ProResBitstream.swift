// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import ColorTagging
package import NALUnits

/// The bitstream of Apple ProRes, whose frames state a color in their header (SMPTE RDD 36, 5.1.1
/// and 6.1.1).
package struct ProResBitstream: CodedBitstream {
  package let codecName = "prores"

  package func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim] {
    Self.signal(inHeaderOf: firstSample).map { [SignalClaim(source: .bitstream, signal: $0)] }
      ?? []
  }

  /// The signal of a frame; nil for what is no frame.
  private static func signal(inHeaderOf sample: [UInt8]) -> SignalDescription? {
    // Frame size and identifier; then sizes, versions, the picture's size and two bytes of flags.
    var reader = ByteReader(sample, at: 4)
    guard (try? reader.integer(UInt32.self)) == FourCC("icpf").rawValue,
      (try? reader.skip(14)) != nil, let primaries = try? reader.integer(UInt8.self),
      let transfer = try? reader.integer(UInt8.self), let matrix = try? reader.integer(UInt8.self)
    else { return nil }
    // 0 is "unknown" here, as 2 is "unspecified" in H.273.
    func code(_ value: UInt8) -> UInt8 { value == 0 ? 2 : value }
    return SignalDescription(
      color: ColorDescription(
        ColorPrimaries(rawValue: code(primaries)),
        TransferCharacteristics(rawValue: code(transfer)),
        MatrixCoefficients(rawValue: code(matrix))))
  }
}
