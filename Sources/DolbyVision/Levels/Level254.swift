// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 254: the exact version of CM v4.0, such as v4.0.2.
package struct Level254: Hashable, Sendable {
  // The blocks of CM v4.0 must include exactly one block of level 254. `issues` checks this rule,
  // and editing other levels does not break it.

  package var dmMode: UInt8
  /// `dm_version_index`: 2 for CM v4.0.2.
  package var dmVersionIndex: UInt8

  /// Makes a version; CM v4.0.2 by default.
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

/// Level 255: modes of a display, for debugging.
package struct Level255: Hashable, Sendable {
  package var dmRunMode: UInt8
  package var dmRunVersion: UInt8
  /// `dm_debug0` to `dm_debug3`: 4 numbers.
  package var dmDebug: [UInt8]

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
