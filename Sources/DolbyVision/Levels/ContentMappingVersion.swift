// SPDX-License-Identifier: GPL-2.0-or-later
/// The two groups of extension blocks, named after the version of content mapping (CM) that
/// introduced them.
package enum ContentMappingVersion: Hashable, Sendable, CustomStringConvertible {
  /// CM v2.9, the first group.
  case v29
  /// CM v4.0, the second group.
  case v40

  /// The levels that belong to the group (libdovi, `cmv29.rs` and `cmv40.rs`).
  package var levels: [UInt8] {
    // Newer levels are known to exist in the second group, but their syntax was not published. So
    // their blocks are kept as `ExtensionBlock.other`.
    switch self {
    case .v29: [1, 2, 4, 5, 6, 255]
    case .v40: [3, 8, 9, 10, 11, 254]
    }
  }

  /// Returns how many blocks of a level the group may have (libdovi, `validate` in `cmv29.rs` and
  /// `cmv40.rs`).
  func maximumCount(ofLevel level: UInt8) -> Int {
    switch level {
    case 2: 8
    case 8: 5
    case 10: 4
    default: 1
    }
  }

  /// `CM v2.9` or `CM v4.0`.
  package var description: String {
    switch self {
    case .v29: "CM v2.9"
    case .v40: "CM v4.0"
    }
  }
}
