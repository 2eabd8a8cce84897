// SPDX-License-Identifier: GPL-2.0-or-later
/// Level 6: static metadata (SMPTE ST 2086, CTA-861.3) for displays that show HDR10.
package struct Level6: Hashable, Sendable {
  /// `max_display_mastering_luminance` in cd/m².
  package var maxDisplayMasteringLuminance: UInt16
  /// `min_display_mastering_luminance` in units of 0.0001 cd/m².
  package var minDisplayMasteringLuminance: UInt16
  /// `max_content_light_level` in cd/m²; 0 for unknown.
  package var maxContentLightLevel: UInt16
  /// `max_frame_average_light_level` in cd/m²; 0 for unknown.
  package var maxFrameAverageLightLevel: UInt16

  /// Makes the level from its fields, in their units.
  package init(
    maxDisplayMasteringLuminance: UInt16, minDisplayMasteringLuminance: UInt16,
    maxContentLightLevel: UInt16 = 0, maxFrameAverageLightLevel: UInt16 = 0
  ) {
    self.maxDisplayMasteringLuminance = maxDisplayMasteringLuminance
    self.minDisplayMasteringLuminance = minDisplayMasteringLuminance
    self.maxContentLightLevel = maxContentLightLevel
    self.maxFrameAverageLightLevel = maxFrameAverageLightLevel
  }

  // The peak is in whole cd/m² already, but the black level has a different unit.
  /// The black level of the mastering display in cd/m².
  package var minimumLuminance: Double { Double(minDisplayMasteringLuminance) / 10_000 }
}

extension Level6: LevelSyntax {
  static var level: UInt8 { 6 }
  static var blank: Self {
    Self(maxDisplayMasteringLuminance: 0, minDisplayMasteringLuminance: 0)
  }
  var length: Int { 8 }

  mutating func code(_ coder: inout some SyntaxCoder, length _: Int) throws(DolbyVisionError) {
    try coder.u(&maxDisplayMasteringLuminance, 16, "max_display_mastering_luminance")
    try coder.u(&minDisplayMasteringLuminance, 16, "min_display_mastering_luminance")
    try coder.u(&maxContentLightLevel, 16, "max_content_light_level")
    try coder.u(&maxFrameAverageLightLevel, 16, "max_frame_average_light_level")
  }
}
