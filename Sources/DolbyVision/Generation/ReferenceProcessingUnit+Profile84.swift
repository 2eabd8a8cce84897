extension ReferenceProcessingUnit {
  /// The metadata of a frame of profile 8.4, for a base layer of HLG: the mapping that phones
  /// record with, and the blocks that libdovi generates (`vdr_dm_data.rs`, `from_generate_config`):
  /// levels 1, 5, 6, 9 (P3 with D65), 11 and 254 (CM v4.0.2), for a mastering display of 0.005 to
  /// 1000 cd/m².
  ///
  /// - Parameters:
  ///   - level1: the frame's brightness.
  ///   - isSceneRefresh: whether it is the first of its shot.
  ///   - activeArea: the active area; without offsets the whole frame.
  ///   - level6: static metadata; libdovi's default is 1000 and 0.0001 cd/m². Phones write none.
  ///   - level11: the kind of content. Phones write ``Level11/userGenerated``.
  package static func profile84(
    level1: Level1, isSceneRefresh: Bool, activeArea: Level5 = Level5(),
    level6: Level6? = Level6(
      maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1),
    level11: Level11 = .referenceCinema
  ) -> ReferenceProcessingUnit {
    var data = DisplayManagementData(color: ColorMetadata(sourceMinPQ: 62, sourceMaxPQ: 3079))
    data.isSceneRefresh = isSceneRefresh
    data.level1 = level1
    data.level5 = activeArea
    data.level6 = level6
    data.level9 = Level9(sourcePrimaryIndex: 0)
    data.level11 = level11
    return ReferenceProcessingUnit(mapping: .coded(.profile84), displayManagement: data)
  }
}
