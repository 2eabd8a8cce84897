// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// A place where a track's HDR metadata can be.
package enum StatementPlace: Hashable, Sendable {
  /// A box of the sample entry.
  case box(FourCC)

  // Matroska's Colour element, for example, belongs to the track and not to a sample entry.
  /// A place in the container itself, for containers without sample entries.
  case container
  /// An SEI message, by its `payloadType`.
  case message(Int)
  /// A metadata unit of AV1, by its `metadata_type`.
  case metadataOBU(Int)
  /// The samples, each with its own metadata.
  case samples
  /// The decoder, which reads the bitstream.
  case decoder
  /// The attachments of a buffer that a program made.
  case buffer

  /// The SEI message that replaces the transfer function of the VUI (H.265, D.2.38).
  package static let preferredTransfer = Self.message(SEIPayloadType.preferredTransfer)

  /// Whether the place is a message in the bitstream.
  package var isMessage: Bool {
    switch self {
    case .message, .metadataOBU: true
    case .box, .container, .samples, .decoder, .buffer: false
    }
  }
}

/// The `payloadType` of SEI messages other than static HDR metadata (H.264, D.1.1; H.265, D.2.1).
package enum SEIPayloadType {
  /// When and how a frame is shown: picture timing.
  package static let pictureTiming = 1
  /// User data registered by Rec. ITU-T T.35, such as HDR10+.
  package static let registeredUserData = 4
  /// Where decoding can begin without a random access picture: recovery point.
  package static let recoveryPoint = 6
  /// Both eyes in one frame or in alternating frames: frame packing arrangement.
  package static let framePacking = 45
  /// Film grain characteristics.
  package static let filmGrain = 19
  /// A transfer function to prefer: alternative transfer characteristics.
  package static let preferredTransfer = 147
}

extension StatementPlace: CustomStringConvertible {
  /// The place as text for people and in JSON: `mdcv box`, `SEI 137`, `decoder`.
  package var description: String {
    switch self {
    case .box(let type): "\(type) box"
    case .message(let payloadType): "SEI \(payloadType)"
    case .metadataOBU(let type): "metadata OBU \(type)"
    case .container: "container"
    case .samples: "samples"
    case .decoder: "decoder"
    case .buffer: "buffer"
    }
  }
}
