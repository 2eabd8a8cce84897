// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import DolbyVision
internal import LibAV

extension HDRMetadataPlan {
  /// Returns notices about a track that is copied as it is, if level 6 of its RPUs differs from the
  /// values that the settings ask for.
  package func conflicts(withRPUsOf track: AssetTrack) -> [Notice] {
    guard let old = track.video?.hdrMetadata.dolbyVisionRPU?.displayManagement?.level6 else {
      return []
    }
    let place = "level 6 of the RPUs in track \(track.demuxed.id)"
    var (notices, new) = ([Notice](), old)
    if let statedLevels { new.state(statedLevels) }
    // Levels of 0 are unknown, so they contradict nothing.
    if new != old, old.contentLightLevel != Level6.unknownLevels {
      let levels = statedLevels.flatMap { $0 == Level6.unknownLevels ? nil : $0.text }
      let text = measuresContentLightLevel ? "the measured value" : levels ?? "no statement"
      notices.append(
        .hdrMetadataConflict(
          .init(ContentLightLevel.self), text,
          not: "\(old.contentLightLevel.text) (\(place))", because: nil))
    }
    new = old
    if let statedDisplay { new.state(statedDisplay) }
    if new != old {
      notices.append(
        .hdrMetadataConflict(
          .init(MasteringDisplayColorVolume.self), statedDisplay?.text ?? "nothing",
          not: "\(old.minimumLuminance)…\(old.maxDisplayMasteringLuminance) cd/m² (\(place))",
          because: nil))
    }
    return notices
  }

  /// The light levels for level 6: those that the settings state, or those that were measured; 0
  /// (unknown) if the source's must not be repeated; `nil` to keep the source's.
  var statedLevels: ContentLightLevel? {
    guard statedKinds.contains(.init(ContentLightLevel.self)) else {
      return hasUnknownLevels ? Level6.unknownLevels : nil
    }
    // If all frames are black, the output states no levels, and those of the source are wrong. So
    // level 6 gets 0, which means "unknown".
    return staticMetadata.contentLightLevel ?? Level6.unknownLevels
  }

  /// The display that the settings state for level 6, if level 6 can state it.
  var statedDisplay: MasteringDisplayColorVolume? {
    guard statedKinds.contains(.init(MasteringDisplayColorVolume.self)),
      let display = staticMetadata.masteringDisplay, display.isOfLevel6
    else { return nil }
    return display
  }
}

extension DolbyVisionRPU {
  /// The RPU without the light levels in level 6, which are no longer true once frames are cropped.
  package var withoutLightLevels: DolbyVisionRPU {
    guard let old = unit?.displayManagement?.level6,
      old.contentLightLevel != Level6.unknownLevels
    else { return self }
    return changed { $0.level6?.state(Level6.unknownLevels) }
  }
}

extension Level6 {
  /// Light levels that say nothing.
  static let unknownLevels = ContentLightLevel(
    maxContentLightLevel: 0, maxPicAverageLightLevel: 0)

  fileprivate var contentLightLevel: ContentLightLevel {
    ContentLightLevel(
      maxContentLightLevel: maxContentLightLevel,
      maxPicAverageLightLevel: maxFrameAverageLightLevel)
  }

  /// Sets the luminances to those of a mastering display.
  mutating func state(_ display: MasteringDisplayColorVolume) {
    maxDisplayMasteringLuminance = UInt16(clamping: Int(display.maximumLuminance))
    minDisplayMasteringLuminance = UInt16(clamping: display.minDisplayMasteringLuminance)
  }

  /// Sets the light levels. If they cannot be true, both become 0, which means "unknown".
  mutating func state(_ levels: ContentLightLevel) {
    let known = levels.faults.isEmpty
    maxContentLightLevel = known ? levels.maxContentLightLevel : 0
    maxFrameAverageLightLevel = known ? levels.maxPicAverageLightLevel : 0
  }
}

extension MasteringDisplayColorVolume {
  /// Whether level 6 can state the luminances: a display can have them (H.265, D.3.28), and the
  /// minimum is at most 1 cd/m².
  var isOfLevel6: Bool {
    (50_000...100_000_000).contains(maxDisplayMasteringLuminance)
      && minDisplayMasteringLuminance <= 10_000
  }
}
