internal import DolbyVision
internal import ISOBMFF

extension AssetTrack {
  /// What the track's box says of Dolby Vision.
  private var dolbyVisionRecord: ConfigurationRecord? {
    box?.sampleEntries.first?.dolbyVisionRecords.first?.record
  }

  /// True if the track is an enhancement layer of Dolby Vision without its base layer, which
  /// another track holds.
  package var isEnhancementLayer: Bool { dolbyVisionRecord?.isEnhancementLayer == true }

  /// Why frames that could not be decoded could not be converted either; nil where nothing is
  /// known.
  package var dolbyVisionObstacle: DolbyVisionSource.Obstacle? {
    dolbyVisionRecord.flatMap { DolbyVisionSource($0).obstacle }
  }
}
