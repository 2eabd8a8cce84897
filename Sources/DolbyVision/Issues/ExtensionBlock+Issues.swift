// SPDX-License-Identifier: GPL-2.0-or-later
extension ExtensionBlock {
  /// Returns the fields that are not valid in a block of the given version.
  func issues(_ version: ContentMappingVersion) -> [String] {
    var issues: [String] = []
    switch self {
    case .level1(let block): block.check(&issues)
    case .level2(let block): issues.check("level 2 ms_weight", block.msWeight, in: -1...4095)
    case .level6(let block): block.check(&issues)
    case .level9(let block):
      Self.check(&issues, "level 9 source_primary_index", block.sourcePrimaryIndex, block.primaries)
    case .level10(let block):
      Self.check(
        &issues, "level 10 target_primary_index", block.targetPrimaryIndex, block.primaries)
      issues.check(
        !Level10.presetDisplays.contains(block.targetDisplayIndex),
        "level 10 target_display_index", block.targetDisplayIndex,
        "a number that no predefined display has")
    case .level11(let block): block.check(&issues)
    case .other(let level, let payload):
      let known = ContentMappingVersion.v29.levels + ContentMappingVersion.v40.levels
      // An unknown level may be newer than this code, so it is not a fault.
      guard known.contains(level) else { break }
      issues.append(
        version.levels.contains(level)
          ? "the block of level \(level) cannot be read: it has \(payload.count) bytes"
          : "level \(level) is among the blocks of \(version), which has no such level")
    case .level3, .level4, .level5, .level8, .level254, .level255: break
    }
    return issues
  }

  /// Checks that the index is 255 if, and only if, the block itself has primaries.
  private static func check(
    _ issues: inout [String], _ element: String, _ index: UInt8, _ primaries: DisplayPrimaries?
  ) {
    let expected = primaries == nil ? "the index of known primaries" : "255"
    issues.check((index == 255) == (primaries != nil), element, index, expected)
    guard let primaries else { return }
    // Some primaries, such as those of ACES, have coordinates of 0 or below. The coordinates of a
    // valid white point are positive.
    issues.check(
      primaries.coordinates.suffix(2).allSatisfy { $0 > 0 }, "\(element) (white)", "0 or less",
      "more than 0")
  }
}

extension Level1 {
  fileprivate func check(_ issues: inout [String]) {
    issues.check(minPQ <= avgPQ, "level 1 avg_PQ", avgPQ, "at least min_PQ, \(minPQ)")
    issues.check(avgPQ <= maxPQ, "level 1 max_PQ", maxPQ, "at least avg_PQ, \(avgPQ)")
  }
}

extension Level6 {
  fileprivate func check(_ issues: inout [String]) {
    for (element, value) in [
      ("max_display_mastering_luminance", maxDisplayMasteringLuminance),
      ("min_display_mastering_luminance", minDisplayMasteringLuminance),
      ("max_content_light_level", maxContentLightLevel),
      ("max_frame_average_light_level", maxFrameAverageLightLevel),
    ] {
      issues.check("level 6 \(element)", value, in: 0...10_000)
    }
  }
}

extension Level10 {
  /// The displays that Dolby has numbered (libdovi, `blocks/level10.rs`).
  fileprivate static let presetDisplays: Set<UInt8> = [1, 16, 18, 21, 27, 28, 37, 38, 42, 48, 49]
}

extension Level11 {
  fileprivate func check(_ issues: inout [String]) {
    issues.check("level 11 content_type", contentType, in: 0...15)
    issues.check("level 11 reserved bits", reservedBits, in: 0...0)
    // `reserved_byte2` is not checked, because some phones write a value other than 0 there.
    issues.check("level 11 reserved_byte3", reservedByte3, in: 0...0)
  }
}
