// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The codecs whose bitstreams are made of NAL units: those that are read, checked and changed.
///
/// The raw value is FFmpeg's name of the codec. Where a file could be of both, it is taken for the
/// first, which can hold more of Dolby Vision.
package enum NALCodec: String, Sendable, CaseIterable {
  /// H.265, HEVC in ISO/IEC 23008-2.
  case hevc
  /// H.264, AVC in ISO/IEC 14496-10.
  case h264

  /// The name for people.
  package var name: String {
    switch self {
    case .hevc: "HEVC"
    case .h264: "H.264"
    }
  }

  /// The box of a sample entry that holds the parameter sets (ISO/IEC 14496-15, 5.3.3 and 8.3.3).
  package var configurationBox: FourCC {
    switch self {
    case .hevc: "hvcC"
    case .h264: "avcC"
    }
  }

  /// The configuration boxes of all codecs.
  package static let configurationBoxes = Set(allCases.map(\.configurationBox))

  /// True if metadata of HDR is read and written: messages for all frames and for each, and the
  /// RPUs of Dolby Vision.
  package var carriesHDRMetadata: Bool { self == .hevc }

  /// The name of a bitstream with another layer or view, for a second eye.
  package var multiviewName: String {
    switch self {
    case .hevc: "MV-HEVC"
    case .h264: "MVC"
    }
  }

  /// The value of `level_idc` of level 1.
  package var levelUnit: Double {
    switch self {
    case .hevc: 30
    case .h264: 10
    }
  }

  /// True if the configuration says whether samples have parameter sets, too
  /// (`array_completeness`).
  package var configurationStatesCompleteness: Bool { self == .hevc }

  /// True if frames that lead a sync sample may be referred to by those behind it.
  package var mayReferToLeadingFrames: Bool { self == .h264 }

  /// True if decoders that begin at a frame that is no IDR picture may give frames that they never
  /// had, and complain of them, until their memory is filled.
  package var startsUnsettled: Bool { self == .h264 }
}

/// The sample entries of pictures that are made of NAL units (ISO/IEC 14496-15, 5.4.2 and 8.4.1;
/// Dolby Vision Streams Within the ISO Base Media File Format), by their four characters.
package enum VideoSampleEntry: String, Sendable, CaseIterable {
  case hvc1, hev1, avc1, avc3, dvh1, dvhe, dva1, dvav

  /// The sample entry with a type; nil for one of other frames.
  package init?(_ type: FourCC) { self.init(rawValue: "\(type)") }

  /// The sample entry with some properties.
  package init(_ codec: NALCodec, holdsAllParameterSets: Bool = true, isDolbyVision: Bool = false) {
    self =
      switch (codec, isDolbyVision) {
      case (.hevc, false): holdsAllParameterSets ? .hvc1 : .hev1
      case (.hevc, true): holdsAllParameterSets ? .dvh1 : .dvhe
      case (.h264, false): holdsAllParameterSets ? .avc1 : .avc3
      case (.h264, true): holdsAllParameterSets ? .dva1 : .dvav
      }
  }

  /// The type of the box.
  package var type: FourCC { FourCC(stringLiteral: rawValue) }

  /// The codec of the frames.
  package var codec: NALCodec {
    switch self {
    case .hvc1, .hev1, .dvh1, .dvhe: .hevc
    case .avc1, .avc3, .dva1, .dvav: .h264
    }
  }

  /// True if all parameter sets are in the sample entry, and none in samples.
  package var holdsAllParameterSets: Bool {
    [.hvc1, .avc1, .dvh1, .dva1].contains(self)
  }

  /// True if it is for players of Dolby Vision alone.
  package var isDolbyVision: Bool { [.dvh1, .dvhe, .dva1, .dvav].contains(self) }
}
