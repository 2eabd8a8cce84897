// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// The name of user data registered by ITU-T T.35, from the bytes that identify it: the country,
/// the provider, and the provider's own code.
package struct RegisteredUserData: Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the user data describes light or color.
  package let isHDRMetadata: Bool

  /// - Parameter payload: the whole payload of the SEI message.
  package init(payload: [UInt8]) {
    let known = Self.known.first { payload.starts(with: $0.beginning) }
    description = known?.name ?? "T.35 \(Self.hexadecimal(payload.prefix(Self.codeLength)))"
    // User data that is not known might matter, so it counts as HDR metadata.
    isHDRMetadata = known?.isHDRMetadata ?? true
  }

  /// The number of bytes that name unknown user data: the country, the provider and two bytes of
  /// the provider's code.
  private static let codeLength = 5

  /// The formats that are known by name. Their codes are from ATSC A/53 (captions, active format
  /// description), SMPTE ST 2094-40, SMPTE ST 2094-50, ETSI TS 103 572 (Dolby), ETSI TS 103 433-1
  /// (SL-HDR) and T/UWA 005.1 (HDR Vivid).
  private static let known: [(beginning: [UInt8], name: String, isHDRMetadata: Bool)] = [
    ([0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34], "ATSC A/53 captions", false),
    ([0xB5, 0x00, 0x31, 0x44, 0x54, 0x47, 0x31], "active format description", false),
    ([0xB5, 0x00, 0x3C, 0x00, 0x01], "SMPTE ST 2094-40", true),
    ([0xB5, 0x00, 0x90, 0x00, 0x01], "SMPTE ST 2094-50", true),
    ([0xB5, 0x00, 0x3B], "Dolby", true),
    ([0xB5, 0x00, 0x3A], "SL-HDR", true),
    ([0x26, 0x00, 0x04, 0x00, 0x05], "HDR Vivid", true),
  ]

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: " ")
  }
}

extension SEIMessage {
  /// The name of registered user data; `nil` for other messages.
  package var registeredUserData: RegisteredUserData? {
    payloadType == SEIPayloadType.registeredUserData ? RegisteredUserData(payload: payload) : nil
  }
}
