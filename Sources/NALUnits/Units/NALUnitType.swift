// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// `nal_unit_type`, which means different things in the two codecs.
package enum NALUnitType: Hashable, Sendable {
  /// A type of H.265.
  case hevc(HEVCNALUnitType)
  /// A type of H.264.
  case avc(AVCNALUnitType)

  /// The number in the header of the unit.
  package var rawValue: UInt8 {
    switch self {
    case .hevc(let type): type.rawValue
    case .avc(let type): type.rawValue
    }
  }

  /// Whether this is a slice or a slice segment.
  package var isSlice: Bool {
    switch self {
    case .hevc(let type): type.isSlice
    case .avc(let type): type.isSlice
    }
  }

  /// Whether this is part of a coded picture (VCL), including types reserved for that.
  package var isVCL: Bool {
    switch self {
    case .hevc(let type): type.isVCL
    case .avc(let type): type.isSlice
    }
  }

  /// Whether this is a video, sequence or picture parameter set.
  package var isParameterSet: Bool {
    switch self {
    case .hevc(let type): HEVCNALUnitType.parameterSets.contains(type)
    case .avc(let type): type == .sequenceParameterSet || type == .pictureParameterSet
    }
  }

  /// Whether this is a sequence parameter set, other than the subset type of SVC and MVC.
  package var isSequenceParameterSet: Bool {
    self == .hevc(.sequenceParameterSet) || self == .avc(.sequenceParameterSet)
  }

  /// Whether this is a picture parameter set.
  package var isPictureParameterSet: Bool {
    self == .hevc(.pictureParameterSet) || self == .avc(.pictureParameterSet)
  }

  /// Whether this is a slice of an IDR picture.
  package var isIDR: Bool {
    switch self {
    case .hevc(let type): type.isIDR
    case .avc(let type): type == .idrSlice
    }
  }

  /// Whether this is a slice of a leading picture of HEVC (RADL, RASL), which is shown before the
  /// picture that starts its group.
  package var isLeading: Bool {
    if case .hevc(let type) = self { type.isLeading } else { false }
  }

  /// Whether a leading picture of this type can be decoded if decoding starts with its group: in
  /// HEVC, all but RASL pictures.
  package var isDecodableWhenLeading: Bool {
    // H.264 has no types for leading pictures, so there the answer is unknown and counts as no.
    if case .hevc(let type) = self { !type.isSkippedLeading } else { false }
  }

  // HEVC does not need this, because the type of a leading picture already says whether it can be
  // decoded; see ``isDecodableWhenLeading``.
  /// Whether this is an IDR picture of H.264. Nothing after it refers to anything before it.
  package var closesGroup: Bool { self == .avc(.idrSlice) }

  /// Whether this is an access unit delimiter, which is the first unit of its access unit.
  var isDelimiter: Bool {
    switch self {
    case .hevc(let type): type == .delimiter
    case .avc(let type): type == .delimiter
    }
  }

  /// Whether this is supplemental enhancement information.
  package var isSEI: Bool {
    switch self {
    case .hevc(let type): type == .prefixSEI || type == .suffixSEI
    case .avc(let type): type == .sei
    }
  }
}

