// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 254: the version of CM v4.0.
package struct Level254: Hashable, Sendable {
  // Every group of CM v4.0 has exactly one such block: `issues` and editing see to it.

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
