// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension SequenceParameterSet {
  /// Reads the payload of an HEVC sequence parameter set (H.265, 7.3.2.2.1).
  init(hevcPayload: [UInt8]) throws(BitstreamError) {
    var reader = BitReader(hevcPayload)
    try reader.skip(4)
    let subLayers = Int(try reader.u(3))
    // Skip `sps_temporal_id_nesting_flag`. The 4 bits skipped above are the ID of the video
    // parameter set.
    try reader.skip(1)
    self.init(profileIdc: 0, levelIdc: 0)
    try readProfileTierLevel(&reader, subLayers: subLayers)
    parameterSetID = try reader.ue()
    chromaFormatIdc = try Self.count(try reader.ue(), at: reader, limit: 3)
    hasSeparateColorPlanes = chromaFormatIdc == 3 ? try reader.flag() : false
    width = try Self.count(try reader.ue(), at: reader, limit: 1 << 17)
    height = try Self.count(try reader.ue(), at: reader, limit: 1 << 17)
    if try reader.flag() {
      let x = chromaFormatIdc == 1 || chromaFormatIdc == 2 ? 2 : 1
      try crop(
        left: reader.ue(), right: reader.ue(), top: reader.ue(), bottom: reader.ue(), unitX: x,
        unitY: chromaFormatIdc == 1 ? 2 : 1)
    }
    bitDepthLuma = try Self.count(try reader.ue(), at: reader, limit: 8) + 8
    bitDepthChroma = try Self.count(try reader.ue(), at: reader, limit: 8) + 8
    // Each plane is coded as if it were luma alone (`ChromaArrayType` 0, 7.4.3.2.1).
    if hasSeparateColorPlanes { chromaFormatIdc = 0 }
    try readToVUI(&reader, subLayers: subLayers)
  }

  /// Reads `profile_tier_level` (7.3.3).
  private mutating func readProfileTierLevel(
    _ reader: inout BitReader, subLayers: Int
  ) throws(BitstreamError) {
    try reader.skip(2)
    isHighTier = try reader.flag()
    profileIdc = Int(try reader.u(5))
    try reader.skip(32 + 4 + 43 + 1)
    levelIdc = Int(try reader.u(8))
    guard subLayers > 0 else { return }
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<subLayers { present.append((try reader.flag(), try reader.flag())) }
    // The flags are padded to 8 sublayers, so that what follows is aligned to bytes.
    for _ in subLayers..<8 { try reader.skip(2) }
    for layer in present {
      if layer.profile { try reader.skip(88) }
      if layer.level { try reader.skip(8) }
    }
  }

  /// Reads all fields between the bit depths and the VUI.
  private mutating func readToVUI(
    _ reader: inout BitReader, subLayers: Int
  ) throws(BitstreamError) {
    pictureOrderCountBits = try Self.count(try reader.ue(), at: reader, limit: 12) + 4
    let hasAllLayers = try reader.flag()
    // Skip the limits of buffering, reordering and latency (`sps_max_…`). Unless `hasAllLayers` is
    // set, they are coded once and apply to all sublayers.
    for _ in (hasAllLayers ? 0 : subLayers)...subLayers {
      for _ in 0..<3 { _ = try reader.ue() }
    }
    // Skip the sizes of coding and transform blocks, and the depths of their hierarchies.
    for _ in 0..<6 { _ = try reader.ue() }
    if try reader.flag(), try reader.flag() { try Self.skipScalingLists(&reader) }
    try reader.skip(2)
    // Skip the fields of PCM coding: two bit depths of 4 bits, two sizes, and the loop filter's
    // flag.
    if try reader.flag() {
      try reader.skip(8)
      for _ in 0..<2 { _ = try reader.ue() }
      try reader.skip(1)
    }
    try Self.skipReferencePictureSets(&reader)
    if try reader.flag() {
      // Skip the long-term reference pictures. Each has the low bits of its order count, and a
      // flag.
      let count = try Self.count(try reader.ue(), at: reader, limit: 32)
      try reader.skip(count * (pictureOrderCountBits + 1))
    }
    try reader.skip(2)
    vuiFlagPosition = reader.position
    if try reader.flag() { vui = try VideoUsabilityInformation(&reader) }
  }

  /// Skips `scaling_list_data` (7.3.4).
  private static func skipScalingLists(_ reader: inout BitReader) throws(BitstreamError) {
    for size in 0..<4 {
      // Lists of 32 × 32 exist only for two of the six matrices.
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try reader.flag() else {
          _ = try reader.ue()
          continue
        }
        if size > 1 { _ = try reader.se() }
        for _ in 0..<min(64, 1 << (4 + size * 2)) { _ = try reader.se() }
      }
    }
  }

  /// Skips all `st_ref_pic_set` (7.3.7).
  private static func skipReferencePictureSets(
    _ reader: inout BitReader
  ) throws(BitstreamError) {
    let count = try Self.count(try reader.ue(), at: reader, limit: 64)
    // A set may be predicted from the previous set. Then it has flags for each picture of the
    // previous set. So even to skip a set, we have to know how many pictures the previous set has.
    var deltaCounts: [Int] = []
    for index in 0..<count {
      if index > 0, try reader.flag() {
        // The set has the sign and the size of the difference, then flags for each picture of the
        // previous set.
        try reader.skip(1)
        _ = try reader.ue()
        var used = 0
        for _ in 0...deltaCounts[index - 1] {
          let isUsedByCurrent = try reader.flag()
          let usesDelta = isUsedByCurrent ? true : try reader.flag()
          if usesDelta { used += 1 }
        }
        deltaCounts.append(used)
      } else {
        let negative = try Self.count(try reader.ue(), at: reader, limit: 16)
        let positive = try Self.count(try reader.ue(), at: reader, limit: 16)
        for _ in 0..<negative + positive {
          _ = try reader.ue()
          try reader.skip(1)
        }
        deltaCounts.append(negative + positive)
      }
    }
  }
}
