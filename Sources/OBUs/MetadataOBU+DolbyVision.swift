// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The RPU of Dolby Vision as AV1 carries it: user data of ITU-T T.35, with the RPU in a container
/// of extensible metadata (ETSI TS 103 572, annex B).
extension MetadataOBU {
  private static let country: UInt8 = 0xB5
  /// The provider, and the provider's code for this format.
  private static let provider: [UInt8] = [0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]
  /// The number that marks content as Dolby Vision.
  private static let dolbyVision: UInt64 = 256
  /// The byte before an RPU (`rpu_nal_prefix`), which AV1 leaves out.
  private static let rpuPrefix: UInt8 = 0x19

  /// Returns whether user data begins like Dolby Vision. Some writers leave out the country.
  package static func isDolbyVision(_ userData: [UInt8]) -> Bool { content(of: userData) != nil }

  private static func content(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    // AV1's metadata unit has a separate field for the country, so some writers leave it out of the
    // bytes.
    let own = bytes.first == country ? bytes.dropFirst() : bytes[...]
    return own.starts(with: provider) ? own.dropFirst(provider.count) : nil
  }

  /// Returns the RPU in user data: `19 … 80`, without emulation prevention. Returns `nil` for other
  /// bytes. If the container is cut off, returns as much of the RPU as there is.
  package static func dolbyVisionRPU(in userData: [UInt8]) -> [UInt8]? {
    guard let content = content(of: userData) else { return nil }
    var payload: [UInt8] = []
    do throws(BitstreamError) {
      guard try read(&payload, of: Array(content)) else { return nil }
    } catch {
      // A part of an RPU counts as a damaged RPU, so that nobody takes it for unknown user data.
    }
    return [rpuPrefix] + payload
  }

  /// Makes user data that begins with the country and contains an RPU.
  ///
  /// - Parameter rpu: `19 … 80`, without emulation prevention.
  package init(dolbyVisionRPU rpu: [UInt8]) {
    let content = rpu.first == Self.rpuPrefix ? rpu.dropFirst() : rpu[...]
    var writer = BitWriter()
    // Write `emdf_version` 0, `key_id` 6, and the kind of content, which is coded as 31 and a
    // number to add to 31.
    writer.u(0, 2)
    writer.u(6, 3)
    writer.u(31, 5)
    Self.write(Self.dolbyVision - 31, groups: 5, to: &writer)
    // Write no offset, no duration, no group and no data of the codec, but set
    // `discard_unknown_payload`.
    writer.u(1, 5)
    Self.write(UInt64(content.count), groups: 8, to: &writer)
    for byte in content { writer.u(UInt64(byte), 8) }
    // Write the end of the contents, and a protection field of 8 bits that is 0.
    writer.u(0, 5)
    writer.u(1, 2)
    writer.u(0, 2)
    writer.u(0, 8)
    // The rest of the last byte is filled with ones.
    while writer.bitCount % 8 != 0 { writer.flag(true) }
    self.init(.registeredUserData, payload: [Self.country] + Self.provider + writer.bytes)
  }

  /// Reads the bytes of an RPU.
  ///
  /// - Returns: whether the container has an RPU.
  private static func read(
    _ bytes: inout [UInt8], of container: [UInt8]
  ) throws(BitstreamError) -> Bool {
    var reader = BitReader(container)
    // Neither `emdf_version` nor `key_id` matters here.
    try reader.skip(5)
    var kind = try reader.u(5)
    if kind == 31 { kind &+= try number(groups: 5, &reader) }
    guard kind == dolbyVision else { return false }
    // `smploffste`, `duratione`, `groupide` and `codecdatae` have to be 0. Otherwise more fields
    // follow, which Dolby Vision never uses.
    guard try reader.u(4) == 0 else { return false }
    // The flag `discard_unknown_payload` is for readers that do not know the content.
    try reader.skip(1)
    for _ in 0..<min(try number(groups: 8, &reader), UInt64(container.count)) {
      bytes.append(UInt8(truncatingIfNeeded: try reader.u(8)))
    }
    return true
  }

  /// Reads `variable_bits`: groups of bits, each followed by a bit that says whether there is
  /// another group.
  private static func number(
    groups width: Int, _ reader: inout BitReader
  ) throws(BitstreamError) -> UInt64 {
    var value: UInt64 = 0
    // Read at most 4 groups. A damaged file may have endless groups, and the number would overflow.
    for _ in 0..<4 {
      value &+= try reader.u(width)
      guard try reader.flag() else { break }
      value = (value &<< UInt64(width)) &+ (1 &<< UInt64(width))
    }
    return value
  }

  /// Writes `variable_bits`. Each further group adds 1 to the number in the groups before it.
  private static func write(_ value: UInt64, groups width: Int, to writer: inout BitWriter) {
    var (groups, rest) = ([UInt64](), value)
    let mask = (1 << UInt64(width)) - 1 as UInt64
    groups.append(rest & mask)
    while rest > mask {
      rest = (rest >> UInt64(width)) - 1
      groups.append(rest & mask)
    }
    for (index, group) in groups.reversed().enumerated() {
      writer.u(group, width)
      writer.flag(index < groups.count - 1)
    }
  }
}