/// `nal_unit_type` of H.265, table 7-1.
package struct HEVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number in the header, 0 to 63.
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Reads the type from the first byte of a unit (7.3.1.2).
  init(firstByte: UInt8) { rawValue = firstByte >> 1 & 0x3F }

  /// The codec that these types belong to.
  package static let codec = NALCodec.hevc

  /// `CRA_NUT`: a picture at which decoding can start. Its leading pictures may then be lost.
  package static let cleanRandomAccess = Self(rawValue: 21)
  package static let videoParameterSet = Self(rawValue: 32)
  package static let sequenceParameterSet = Self(rawValue: 33)
  package static let pictureParameterSet = Self(rawValue: 34)
  /// `AUD_NUT`: an access unit delimiter.
  static let delimiter = Self(rawValue: 35)
  /// `EOS_NUT`: the end of a sequence.
  package static let endOfSequence = Self(rawValue: 36)
  /// `EOB_NUT`: the end of the bitstream.
  package static let endOfBitstream = Self(rawValue: 37)
  /// `PREFIX_SEI_NUT`.
  package static let prefixSEI = Self(rawValue: 39)
  /// `SUFFIX_SEI_NUT`.
  package static let suffixSEI = Self(rawValue: 40)
  /// `RSV_NVCL47`, which has no meaning yet.
  static let reserved = Self(rawValue: 47)
  /// `UNSPEC62`: a Dolby Vision RPU.
  package static let dolbyVisionRPU = Self(rawValue: 62)
  /// `UNSPEC63`: the enhancement layer of Dolby Vision.
  package static let dolbyVisionEnhancementLayer = Self(rawValue: 63)

  /// The types of parameter sets, in the order in which they are stored.
  package static let parameterSets: [Self] = [
    .videoParameterSet, .sequenceParameterSet, .pictureParameterSet,
  ]

  /// The header of a unit in the base layer and its first sublayer (7.3.1.2).
  package var header: [UInt8] { [rawValue << 1, 1] }

  /// Whether this is part of a coded picture (VCL), including types reserved for that.
  var isVCL: Bool { rawValue < 32 }
  /// Whether this is a slice segment.
  var isSlice: Bool { rawValue <= 9 || (16...21).contains(rawValue) }
  /// Whether this is an IRAP picture, or a type reserved for one.
  package var isRandomAccess: Bool { (16...23).contains(rawValue) }
  /// Whether this is an IDR picture: `IDR_W_RADL` or `IDR_N_LP`.
  package var isIDR: Bool { rawValue == 19 || rawValue == 20 }
  /// Whether this is a BLA picture: `BLA_W_LP` to `BLA_N_LP`.
  package var isBrokenLink: Bool { (16...18).contains(rawValue) }
  /// Whether this is a RASL picture, which cannot be decoded if decoding starts with its group.
  package var isSkippedLeading: Bool { rawValue == 8 || rawValue == 9 }
  /// Whether this is a leading picture, RADL or RASL.
  var isLeading: Bool { (6...9).contains(rawValue) }
  /// Whether this is a leading picture, or one that no other picture of its sublayer refers to.
  var isLeadingOrUnreferenced: Bool {
    // Table 7-1: below 16, the even types are the sublayer non-reference pictures.
    isLeading || (rawValue < 16 && rawValue % 2 == 0)
  }

  /// Whether a unit of this type is not part of a picture and can only come before a picture
  /// (7.4.2.4.4).
  var beginsAccessUnit: Bool {
    switch rawValue {
    case 32...35, 39, 41...44, 48...55: true
    default: false
    }
  }
  /// Whether a unit can only come after the picture of its access unit (7.4.2.4.4): EOS, EOB,
  /// suffix SEI, and the unspecified types from 56 on, to which RPUs belong.
  var followsPicture: Bool {
    [.endOfSequence, .endOfBitstream, .suffixSEI].contains(self) || (56...63).contains(rawValue)
  }
}

/// `nal_unit_type` of H.264, table 7-1.
package struct AVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number in the header, 0 to 31.
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A slice of an IDR picture.
  package static let idrSlice = Self(rawValue: 5)
  /// Supplemental enhancement information.
  package static let sei = Self(rawValue: 6)
  package static let sequenceParameterSet = Self(rawValue: 7)
  package static let pictureParameterSet = Self(rawValue: 8)
  /// An access unit delimiter.
  static let delimiter = Self(rawValue: 9)
  /// A sequence parameter set of SVC or MVC.
  package static let subsetSequenceParameterSet = Self(rawValue: 15)
  /// A slice of SVC or MVC.
  package static let sliceExtension = Self(rawValue: 20)
  /// A slice of MVC with depth.
  package static let sliceExtensionForDepth = Self(rawValue: 21)
  /// The last of the reserved types, which have no meaning yet.
  static let reserved = Self(rawValue: 23)

  /// Whether this is a slice or a data partition of one.
  var isSlice: Bool { (1...5).contains(rawValue) }

  /// Whether this is a slice that begins with `slice_header`. Partitions B and C (types 3 and 4)
  /// begin with `slice_id` (7.3.2.9).
  var hasSliceHeader: Bool { isSlice && rawValue != 3 && rawValue != 4 }
}
