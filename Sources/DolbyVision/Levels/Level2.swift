// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 2: an adjustment (trim) of CM v2.9 for displays with a given peak. A neutral trim has 2048
/// in all fields except ``targetMaxPQ``.
package struct Level2: Hashable, Sendable {
  /// `target_max_PQ`, 12 bits: the display's peak in PQ. 2081 is 100 cd/m².
  package var targetMaxPQ: UInt16
  /// `trim_slope`, 12 bits.
  package var trimSlope: UInt16
  /// `trim_offset`, 12 bits.
  package var trimOffset: UInt16
  /// `trim_power`, 12 bits.
  package var trimPower: UInt16
  /// `trim_chroma_weight`, 12 bits.
  package var trimChromaWeight: UInt16
  /// `trim_saturation_gain`, 12 bits.
  package var trimSaturationGain: UInt16
  /// `ms_weight`, 13 bits with sign: −1 to 4095.
  package var msWeight: Int16

  /// Makes a trim. Fields that are left out are neutral.
  package init(
    targetMaxPQ: UInt16 = 2081, trimSlope: UInt16 = 2048, trimOffset: UInt16 = 2048,
    trimPower: UInt16 = 2048, trimChromaWeight: UInt16 = 2048, trimSaturationGain: UInt16 = 2048,
    msWeight: Int16 = 2048
  ) {
    self.targetMaxPQ = targetMaxPQ
    self.trimSlope = trimSlope
    self.trimOffset = trimOffset
    self.trimPower = trimPower
    self.trimChromaWeight = trimChromaWeight
    self.trimSaturationGain = trimSaturationGain
    self.msWeight = msWeight
  }
}

extension Level2: LevelSyntax {
  static var level: UInt8 { 2 }
  static var blank: Self { Self() }
  // Six numbers of 12 bits and one of 13 are 85 bits, rounded up to whole bytes.
  var length: Int { 11 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&targetMaxPQ, 12, "target_max_PQ")
    try coder.u(&trimSlope, 12, "trim_slope")
    try coder.u(&trimOffset, 12, "trim_offset")
    try coder.u(&trimPower, 12, "trim_power")
    try coder.u(&trimChromaWeight, 12, "trim_chroma_weight")
    try coder.u(&trimSaturationGain, 12, "trim_saturation_gain")
    try coder.u(&msWeight, 13, "ms_weight")
  }
}
