// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import ColorTagging
package import NALUnits

/// The bitstream of Apple ProRes, in which each frame's header states its color (SMPTE RDD 36,
/// 5.1.1 and 6.1.1).
package struct ProResBitstream: CodedBitstream {
  package let codecName = "prores"

  package func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim] {
    Self.signal(inHeaderOf: firstSample).map { [SignalClaim(source: .bitstream, signal: $0)] }
      ?? []
  }

  /// Returns the signal of a frame; `nil` if the bytes are not a frame.
  private static func signal(inHeaderOf sample: [UInt8]) -> SignalDescription? {
    // A frame begins with its size in bytes and the identifier `icpf`. Between the identifier and
    // the color are the header's size, its version, the encoder, width, height, and two bytes of
    // flags.
    var reader = ByteReader(sample, at: 4)
    guard (try? reader.integer(UInt32.self)) == FourCC("icpf").rawValue,
      (try? reader.skip(14)) != nil, let primaries = try? reader.integer(UInt8.self),
      let transfer = try? reader.integer(UInt8.self), let matrix = try? reader.integer(UInt8.self)
    else { return nil }
    // ProRes uses 0 for "unknown", and H.273 uses 2 for "unspecified".
    func code(_ value: UInt8) -> UInt16 { value == 0 ? 2 : UInt16(value) }
    return SignalDescription(
      color: ColorDescription(
        ColorPrimaries(rawValue: code(primaries)),
        TransferCharacteristics(rawValue: code(transfer)),
        MatrixCoefficients(rawValue: code(matrix))))
  }
}
