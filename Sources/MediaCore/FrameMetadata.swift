// SPDX-License-Identifier: GPL-2.0-or-later
/// The dynamic metadata of one frame, at most one value of each `DynamicHDRMetadataKind`: its bytes
/// in the bitstream, and what they were parsed as.
///
/// Metadata that nobody changes is written again byte for byte.
package struct FrameMetadata: Sendable {
  /// The bytes, by the keys of the kinds.
  package private(set) var payloads: [String: [UInt8]] = [:]
  private var values: [String: any Sendable] = [:]

  package init() {}

  /// The bytes without the parsed values, to hold the metadata of many frames in less memory.
  package var unread: FrameMetadata {
    var result = self
    result.values = [:]
    return result
  }

  /// Returns the parsed value of a kind; `nil` if there is none or nobody has parsed the bytes yet.
  package func value(_ key: String) -> (any Sendable)? { values[key] }

  /// Sets the metadata of a kind.
  ///
  /// - Parameters:
  ///   - payload: the bytes; `nil` removes them.
  ///   - value: what the bytes were parsed as; `nil` if nobody has parsed them yet.
  package mutating func set(_ payload: [UInt8]?, _ value: (any Sendable)?, for key: String) {
    payloads[key] = payload
    values[key] = value
  }
}

extension FrameMetadata: Hashable {
  package static func == (one: FrameMetadata, other: FrameMetadata) -> Bool {
    // The values are what the bytes mean, parsed or not, so the bytes alone decide.
    one.payloads == other.payloads
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(payloads) }
}
