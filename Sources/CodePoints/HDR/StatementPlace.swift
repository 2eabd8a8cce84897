// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// A place that states HDR metadata of a track.
package enum StatementPlace: Hashable, Sendable {
  /// A box of the sample entry.
  case box(FourCC)
  /// The container's own place, where it has no sample entries.
  case container
  /// An SEI message, by its `payloadType`.
  case message(Int)
  /// The samples, each of which has a statement of its own.
  case samples
  /// The decoder, which has its statement from the bitstream.
  case decoder
  /// The attachments of a buffer that a program made.
  case buffer

  /// The SEI message that names the transfer function in the VUI's place (H.265, D.2.38).
  package static let preferredTransfer = Self.message(SEIPayloadType.preferredTransfer)

  /// True if the place is an SEI message.
  package var isMessage: Bool {
    if case .message = self { true } else { false }
  }
}

/// `payloadType` of SEI messages that are no static HDR metadata (H.264, D.1.1; H.265, D.2.1).
package enum SEIPayloadType {
  /// Picture timing.
  package static let pictureTiming = 1
  /// User data registered by Rec. ITU-T T.35, HDR10+ among it.
  package static let registeredUserData = 4
  /// Frame packing arrangement.
  package static let framePacking = 45
  /// Alternative transfer characteristics.
  package static let preferredTransfer = 147
}

extension StatementPlace: CustomStringConvertible {
  /// The place for people, and as JSON has it: `mdcv box`, `SEI 137`, `decoder`.
  package var description: String {
    switch self {
    case .box(let type): "\(type) box"
    case .message(let payloadType): "SEI \(payloadType)"
    case .container: "container"
    case .samples: "samples"
    case .decoder: "decoder"
    case .buffer: "buffer"
    }
  }
}
