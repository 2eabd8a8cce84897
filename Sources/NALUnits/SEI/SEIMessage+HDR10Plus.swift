// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The peak of a scene in HDR10+ metadata (SMPTE ST 2094-40, version 1).
extension SEIMessage {
  /// The first bytes of HDR10+ in registered user data: country 0xB5, provider 0x003C, oriented
  /// code 1.
  package static let hdr10PlusPrefix: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01]

  /// The largest value of R, G or B in the scene, in cd/m². `nil` for other messages, and if the
  /// message does not state it.
  package var hdr10PlusPeak: Double? {
    guard isRegisteredUserData(Self.hdr10PlusPrefix) else { return nil }
    var reader = BitReader(payload)
    return try? Self.hdr10PlusPeak(&reader)
  }

  private static func hdr10PlusPeak(_ reader: inout BitReader) throws(BitstreamError) -> Double? {
    // Country, provider and its code, application identifier and version.
    _ = try reader.u(56)
    // The message describes all further windows before the light of the first.
    let windowCount = try reader.u(2)
    guard windowCount >= 1 else { return nil }
    for _ in 1..<max(windowCount, 1) {
      // Corners, center, angle, axes, and how the ellipse overlaps others: 153 bits a window.
      _ = try reader.u(64)
      _ = try reader.u(64)
      _ = try reader.u(25)
    }
    // The target display's peak, then the actual peaks of its parts with 4 bits each.
    _ = try reader.u(27)
    if try reader.flag() {
      let (rows, columns) = (try reader.u(5), try reader.u(5))
      for _ in 0..<rows * columns { _ = try reader.u(4) }
    }
    var largest: UInt64 = 0
    for _ in 0..<3 { largest = max(largest, try reader.u(17)) }
    // `maxscl` is in units of 0.1 cd/m². PQ ends at 10 000 cd/m², and 0 means that it is not known.
    return largest > 0 ? Double(min(largest, 100_000)) / 10 : nil
  }
}
