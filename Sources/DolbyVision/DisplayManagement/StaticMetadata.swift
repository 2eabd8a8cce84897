// SPDX-License-Identifier: GPL-2.0-or-later
/// The metadata for displays that compressed units leave out: the static part and the static
/// blocks. Those of an earlier unit apply instead.
package struct StaticMetadata: Hashable, Sendable {
  // FFmpeg's `dovi_rpu` filter leaves out these levels, always together with the static part. The
  // syntax of level 32 was not published.
  /// The levels of static blocks.
  static let levels: Set<UInt8> = [6, 10, 32, 254, 255]

  var color: ColorMetadata
  /// The static blocks of CM v2.9.
  var cmv29: [ExtensionBlock]
  /// The static blocks of CM v4.0.
  var cmv40: [ExtensionBlock]

  /// The static part, and of the blocks only level 254, without which CM v4.0 is not valid.
  package var withoutOtherBlocks: StaticMetadata {
    StaticMetadata(color: color, cmv29: [], cmv40: cmv40.filter { $0.level == 254 })
  }
}

extension DisplayManagementData {
  /// What later units may leave out; `nil` if this unit is compressed itself.
  package var staticMetadata: StaticMetadata? {
    color.map {
      StaticMetadata(
        color: $0, cmv29: cmv29.staticBlocks, cmv40: cmv40.map(\.staticBlocks) ?? [])
    }
  }

  /// Adds what a compressed unit leaves out. The header has to state that the unit is whole.
  package mutating func complete(with known: StaticMetadata) {
    color = known.color
    cmv29.add(known.cmv29)
    // If all blocks of CM v4.0 are static, the whole group is left out.
    var group = cmv40 ?? ExtensionBlockGroup()
    group.add(known.cmv40)
    if !group.blocks.isEmpty { cmv40 = group }
  }
}

extension ExtensionBlockGroup {
  fileprivate var staticBlocks: [ExtensionBlock] {
    blocks.filter { StaticMetadata.levels.contains($0.level) }
  }

  /// Adds the blocks of levels that the group lacks.
  fileprivate mutating func add(_ known: [ExtensionBlock]) {
    let levels = Set(blocks.map(\.level))
    let missing = known.filter { !levels.contains($0.level) }
    guard !missing.isEmpty else { return }
    // FFmpeg's units have their static blocks first.
    blocks = missing + blocks
    // Alignment bits other than 0 could only have a meaning for the old blocks.
    alignmentBits = 0
  }
}
