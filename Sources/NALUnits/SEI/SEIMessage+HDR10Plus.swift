// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The light of a scene by HDR10+ (SMPTE ST 2094-40, version 1).
extension SEIMessage {
  /// The bytes that HDR10+ (SMPTE ST 2094-40) in registered user data begins with: country 0xB5,
  /// provider 0x003C, oriented code 1.
  package static let hdr10PlusPrefix: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01]

  /// The brightest of R, G and B in the scene, in cd/m²: the largest `maxscl` of the first window;
  /// nil in other messages, and where it is not stated.
  package var hdr10PlusPeak: Double? {
    guard isRegisteredUserData(Self.hdr10PlusPrefix) else { return nil }
    var reader = BitReader(payload)
    return try? Self.hdr10PlusPeak(&reader)
  }

  private static func hdr10PlusPeak(_ reader: inout BitReader) throws(BitstreamError) -> Double? {
    // Country, provider and its code, application identifier and version.
    _ = try reader.u(56)
    // Further windows are described before the light of the first.
    let windowCount = try reader.u(2)
    guard windowCount >= 1 else { return nil }
    for _ in 1..<max(windowCount, 1) {
      // Corners, center, angle, axes, and how the ellipse is laid over others.
      _ = try reader.u(64)
      _ = try reader.u(64)
      _ = try reader.u(25)
    }
    // Targeted display's peak; the actual peaks of its parts, 4 bits each.
    _ = try reader.u(27)
    if try reader.flag() {
      let (rows, columns) = (try reader.u(5), try reader.u(5))
      for _ in 0..<rows * columns { _ = try reader.u(4) }
    }
    var largest: UInt64 = 0
    for _ in 0..<3 { largest = max(largest, try reader.u(17)) }
    // In units of 0.1 cd/m², of which PQ holds 100 000.
    return largest > 0 ? Double(min(largest, 100_000)) / 10 : nil
  }
}
