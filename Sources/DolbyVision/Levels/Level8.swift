// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 8: an adjustment (trim) of CM v4.0 for one display. A neutral trim has 2048 in its 12-bit
/// fields and 128 in its vector fields.
package struct Level8: Hashable, Sendable {
  /// `target_display_index`: one of the displays that Dolby has numbered, or a display of level 10.
  package var targetDisplayIndex: UInt8
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
  /// `ms_weight`, 12 bits.
  package var msWeight: UInt16
  /// `target_mid_contrast`, 12 bits.
  package var targetMidContrast: UInt16?
  /// `clip_trim`, 12 bits.
  package var clipTrim: UInt16?
  /// `saturation_vector_field`: 6 numbers, or none.
  package var saturationVectorField: [UInt8]
  /// `hue_vector_field`: 6 numbers, or none.
  package var hueVectorField: [UInt8]

  /// Makes a trim. Fields that are left out are neutral or absent.
  package init(
    targetDisplayIndex: UInt8 = 1, trimSlope: UInt16 = 2048, trimOffset: UInt16 = 2048,
    trimPower: UInt16 = 2048, trimChromaWeight: UInt16 = 2048, trimSaturationGain: UInt16 = 2048,
    msWeight: UInt16 = 2048, targetMidContrast: UInt16? = nil, clipTrim: UInt16? = nil,
    saturationVectorField: [UInt8] = [], hueVectorField: [UInt8] = []
  ) {
    self.targetDisplayIndex = targetDisplayIndex
    self.trimSlope = trimSlope
    self.trimOffset = trimOffset
    self.trimPower = trimPower
    self.trimChromaWeight = trimChromaWeight
    self.trimSaturationGain = trimSaturationGain
    self.msWeight = msWeight
    self.targetMidContrast = targetMidContrast
    self.clipTrim = clipTrim
    self.saturationVectorField = saturationVectorField
    self.hueVectorField = hueVectorField
  }
}

extension Level8: LevelSyntax {
  static var level: UInt8 { 8 }
  static var blank: Self { Self() }

  var length: Int {
    // A block has 10, 12, 13, 19 or 25 bytes, and each optional field needs those before it
    // (libdovi, `blocks/level8.rs`; FFmpeg, `dovi_rpudec.c`).
    if !hueVectorField.isEmpty { return 25 }
    if !saturationVectorField.isEmpty { return 19 }
    if clipTrim != nil { return 13 }
    return targetMidContrast != nil ? 12 : 10
  }

  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError) {
    try coder.u(&targetDisplayIndex, 8, "target_display_index")
    try coder.u(&trimSlope, 12, "trim_slope")
    try coder.u(&trimOffset, 12, "trim_offset")
    try coder.u(&trimPower, 12, "trim_power")
    try coder.u(&trimChromaWeight, 12, "trim_chroma_weight")
    try coder.u(&trimSaturationGain, 12, "trim_saturation_gain")
    try coder.u(&msWeight, 12, "ms_weight")
    // Only the length says which fields follow. `clip_trim` starts in the last four bits of byte
    // 12, which are still free, so it needs just one more byte.
    try coder.optional(&targetMidContrast, 12, "target_mid_contrast", isPresent: length >= 12)
    try coder.optional(&clipTrim, 12, "clip_trim", isPresent: length >= 13)
    try coder.list(
      &saturationVectorField, of: length >= 19 ? 6 : 0, bits: 8, "saturation_vector_field")
    try coder.list(&hueVectorField, of: length >= 25 ? 6 : 0, bits: 8, "hue_vector_field")
  }
}
