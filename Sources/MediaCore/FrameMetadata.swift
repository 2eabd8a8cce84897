// SPDX-License-Identifier: GPL-2.0-or-later
/// The dynamic metadata of one frame. For each `DynamicHDRMetadataKind` there is at most one value:
/// its bytes in the bitstream, and the result of parsing them.
///
/// Metadata that nobody changes is written again byte for byte.
package struct FrameMetadata: Sendable {
  /// The bytes, by the keys of the kinds.
  package private(set) var payloads: [String: [UInt8]] = [:]
  private var values: [String: any Sendable] = [:]

  package init() {}

  /// The same metadata without the parsed values, so that many frames take less memory.
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
  ///   - value: the result of parsing the bytes; `nil` if nobody has parsed them yet.
  package mutating func set(_ payload: [UInt8]?, _ value: (any Sendable)?, for key: String) {
    payloads[key] = payload
    values[key] = value
  }
}

extension Equatable {
  /// Returns the other value if it is equal to this one, so that memory holds the value only once.
  /// The frames of a shot often have the same metadata, which is then shared by all of them.
  package func shared(with other: Self?) -> Self { self == other ? other ?? self : self }
}

extension FrameMetadata: Hashable {
  package static func == (one: FrameMetadata, other: FrameMetadata) -> Bool {
    // The values follow from the bytes, so comparing the bytes is enough.
    one.payloads == other.payloads
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(payloads) }
}
