// SPDX-License-Identifier: GPL-2.0-or-later
extension DisplayManagementData {
  /// Whether the frame is the first of a shot, according to `scene_refresh_flag`.
  package var isSceneRefresh: Bool {
    get { sceneRefreshFlag != 0 }
    set { sceneRefreshFlag = newValue ? 1 : 0 }
  }

  /// The first block of level 1. Setting it replaces all blocks of this level; `nil` removes them.
  /// The other levels work the same way, except that level 254 cannot be set.
  package var level1: Level1? {
    get { first { if case .level1(let block) = $0 { block } else { nil } } }
    set { replace(level: 1, with: newValue.map(ExtensionBlock.level1), in: .v29) }
  }

  /// The first block of level 3.
  package var level3: Level3? {
    get { first { if case .level3(let block) = $0 { block } else { nil } } }
    set { replace(level: 3, with: newValue.map(ExtensionBlock.level3), in: .v40) }
  }

  /// The first block of level 4.
  package var level4: Level4? {
    get { first { if case .level4(let block) = $0 { block } else { nil } } }
    set { replace(level: 4, with: newValue.map(ExtensionBlock.level4), in: .v29) }
  }

  /// The first block of level 5.
  package var level5: Level5? {
    get { first { if case .level5(let block) = $0 { block } else { nil } } }
    set { replace(level: 5, with: newValue.map(ExtensionBlock.level5), in: .v29) }
  }

  /// The first block of level 6.
  package var level6: Level6? {
    get { first { if case .level6(let block) = $0 { block } else { nil } } }
    set { replace(level: 6, with: newValue.map(ExtensionBlock.level6), in: .v29) }
  }

  /// The first block of level 9.
  package var level9: Level9? {
    get { first { if case .level9(let block) = $0 { block } else { nil } } }
    set { replace(level: 9, with: newValue.map(ExtensionBlock.level9), in: .v40) }
  }

  /// The first block of level 11.
  package var level11: Level11? {
    get { first { if case .level11(let block) = $0 { block } else { nil } } }
    set { replace(level: 11, with: newValue.map(ExtensionBlock.level11), in: .v40) }
  }

  /// The first block of level 254.
  package var level254: Level254? {
    first { if case .level254(let block) = $0 { block } else { nil } }
  }

  /// Sets level 1 to measured brightness, within libdovi's limits. See
  /// ``Level1/init(measuredMinPQ:maxPQ:avgPQ:minimumAverage:)``.
  ///
  /// - Parameter minimumAverage: the smallest average, or `nil` for
  ///   ``ContentMappingVersion/minimumAveragePQ`` of the blocks' version.
  package mutating func setLevel1(
    minPQ: UInt16, maxPQ: UInt16, avgPQ: UInt16, minimumAverage: UInt16? = nil
  ) {
    level1 = Level1(
      measuredMinPQ: minPQ, maxPQ: maxPQ, avgPQ: avgPQ,
      minimumAverage: minimumAverage ?? version.minimumAveragePQ)
  }

  /// Sets level 5 to an active area.
  package mutating func setActiveArea(_ area: Level5) {
    // Without level 5, the active area is the whole frame. So do not add level 5 just to say that.
    level5 = area.isWholePicture && level5 == nil ? nil : area
  }

  private func first<Content>(_ content: (ExtensionBlock) -> Content?) -> Content? {
    blocks.lazy.compactMap(content).first
  }

  /// Replaces the blocks of a level in the group that it belongs to.
  private mutating func replace(
    level: UInt8, with block: ExtensionBlock?, in version: ContentMappingVersion
  ) {
    switch version {
    case .v29: cmv29.replace(level: level, with: block)
    case .v40:
      // CM v4.0 needs exactly one block of level 254, so it is added together with the first block
      // of the group.
      if block != nil, cmv40 == nil { cmv40 = ExtensionBlockGroup([.level254(Level254())]) }
      cmv40?.replace(level: level, with: block)
    }
  }
}
