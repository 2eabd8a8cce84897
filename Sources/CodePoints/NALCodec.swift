// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The codecs whose NAL units can be read, checked and changed here. The raw value is FFmpeg's
/// name.
package enum NALCodec: String, Sendable, CaseIterable {
  // If it is not clear which codec a file has, the codecs are tried in this order. HEVC comes
  // first, because it can carry more kinds of Dolby Vision.

  /// H.265, which is HEVC in ISO/IEC 23008-2.
  case hevc
  /// H.264, which is AVC in ISO/IEC 14496-10.
  case h264

  /// The name as text for people.
  package var name: String {
    switch self {
    case .hevc: "HEVC"
    case .h264: "H.264"
    }
  }

  /// The box in a sample entry that contains the parameter sets (ISO/IEC 14496-15, 5.3.3 and
  /// 8.3.3).
  package var configurationBox: FourCC {
    switch self {
    case .hevc: "hvcC"
    case .h264: "avcC"
    }
  }

  /// The configuration boxes of all codecs.
  package static let configurationBoxes = Set(allCases.map(\.configurationBox))

  // In H.264, Dolby Vision has profile 9. Its base layer is SDR, so its RPUs are left alone.
  /// Whether the RPUs of Dolby Vision are read and written.
  package var carriesDolbyVision: Bool { self == .hevc }

  // `avcC` has room only for parameter sets (ISO/IEC 14496-15, 5.3.3.1).
  /// Whether the sample entry has room for SEI messages that apply to all frames. If not, the
  /// messages are repeated at each sync sample.
  package var configurationHoldsMessages: Bool { self == .hevc }

  // In H.264, the slices themselves say whether they code fields or a frame (`field_pic_flag`,
  // `mb_field_decoding_flag`).
  /// Whether only SEI messages say that a frame has interleaved fields, and in which order.
  package var statesFieldsInMessages: Bool { self == .hevc }

  /// The numbers of the profiles that all players decode: Baseline, Main and High of H.264 (A.2),
  /// Main and Main 10 of H.265 (A.3).
  package var usualProfiles: Set<Int> {
    switch self {
    case .hevc: [1, 2]
    case .h264: [66, 77, 100]
    }
  }

  /// The name of a bitstream with a second layer or view, as text for people.
  package var multiviewName: String {
    switch self {
    case .hevc: "MV-HEVC"
    case .h264: "MVC"
    }
  }

  /// The `level_idc` of level 1.
  package var levelUnit: Double {
    // Level 5.1 is 153 in H.265 (A.4.1) and 51 in H.264 (A.3).
    switch self {
    case .hevc: 30
    case .h264: 10
    }
  }

  // `avcC` has no field `array_completeness`. In H.264, only the name of the sample entry, `avc1`
  // or `avc3`, says whether samples may have parameter sets (ISO/IEC 14496-15, 5.4.2).
  /// Whether the configuration can say that samples have no parameter sets (`array_completeness`).
  package var configurationStatesCompleteness: Bool { self == .hevc }

  // In HEVC, trailing pictures must not refer to leading ones (H.265, 8.3.2). H.264 has no such
  // rule, so leading frames must be decoded even if they are not shown.
  /// Whether frames after a sync sample may refer to its leading frames.
  package var mayReferToLeadingFrames: Bool { self == .h264 }

  // Until its buffer of reference frames is full, an H.264 decoder may report errors. It may also
  // output frames although it never had the frames that they refer to. That is not damage.
  /// Whether a decoder is unreliable at first if it does not begin at an IDR picture.
  package var startsUnsettled: Bool { self == .h264 }
}

/// The sample entries of AV1 (AV1 Codec ISO Media File Format Binding, 2.2; Dolby Vision Streams
/// Within the ISO Base Media File Format).
extension FourCC {
  package static let av01: FourCC = "av01"
  /// The entry for frames that only players of Dolby Vision can show, as in profile 10.0.
  package static let dav1: FourCC = "dav1"
}

/// The sample entries of video that consists of NAL units (ISO/IEC 14496-15, 5.4.2 and 8.4.1; Dolby
/// Vision Streams Within the ISO Base Media File Format), by their four-character codes.
package enum VideoSampleEntry: String, Sendable, CaseIterable {
  case hvc1, hev1, avc1, avc3, dvh1, dvhe, dva1, dvav

  /// Finds the sample entry with this type. Returns `nil` for other formats.
  package init?(_ type: FourCC) { self.init(rawValue: "\(type)") }

  /// Finds the sample entry with these properties.
  package init(_ codec: NALCodec, holdsAllParameterSets: Bool = true, isDolbyVision: Bool = false) {
    self =
      switch (codec, isDolbyVision) {
      case (.hevc, false): holdsAllParameterSets ? .hvc1 : .hev1
      case (.hevc, true): holdsAllParameterSets ? .dvh1 : .dvhe
      case (.h264, false): holdsAllParameterSets ? .avc1 : .avc3
      case (.h264, true): holdsAllParameterSets ? .dva1 : .dvav
      }
  }

  /// The four-character code of the box.
  package var type: FourCC { FourCC(stringLiteral: rawValue) }

  /// The codec of the samples.
  package var codec: NALCodec {
    switch self {
    case .hvc1, .hev1, .dvh1, .dvhe: .hevc
    case .avc1, .avc3, .dva1, .dvav: .h264
    }
  }

  /// Whether all parameter sets are in the sample entry, and none in samples.
  package var holdsAllParameterSets: Bool {
    // Apple's players need such an entry. They do not play `hev1`.
    [.hvc1, .avc1, .dvh1, .dva1].contains(self)
  }

  // Profiles with a base layer that any decoder can show, such as 8.4, use `hvc1`, not `dvh1`.
  /// Whether the entry is for Dolby Vision players alone.
  package var isDolbyVision: Bool { [.dvh1, .dvhe, .dva1, .dvav].contains(self) }
}
