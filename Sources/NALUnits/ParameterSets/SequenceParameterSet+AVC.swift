// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension SequenceParameterSet {
  /// Profiles whose parameter sets have chroma format and bit depths (H.264, 7.3.2.1.1).
  private static let highProfiles: Set<Int> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  /// Reads the payload of an H.264 sequence parameter set (7.3.2.1.1).
  init(avcPayload: [UInt8]) throws(BitstreamError) {
    var reader = BitReader(avcPayload)
    self.init(profileIdc: Int(try reader.u(8)), levelIdc: 0)
    constraintFlags = UInt8(try reader.u(8))
    levelIdc = Int(try reader.u(8))
    parameterSetID = try reader.ue()
    if Self.highProfiles.contains(profileIdc) {
      chromaFormatIdc = try Self.count(try reader.ue(), at: reader, limit: 3)
      if chromaFormatIdc == 3 { hasSeparateColorPlanes = try reader.flag() }
      bitDepthLuma = try Self.count(try reader.ue(), at: reader, limit: 6) + 8
      bitDepthChroma = try Self.count(try reader.ue(), at: reader, limit: 6) + 8
      // Skip `qpprime_y_zero_transform_bypass_flag`.
      try reader.skip(1)
      if try reader.flag() { try skipScalingMatrix(&reader) }
    }
    frameNumberBits = try Self.count(try reader.ue(), at: reader, limit: 12) + 4
    try Self.skipOrderCount(&reader)
    try readSize(&reader)
    vuiFlagPosition = reader.position
    if try reader.flag() { vui = try VideoUsabilityInformation(&reader) }
  }

  private func skipScalingMatrix(_ reader: inout BitReader) throws(BitstreamError) {
    // 7.3.2.1.1.1. The length of the lists is not coded, so finding their end requires decoding
    // them. A scale of 0 ends a list early. Damaged numbers wrap instead of trapping.
    for list in 0..<(chromaFormatIdc == 3 ? 12 : 8) where try reader.flag() {
      var last: Int64 = 8
      var next: Int64 = 8
      for _ in 0..<(list < 6 ? 16 : 64) {
        if next != 0 { next = (last &+ (try reader.se()) &+ 256) % 256 }
        if next != 0 { last = next }
      }
    }
  }

  private static func skipOrderCount(_ reader: inout BitReader) throws(BitstreamError) {
    // For picture order counts of type 1, an offset is coded for each frame of a cycle. For type 2,
    // nothing is coded here.
    let type = try reader.ue()
    if type == 0 {
      _ = try reader.ue()
    } else if type == 1 {
      try reader.skip(1)
      _ = try reader.se()
      _ = try reader.se()
      let count = try Self.count(try reader.ue(), at: reader, limit: 255)
      for _ in 0..<count { _ = try reader.se() }
    }
    _ = try reader.ue()
    try reader.skip(1)
  }

  private mutating func readSize(_ reader: inout BitReader) throws(BitstreamError) {
    width = (try Self.count(try reader.ue(), at: reader, limit: 1 << 13) + 1) * 16
    let mapUnits = try Self.count(try reader.ue(), at: reader, limit: 1 << 13) + 1
    isFrameOnly = try reader.flag()
    height = mapUnits * 16 * (isFrameOnly ? 1 : 2)
    // Skip `mb_adaptive_frame_field_flag`, and then `direct_8x8_inference_flag`.
    if !isFrameOnly { try reader.skip(1) }
    try reader.skip(1)
    // Each plane is coded as if it were luma alone, and cropping counts in luma samples
    // (7.4.2.1.1).
    if hasSeparateColorPlanes { chromaFormatIdc = 0 }
    if try reader.flag() {
      let x = chromaFormatIdc == 1 || chromaFormatIdc == 2 ? 2 : 1
      // If pictures may be coded as fields, cropped rows are counted in pairs, one row for each
      // field.
      let y = (chromaFormatIdc == 1 ? 2 : 1) * (isFrameOnly ? 1 : 2)
      try crop(
        left: reader.ue(), right: reader.ue(), top: reader.ue(), bottom: reader.ue(), unitX: x,
        unitY: y)
    }
  }
}
