// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

// Place of a unit: its layer, and its place in the access unit.
extension NALUnit {
  /// True if a unit belongs to the layer that every decoder knows (`nuh_layer_id` 0), not to the
  /// second view of a stereo video.
  package var isBaseLayer: Bool {
    guard codec == .hevc, bytes.count > 1 else { return true }
    return bytes[0] & 1 == 0 && bytes[1] >> 3 == 0
  }

  /// True if a unit is a parameter set of that layer.
  package var isBaseParameterSet: Bool { type.isParameterSet && isBaseLayer }

  /// True if this is a slice of another layer than that which every decoder knows: of HEVC by its
  /// layer, of H.264 a slice extension of MVC (7.3.1 and H.7.3.1.1) that is none of SVC, or one of
  /// depth.
  package var isPictureOfOtherLayer: Bool {
    switch type {
    case .hevc(let type): type.isVCL && !isBaseLayer
    case .avc(.sliceExtension): bytes.count > 1 && bytes[1] & 0x80 == 0
    case .avc(let type): type == .sliceExtensionForDepth
    }
  }

  /// True if a unit of HEVC behind a picture belongs to the next one (H.265, 7.4.2.4.4).
  package var beginsAccessUnit: Bool {
    guard case .hevc(let type) = type, isBaseLayer else { return false }
    // A slice segment that is the first of its picture.
    return type.isVCL ? bytes.count > 2 && bytes[2] & 0x80 != 0 : type.beginsAccessUnit
  }

  /// True if a unit of HEVC can only stand behind the picture of its access unit (H.265,
  /// 7.4.2.4.4).
  package var followsPicture: Bool {
    if case .hevc(let type) = type { type.followsPicture } else { false }
  }

  /// True if a unit may hold metadata of its picture: SEI, or of a type that H.265 leaves to others
  /// (48 to 63), of which one has Dolby Vision's RPUs; the one with its enhancement layer has
  /// pictures.
  package var isBesidePicture: Bool {
    guard case .hevc(let type) = type, type.rawValue >= 48 else { return type.isSEI }
    return type != .dolbyVisionEnhancementLayer
  }

  /// A byte stream of one access unit with this unit at its place: before the picture, or behind
  /// everything.
  package func spliced(into accessUnit: [UInt8]) -> [UInt8] {
    followsPicture ? accessUnit + annexB : annexB + accessUnit
  }

  /// True if a unit of HEVC ends a sequence or the bitstream.
  package var endsSequence: Bool {
    type == .hevc(.endOfSequence) || type == .hevc(.endOfBitstream)
  }

  /// The lowest sublayer has the `TemporalId` 0 (H.265, 7.4.2.2).
  var isOfLowestSublayer: Bool { bytes.count > 1 && bytes[1] & 7 == 1 }
}
