// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Reads the RPU from AV1 metadata (ITU-T T.35, provider 0x003B). It is in a container of
/// extensible metadata (ETSI TS 103 572, annex B).
extension RPUFile {
  /// The country. After it come the provider, the provider's code and the first bits of the
  /// container.
  private static let country: UInt8 = 0xB5
  private static let provider: [UInt8] = [0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]
  /// The number that marks content as Dolby Vision.
  private static let dolbyVision: UInt64 = 256

  /// Returns whether bytes begin like Dolby Vision metadata in AV1.
  static func isAV1Metadata(_ bytes: [UInt8]) -> Bool { av1Content(bytes) != nil }

  private static func av1Content(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    // AV1's metadata unit has a separate field for the country, so some writers leave it out of the
    // bytes.
    let own = bytes.first == country ? bytes.dropFirst() : bytes[...]
    return own.starts(with: provider) ? own.dropFirst(provider.count) : nil
  }

  /// Returns the RPU, `19 … 80` without emulation prevention; `nil` for other bytes and for a
  /// truncated container.
  static func rpu(ofAV1Metadata bytes: [UInt8]) -> [UInt8]? {
    guard let content = av1Content(bytes), let payload = try? av1Payload(Array(content)) else {
      return nil
    }
    // AV1 leaves out the first byte, and the protection against start codes, which only HEVC needs.
    return [0x19] + payload
  }

  private static func av1Payload(_ container: [UInt8]) throws(BitstreamError) -> [UInt8]? {
    var reader = BitReader(container)
    // Neither `emdf_version` nor `key_id` matters here.
    try reader.skip(5)
    var kind = try reader.u(5)
    if kind == 31 { kind &+= try av1Number(5, &reader) }
    guard kind == dolbyVision else { return nil }
    // `smploffste`, `duratione`, `groupide` and `codecdatae` have to be 0. Otherwise more fields
    // follow, which Dolby Vision never uses.
    guard try reader.u(4) == 0 else { return nil }
    // The flag `discard_unknown_payload` is for readers that do not know the content.
    try reader.skip(1)
    var bytes: [UInt8] = []
    for _ in 0..<min(try av1Number(8, &reader), UInt64(container.count)) {
      bytes.append(UInt8(truncatingIfNeeded: try reader.u(8)))
    }
    return bytes
  }

  /// Reads `variable_bits`: groups of bits, each followed by a bit that says if there is another
  /// group.
  private static func av1Number(
    _ width: Int, _ reader: inout BitReader
  ) throws(BitstreamError) -> UInt64 {
    var value: UInt64 = 0
    // A damaged file may have groups without end, and the number would overflow.
    for _ in 0..<4 {
      value &+= try reader.u(width)
      guard try reader.flag() else { break }
      value = (value &<< UInt64(width)) &+ (1 &<< UInt64(width))
    }
    return value
  }
}
