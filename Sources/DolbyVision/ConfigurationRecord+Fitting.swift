// SPDX-License-Identifier: GPL-2.0-or-later
extension ConfigurationRecord {
  /// Makes the record of a single track from facts about its frames. The track's RPUs have profile
  /// 8. If an earlier record states a higher level than the frames need, only that level is copied
  /// from it.
  ///
  /// - Parameters:
  ///   - profile: 8, or 10 for AV1.
  ///   - baseLayerSignalCompatibilityID: 1 for HDR10, 2 for SDR, 4 for HLG.
  ///   - width: the coded width in pixels.
  ///   - height: the coded height in pixels.
  ///   - frameRate: frames per second.
  ///   - stated: the earlier record, if there was one.
  /// - Returns: `nil` if no level allows frames of this size at this rate.
  package init?(
    profile: UInt8 = 8, baseLayerSignalCompatibilityID: UInt8, width: Int, height: Int,
    frameRate: Double, stated: ConfigurationRecord?
  ) {
    self.init(
      profile: profile, baseLayerSignalCompatibilityID: baseLayerSignalCompatibilityID,
      width: width,
      height: height, frameRate: frameRate)
    // Only the level is kept, because records often contradict the RPUs beside them. A level is an
    // upper limit, so a level that is higher than necessary is still true.
    guard let stated, stated.rpuProfile == 8, Self.levels.contains(stated.level) else { return }
    level = max(level, stated.level)
  }

  /// Makes the record of a single track with RPUs of profile 5 or 7. In profile 5, the base layer
  /// is not compatible with anything. In profile 7, the enhancement layer is in the same samples as
  /// the base layer.
  ///
  /// - Parameters:
  ///   - rpuProfile: the profile of the RPUs.
  ///   - codecProfile: the profile that the codec's records state if the RPUs have profile 8. It is
  ///     8, or 10 for AV1.
  ///   - width: the coded width of the base layer in pixels.
  ///   - height: the coded height of the base layer in pixels.
  ///   - frameRate: frames per second.
  /// - Returns: `nil` if the RPUs have another profile, or if no level allows frames of this size
  ///   at this rate.
  package init?(
    rpuProfile: UInt8, codecProfile: UInt8, width: Int, height: Int, frameRate: Double
  ) {
    guard rpuProfile == 5 || rpuProfile == 7 else { return nil }
    let hasLayer = rpuProfile == 7
    self.init(
      profile: hasLayer || codecProfile == 8 ? rpuProfile : codecProfile,
      baseLayerSignalCompatibilityID: hasLayer ? Self.discCompatibilityID : 0, width: width,
      height: height, frameRate: frameRate)
    hasEnhancementLayer = hasLayer
  }

  /// `dv_md_compression`, or 0 if the record has the reserved value.
  package var usableCompression: UInt8 { metadataCompression == 2 ? 0 : metadataCompression }

  /// Returns the fields that are wrong for a track with RPUs of profile 8, each with its value in
  /// the record: `dv_level is 5`. The names are those of "Dolby Vision Streams Within the ISO Base
  /// Media File Format", 2.2.
  ///
  /// - Parameters:
  ///   - made: the record that was made from facts about the track's frames.
  ///   - isRateKnown: `false` if the frame rate that the level is based on is an estimate.
  package func faults(comparedTo made: ConfigurationRecord, isRateKnown: Bool) -> [String] {
    var faults: [String] = []
    func expect(_ name: String, _ found: UInt8, _ wanted: UInt8) {
      if found != wanted { faults.append("\(name) is \(found)") }
    }
    expect("dv_version_major", versionMajor, made.versionMajor)
    expect("dv_version_minor", versionMinor, made.versionMinor)
    // Profile 8 has its base layer and the RPUs in one track, and no enhancement layer.
    expect("rpu_present_flag", hasRPU ? 1 : 0, 1)
    expect("el_present_flag", hasEnhancementLayer ? 1 : 0, 0)
    expect("bl_present_flag", hasBaseLayer ? 1 : 0, 1)
    expect(
      "dv_bl_signal_compatibility_id", baseLayerSignalCompatibilityID,
      made.baseLayerSignalCompatibilityID)
    expect("dv_md_compression", metadataCompression, usableCompression)
    // If the rate is an estimate, every level that exists counts as right. A level that is higher
    // than needed counts as right, too, because `made` has copied it from this record.
    if isRateKnown || !Self.levels.contains(level) { expect("dv_level", level, made.level) }
    return faults
  }
}
