// SPDX-License-Identifier: GPL-2.0-or-later
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
