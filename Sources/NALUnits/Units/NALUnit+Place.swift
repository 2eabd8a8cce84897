// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

// The layer of a unit, and its place in its access unit.
extension NALUnit {
  /// Whether the unit belongs to the base layer (`nuh_layer_id` 0), which every decoder reads, and
  /// not to the second view of spatial video. This is always `true` for H.264.
  package var isBaseLayer: Bool {
    guard codec == .hevc, bytes.count > 1 else { return true }
    return bytes[0] & 1 == 0 && bytes[1] >> 3 == 0
  }

  /// Whether the unit is a parameter set of the base layer.
  package var isBaseParameterSet: Bool { type.isParameterSet && isBaseLayer }

  /// Whether the unit is a slice of a picture outside the base layer or base view.
  package var isPictureOfOtherLayer: Bool {
    switch type {
    case .hevc(let type): type.isVCL && !isBaseLayer
    // H.264, 7.3.1 and H.7.3.1.1: the first bit of the extended header distinguishes SVC (1) from
    // MVC (0). SVC refines the base picture, so it does not count. MVC adds another view.
    case .avc(.sliceExtension): bytes.count > 1 && bytes[1] & 0x80 == 0
    case .avc(let type): type == .sliceExtensionForDepth
    }
  }

  /// Whether an HEVC unit after a picture belongs to the next access unit (H.265, 7.4.2.4.4).
  package var beginsAccessUnit: Bool {
    guard case .hevc(let type) = type, isBaseLayer else { return false }
    // `first_slice_segment_in_pic_flag` is the first bit after the header of two bytes.
    return type.isVCL ? bytes.count > 2 && bytes[2] & 0x80 != 0 : type.beginsAccessUnit
  }

  /// Whether an HEVC unit can only come after the picture of its access unit (H.265, 7.4.2.4.4).
  package var followsPicture: Bool {
    if case .hevc(let type) = type { type.followsPicture } else { false }
  }

  /// Whether the unit may contain metadata for its picture: SEI, or a type that H.265 leaves
  /// unspecified.
  package var isBesidePicture: Bool {
    // The types 48 to 63 are unspecified. Dolby Vision uses 62 for RPUs, which are metadata, and 63
    // for its enhancement layer, which carries coded pictures.
    guard case .hevc(let type) = type, type.rawValue >= 48 else { return type.isSEI }
    return type != .dolbyVisionEnhancementLayer
  }

  /// Returns the units of one access unit with other units added where they belong: before the
  /// picture, or at the end.
  package static func inserting(_ others: [NALUnit], into accessUnit: [NALUnit]) -> [NALUnit] {
    // Parameter sets and an access unit delimiter stay first, and units that end a sequence stay
    // last (H.265, 7.4.2.4.4).
    let picture = accessUnit.firstIndex { $0.type.isSlice } ?? accessUnit.count
    let tail = accessUnit.reversed().prefix(while: \.endsSequence).count
    let end = max(accessUnit.count - tail, picture)
    var units = accessUnit
    units.insert(contentsOf: others.filter(\.followsPicture), at: end)
    units.insert(contentsOf: others.filter { !$0.followsPicture }, at: picture)
    return units
  }

  /// Returns the units of one access unit with parameter sets added at its start, but after an
  /// access unit delimiter.
  package static func inserting(
    parameterSets: [NALUnit], into accessUnit: [NALUnit]
  ) -> [NALUnit] {
    let delimiters = accessUnit.prefix(while: \.type.isDelimiter)
    return delimiters + parameterSets + accessUnit.dropFirst(delimiters.count)
  }

  /// Returns a byte stream of one access unit with this unit added at the end if it can only come
  /// after the picture, otherwise at the start.
  package func spliced(into accessUnit: [UInt8]) -> [UInt8] {
    followsPicture ? accessUnit + annexB : annexB + accessUnit
  }

  /// Whether the unit ends a sequence or the bitstream.
  package var endsSequence: Bool {
    type == .hevc(.endOfSequence) || type == .hevc(.endOfBitstream)
  }

  // The header stores `TemporalId` plus 1, in its last three bits.
  /// Whether the unit is in the lowest temporal sublayer: `TemporalId` is 0 (H.265, 7.4.2.2).
  var isOfLowestSublayer: Bool { bytes.count > 1 && bytes[1] & 7 == 1 }
}
