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

  /// True if the place is an SEI message.
  package var isMessage: Bool {
    if case .message = self { true } else { false }
  }
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
