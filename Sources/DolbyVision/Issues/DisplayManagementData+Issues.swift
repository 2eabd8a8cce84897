// SPDX-License-Identifier: GPL-2.0-or-later
extension DisplayManagementData {
  /// The fields that are not valid.
  var issues: [String] {
    var issues: [String] = []
    issues.check("affected_dm_metadata_id", affectedDMMetadataID, in: 0...15)
    // No published text says what it would mean if the two IDs differed, and FFmpeg refuses such
    // units.
    issues.check(
      "current_dm_metadata_id", currentDMMetadataID, in: affectedDMMetadataID...affectedDMMetadataID
    )
    issues.check("scene_refresh_flag", sceneRefreshFlag, in: 0...1)
    if let color { issues += color.issues }
    issues += cmv29.issues(.v29)
    if let cmv40 {
      issues += cmv40.issues(.v40)
      // Compressed metadata leaves out this block, too.
      issues.check(
        "number of level 254 blocks", cmv40.blocks(ofLevel: 254).count,
        in: (color == nil ? 0 : 1)...1)
    }
    return issues
  }
}

extension ColorMetadata {
  /// The fields that are not valid.
  var issues: [String] {
    var issues: [String] = []
    issues.check("signal_bit_depth", signalBitDepth, in: 8...16)
    // The three parameters describe curves other than PQ. If all are 0, only PQ (65535) makes
    // sense.
    if signalEOTFParam0 == 0, signalEOTFParam1 == 0, signalEOTFParam2 == 0 {
      issues.check("signal_eotf", signalEOTF, in: 65535...65535)
    }
    issues.check(
      sourceMinPQ < sourceMaxPQ, "source_max_PQ", sourceMaxPQ,
      "more than source_min_PQ, \(sourceMinPQ)")
    return issues
  }
}

extension ExtensionBlockGroup {
  /// Returns the fields that are not valid in the group of the given version.
  func issues(_ version: ContentMappingVersion) -> [String] {
    var issues: [String] = []
    issues.check("dm_alignment_zero_bit (\(version))", alignmentBits, in: 0...0)
    for level in version.levels {
      issues.check(
        "number of level \(level) blocks", blocks(ofLevel: level).count,
        in: 0...version.maximumCount(ofLevel: level))
    }
    return blocks.reduce(into: issues) { $0 += $1.issues(version) }
  }
}
