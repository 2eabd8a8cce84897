// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The RPU in metadata of AV1 (ITU-T T.35, provider 0x003B): in a container of extensible metadata
/// (ETSI TS 103 572, annex B), and without the first byte and the protection that HEVC needs.
extension RPUFile {
  /// Country, where it is there, provider and its code, and the first bits of the container.
  private static let country: UInt8 = 0xB5
  private static let provider: [UInt8] = [0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]
  /// The kind of content that is Dolby Vision.
  private static let dolbyVision: UInt64 = 256

  /// True if bytes begin as such metadata does.
  static func isAV1Metadata(_ bytes: [UInt8]) -> Bool { av1Content(bytes) != nil }

  private static func av1Content(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let own = bytes.first == country ? bytes.dropFirst() : bytes[...]
    return own.starts(with: provider) ? own.dropFirst(provider.count) : nil
  }

  /// The RPU, `19 … 80` without emulation prevention; nil for other bytes, and for a container that
  /// is cut off.
  static func rpu(ofAV1Metadata bytes: [UInt8]) -> [UInt8]? {
    guard let content = av1Content(bytes), let payload = try? av1Payload(Array(content)) else {
      return nil
    }
    return [0x19] + payload
  }

  private static func av1Payload(_ container: [UInt8]) throws(BitstreamError) -> [UInt8]? {
    var reader = BitReader(container)
    // `emdf_version` and `key_id`.
    try reader.skip(5)
    var kind = try reader.u(5)
    if kind == 31 { kind &+= try av1Number(5, &reader) }
    guard kind == dolbyVision else { return nil }
    // `smploffste`, `duratione`, `groupide` and `codecdatae`: where they are 0, nothing follows.
    guard try reader.u(4) == 0 else { return nil }
    // `discard_unknown_payload`.
    try reader.skip(1)
    var bytes: [UInt8] = []
    for _ in 0..<min(try av1Number(8, &reader), UInt64(container.count)) {
      bytes.append(UInt8(truncatingIfNeeded: try reader.u(8)))
    }
    return bytes
  }

  /// `variable_bits`: groups of bits, each with a bit behind it that says if there is another.
  private static func av1Number(
    _ width: Int, _ reader: inout BitReader
  ) throws(BitstreamError) -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<4 {
      value &+= try reader.u(width)
      guard try reader.flag() else { break }
      value = (value &<< UInt64(width)) &+ (1 &<< UInt64(width))
    }
    return value
  }
}
