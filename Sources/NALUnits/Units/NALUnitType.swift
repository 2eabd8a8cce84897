// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// `nal_unit_type`, out of the table of the unit's codec.
package enum NALUnitType: Hashable, Sendable {
  /// A type of H.265.
  case hevc(HEVCNALUnitType)
  /// A type of H.264.
  case avc(AVCNALUnitType)

  /// The number.
  package var rawValue: UInt8 {
    switch self {
    case .hevc(let type): type.rawValue
    case .avc(let type): type.rawValue
    }
  }

  /// True if this is a slice, or a slice segment.
  package var isSlice: Bool {
    switch self {
    case .hevc(let type): type.isSlice
    case .avc(let type): type.isSlice
    }
  }

  /// True if this is a part of a picture (VCL), of a type that is reserved for that too.
  package var isVCL: Bool {
    switch self {
    case .hevc(let type): type.isVCL
    case .avc(let type): type.isSlice
    }
  }

  /// True if this is a video, sequence or picture parameter set.
  package var isParameterSet: Bool {
    switch self {
    case .hevc(let type): HEVCNALUnitType.parameterSets.contains(type)
    case .avc(let type): type == .sequenceParameterSet || type == .pictureParameterSet
    }
  }

  /// True if this is a sequence parameter set of the pictures that every decoder knows.
  package var isSequenceParameterSet: Bool {
    self == .hevc(.sequenceParameterSet) || self == .avc(.sequenceParameterSet)
  }

  /// True if this is a picture parameter set.
  package var isPictureParameterSet: Bool {
    self == .hevc(.pictureParameterSet) || self == .avc(.pictureParameterSet)
  }

  /// True if this is a slice of an IDR picture.
  package var isIDR: Bool {
    switch self {
    case .hevc(let type): type.isIDR
    case .avc(let type): type == .idrSlice
    }
  }

  /// True if this is a slice of a picture that is shown before the one that starts its group (RADL
  /// and RASL pictures of HEVC).
  package var isLeading: Bool {
    if case .hevc(let type) = self { type.isLeading } else { false }
  }

  /// True if a picture that is shown before the one that starts its group can be decoded from there
  /// on: in HEVC, all but RASL pictures. Pictures of H.264 do not tell.
  package var isDecodableWhenLeading: Bool {
    if case .hevc(let type) = self { !type.isSkippedLeading } else { false }
  }

  /// True if nothing behind the picture refers to what is before it, whatever is shown when: an IDR
  /// picture of H.264. Those of HEVC may have leading pictures, which tell it by their type.
  package var closesGroup: Bool { self == .avc(.idrSlice) }

  /// True if this is supplemental enhancement information.
  package var isSEI: Bool {
    [.hevc(.prefixSEI), .hevc(.suffixSEI), .avc(.sei)].contains(self)
  }
}

/// `nal_unit_type` of H.265, table 7-1.
package struct HEVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number, 0…63.
  package let rawValue: UInt8

  /// A type from its number.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The codec.
  package static let codec = NALCodec.hevc

  /// `CRA_NUT`: a picture at which decoding can start; pictures that lead it may be lost.
  package static let cleanRandomAccess = Self(rawValue: 21)
  /// `VPS_NUT`.
  package static let videoParameterSet = Self(rawValue: 32)
  /// `SPS_NUT`.
  package static let sequenceParameterSet = Self(rawValue: 33)
  /// `PPS_NUT`.
  package static let pictureParameterSet = Self(rawValue: 34)
  /// `EOS_NUT`: the end of a sequence.
  package static let endOfSequence = Self(rawValue: 36)
  /// `EOB_NUT`: the end of the bitstream.
  package static let endOfBitstream = Self(rawValue: 37)
  /// `PREFIX_SEI_NUT`.
  package static let prefixSEI = Self(rawValue: 39)
  /// `SUFFIX_SEI_NUT`.
  package static let suffixSEI = Self(rawValue: 40)
  /// `UNSPEC62`: a Dolby Vision RPU.
  package static let dolbyVisionRPU = Self(rawValue: 62)
  /// `UNSPEC63`: the enhancement layer of Dolby Vision.
  package static let dolbyVisionEnhancementLayer = Self(rawValue: 63)

  /// The types of parameter sets, in the order in which they are stored.
  package static let parameterSets: [Self] = [
    .videoParameterSet, .sequenceParameterSet, .pictureParameterSet,
  ]

  /// The header of a unit of the base layer and its first sublayer (7.3.1.2).
  package var header: [UInt8] { [rawValue << 1, 1] }

  /// True if this is a part of a picture (VCL), of a type that is reserved for that too.
  var isVCL: Bool { rawValue < 32 }
  /// True if this is a slice segment.
  var isSlice: Bool { rawValue <= 9 || (16...21).contains(rawValue) }
  /// IRAP pictures and the types reserved for them.
  package var isRandomAccess: Bool { (16...23).contains(rawValue) }
  /// IDR pictures: `IDR_W_RADL` and `IDR_N_LP`.
  package var isIDR: Bool { rawValue == 19 || rawValue == 20 }
  /// BLA pictures: `BLA_W_LP` to `BLA_N_LP`.
  package var isBrokenLink: Bool { (16...18).contains(rawValue) }
  /// RASL pictures, which cannot be decoded where decoding starts behind them.
  package var isSkippedLeading: Bool { rawValue == 8 || rawValue == 9 }
  /// RADL and RASL pictures.
  var isLeading: Bool { (6...9).contains(rawValue) }
  /// RADL and RASL pictures, and those that no other of their sublayer refers to.
  var isLeadingOrUnreferenced: Bool {
    isLeading || (rawValue < 16 && rawValue % 2 == 0)
  }

  /// True if a unit that is no part of a picture can only stand before one (7.4.2.4.4).
  var beginsAccessUnit: Bool {
    switch rawValue {
    case 32...35, 39, 41...44, 48...55: true
    default: false
    }
  }
  /// True if a unit can only stand behind the picture of its access unit (7.4.2.4.4): EOS, EOB,
  /// suffix SEI, and the unspecified types that RPUs are among.
  var followsPicture: Bool {
    [.endOfSequence, .endOfBitstream, .suffixSEI].contains(self) || (56...63).contains(rawValue)
  }
}

/// `nal_unit_type` of H.264, table 7-1.
package struct AVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number, 0…31.
  package let rawValue: UInt8

  /// A type from its number.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A slice of an IDR picture.
  package static let idrSlice = Self(rawValue: 5)
  /// Supplemental enhancement information.
  package static let sei = Self(rawValue: 6)
  /// A sequence parameter set.
  package static let sequenceParameterSet = Self(rawValue: 7)
  /// A picture parameter set.
  package static let pictureParameterSet = Self(rawValue: 8)
  /// A sequence parameter set of SVC or MVC.
  package static let subsetSequenceParameterSet = Self(rawValue: 15)
  /// A slice of SVC or MVC.
  package static let sliceExtension = Self(rawValue: 20)
  /// A slice of MVC with depth.
  package static let sliceExtensionForDepth = Self(rawValue: 21)

  /// True if this is a slice or a partition of one.
  var isSlice: Bool { (1...5).contains(rawValue) }
  /// True if this is a slice that begins with `slice_header`: partitions B and C do not.
  var hasSliceHeader: Bool { isSlice && rawValue != 3 && rawValue != 4 }
}
