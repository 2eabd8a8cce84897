// SPDX-License-Identifier: GPL-2.0-or-later
/// The dynamic metadata of one frame, at most one value of each kind: the bytes that the bitstream
/// has, and what was read of them where they left it.
///
/// What changes no metadata writes the same bytes again. The kinds are those of
/// `DynamicHDRMetadataKind`.
package struct FrameMetadata: Sendable {
  /// The bytes, by the keys of the kinds.
  package private(set) var payloads: [String: [UInt8]] = [:]
  private var values: [String: any Sendable] = [:]

  /// Nothing.
  package init() {}

  /// The bytes alone, for places that hold the metadata of many frames.
  package var unread: FrameMetadata {
    var result = self
    result.values = [:]
    return result
  }

  /// The value of a kind; nil where there is none, or where nobody read the bytes yet.
  package func value(_ key: String) -> (any Sendable)? { values[key] }

  /// States metadata of a kind.
  ///
  /// - Parameters:
  ///   - payload: the bytes; nil for none.
  ///   - value: the value that they were read as; nil where nobody read them yet.
  package mutating func set(_ payload: [UInt8]?, _ value: (any Sendable)?, for key: String) {
    payloads[key] = payload
    values[key] = value
  }
}

extension FrameMetadata: Hashable {
  package static func == (one: FrameMetadata, other: FrameMetadata) -> Bool {
    one.payloads == other.payloads
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(payloads) }
}
