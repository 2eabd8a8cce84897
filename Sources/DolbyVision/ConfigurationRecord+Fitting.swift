// SPDX-License-Identifier: GPL-2.0-or-later
extension ConfigurationRecord {
  /// The record of a single track of profile 8, made anew from facts about its frames. Of a record
  /// that was there before, nothing is taken but a level that is higher than the frames need, which
  /// may be stated.
  ///
  /// - Parameters:
  ///   - baseLayerSignalCompatibilityID: 1 for HDR10, 2 for SDR, 4 for HLG.
  ///   - width: coded samples of a row.
  ///   - height: coded rows.
  ///   - frameRate: frames per second.
  ///   - stated: the record that was there before; nil for none.
  /// - Returns: nil where no level allows the frame's size at its rate.
  package init?(
    baseLayerSignalCompatibilityID: UInt8, width: Int, height: Int, frameRate: Double,
    stated: ConfigurationRecord?
  ) {
    self.init(
      profile: 8, baseLayerSignalCompatibilityID: baseLayerSignalCompatibilityID, width: width,
      height: height, frameRate: frameRate)
    guard let stated, stated.profile == 8, Self.levels.contains(stated.level) else { return }
    level = max(level, stated.level)
  }

  /// A field that is not true.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// The field's name in "Dolby Vision Streams Within the ISO Base Media File Format", 2.2.
    package let name: String
    /// Value that the record states.
    package let value: UInt8

    /// Name and value: `dv_level is 5`.
    package var description: String { "\(name) is \(value)" }
  }

  /// Faults of a record: fields that are not true of a track of profile 8.
  ///
  /// - Parameters:
  ///   - made: the record that was made from facts about the track's frames.
  ///   - isRateKnown: true if its level is that of the frames' rate, and false if the rate is an
  ///     estimate.
  package func faults(comparedTo made: ConfigurationRecord, isRateKnown: Bool) -> [Fault] {
    var faults: [Fault] = []
    func expect(_ name: String, _ found: UInt8, _ wanted: UInt8) {
      if found != wanted { faults.append(Fault(name: name, value: found)) }
    }
    expect("dv_version_major", versionMajor, made.versionMajor)
    expect("dv_version_minor", versionMinor, made.versionMinor)
    expect("rpu_present_flag", hasRPU ? 1 : 0, 1)
    expect("el_present_flag", hasEnhancementLayer ? 1 : 0, 0)
    expect("bl_present_flag", hasBaseLayer ? 1 : 0, 1)
    expect(
      "dv_bl_signal_compatibility_id", baseLayerSignalCompatibilityID,
      made.baseLayerSignalCompatibilityID)
    expect("dv_md_compression", metadataCompression, 0)
    // A higher level than the frames need is in the record that was made.
    if isRateKnown || !Self.levels.contains(level) { expect("dv_level", level, made.level) }
    return faults
  }
}
