internal import DolbyVision
internal import ISOBMFF

extension ConfigurationRecord {
  /// Whether a track of two is the one that is nothing by itself. From 5 on but for 6 and 7, profiles
  /// have one layer (Dolby Vision Profiles and Levels, 2.1), and there it is a mistake.
  var isEnhancementLayer: Bool {
    !hasBaseLayer && profile <= 7 && profile != 5
  }
}

extension AssetTrack {
  /// What the track's box says of Dolby Vision.
  private var dolbyVisionRecord: ConfigurationRecord? {
    box?.sampleEntries.first?.dolbyVisionRecords.first?.record
  }

  /// Whether the track is an enhancement layer of Dolby Vision without its base layer, which another
  /// track holds.
  var isEnhancementLayer: Bool { dolbyVisionRecord?.isEnhancementLayer == true }

  /// Why pictures that could not be decoded could not be converted either; nil where nothing is known.
  var dolbyVisionObstacle: String? { dolbyVisionRecord.flatMap { DolbyVisionSource($0).obstacle } }
}
