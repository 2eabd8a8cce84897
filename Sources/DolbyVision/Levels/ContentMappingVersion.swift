// SPDX-License-Identifier: GPL-2.0-or-later
/// The two groups of extension blocks, named after the version of content mapping (CM) that brought
/// them.
package enum ContentMappingVersion: Hashable, Sendable, CustomStringConvertible {
  /// CM v2.9, the first group.
  case v29
  /// CM v4.0, the second group.
  case v40

  /// The levels that a group has (libdovi, `cmv29.rs` and `cmv40.rs`). Newer levels are known to
  /// exist in the second, but their syntax was not published.
  package var levels: [UInt8] {
    switch self {
    case .v29: [1, 2, 4, 5, 6, 255]
    case .v40: [3, 8, 9, 10, 11, 254]
    }
  }

  /// How many blocks of a level a group may have (libdovi, `validate` in the same files).
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

/// Level 254: the version of CM v4.0. It is there wherever the second group is.
package struct Level254: Hashable, Sendable {
  /// `dm_mode`.
  package var dmMode: UInt8
  /// `dm_version_index`: 2 for CM v4.0.2.
  package var dmVersionIndex: UInt8

  /// A version; CM v4.0.2 where nothing is said.
  package init(dmMode: UInt8 = 0, dmVersionIndex: UInt8 = 2) {
    self.dmMode = dmMode
    self.dmVersionIndex = dmVersionIndex
  }
}

extension Level254: LevelSyntax {
  static var level: UInt8 { 254 }
  static var blank: Self { Self() }
  var length: Int { 2 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&dmMode, 8, "dm_mode")
    try coder.u(&dmVersionIndex, 8, "dm_version_index")
  }
}

/// Level 255: how a display runs, for debugging.
package struct Level255: Hashable, Sendable {
  /// `dm_run_mode`.
  package var dmRunMode: UInt8
  /// `dm_run_version`.
  package var dmRunVersion: UInt8
  /// `dm_debug0` to `dm_debug3`: 4 numbers.
  package var dmDebug: [UInt8]

  /// A mode.
  package init(dmRunMode: UInt8 = 0, dmRunVersion: UInt8 = 0, dmDebug: [UInt8] = [0, 0, 0, 0]) {
    self.dmRunMode = dmRunMode
    self.dmRunVersion = dmRunVersion
    self.dmDebug = dmDebug
  }
}

extension Level255: LevelSyntax {
  static var level: UInt8 { 255 }
  static var blank: Self { Self() }
  var length: Int { 6 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&dmRunMode, 8, "dm_run_mode")
    try coder.u(&dmRunVersion, 8, "dm_run_version")
    try coder.list(&dmDebug, of: 4, bits: 8, "dm_debug")
  }
}
