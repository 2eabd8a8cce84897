// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import DolbyVision
package import ISOBMFF

extension SampleEntry {
  /// The boxes that hold a Dolby Vision configuration record, in the order in which they are
  /// believed: where there are two, `dvvC` is of the single layer that old players, which know
  /// `dvcC` alone, should leave alone.
  package static let dolbyVisionBoxes: [FourCC] = ["dvvC", "dvcC", "dvwC"]

  /// The Dolby Vision records that can be read, in the order in which they are believed: first
  /// those in the box of their profile.
  package var dolbyVisionRecords: [(box: FourCC, record: ConfigurationRecord)] {
    let found = Self.dolbyVisionBoxes.compactMap { box in
      payload(box).flatMap { try? ConfigurationRecord(payload: $0) }.map { (box: box, record: $0) }
    }
    return found.filter { $0.record.box == $0.box } + found.filter { $0.record.box != $0.box }
  }
}

extension ConfigurationRecord {
  /// The box for a record of its profile: `dvcC` up to 7, `dvvC` from 8 to 10, `dvwC` above (Dolby
  /// Vision Streams Within the ISO Base Media File Format, 2.2).
  package var box: FourCC { profile <= 7 ? "dvcC" : profile <= 10 ? "dvvC" : "dvwC" }
}

extension ConfigurationRecord {
  /// Dolby Vision as a part of a dynamic range: "Dolby Vision 8.4".
  package var dynamicRange: String { "\(DolbyVisionRPU.name) \(profileText)" }

  /// True for profile 8.4, whose frames are HLG to everybody else: TN3145 wants the ambient viewing
  /// environment beside it.
  package var needsAmbientViewingEnvironment: Bool {
    baseLayerSignalCompatibilityID == DataMapping.BaseLayerSignal.hlg.rawValue
  }
}

extension ColorDescription {
  /// True if RPUs can be computed for frames of the color: those of phones are for HLG.
  package var takesComputedRPUs: Bool { self == .hlg }
}

extension DataMapping.BaseLayerSignal {
  /// True if frames with a transfer function have the signal; an unstated one counts as SDR's.
  package func permits(_ transfer: TransferCharacteristics) -> Bool {
    switch self {
    case .pq: transfer == .pq
    case .hlg: transfer == .hlg
    case .sdr: !transfer.isHDR
    }
  }
}

extension TransferCharacteristics {
  /// The base layer of profile 8 that frames with the function are (Dolby Vision Profiles and
  /// Levels, 2.1); nil where there is none.
  package var dolbyVisionBaseLayer: DataMapping.BaseLayerSignal? {
    switch self {
    case .pq: .pq
    case .hlg: .hlg
    case .bt709, .bt2020TenBit: .sdr
    default: nil
    }
  }
}

extension HDRMetadata {
  /// True if the frames' RPUs are of profile 8: a record says so, if there is one, and the first
  /// RPU that can be read is.
  package var holdsProfile8: Bool {
    (dolbyVision?.value.profile ?? 8) == 8 && dolbyVisionRPU?.profile == 8
  }

  /// True if the record states this base layer, or 0, as some writers do, or if there is no record.
  package func isDolbyVision(compatibleWith layer: DataMapping.BaseLayerSignal) -> Bool {
    guard let record = dolbyVision?.value else { return true }
    return [layer.rawValue, 0].contains(record.baseLayerSignalCompatibilityID)
  }
}

extension Movie.Track {
  /// Frames a second, as levels count them; nil for a single frame.
  package func nominalFrameRate(_ times: SampleTimes) -> Double? {
    let timescale = Double(max(mediaTimescale, 1))
    return ConfigurationRecord.nominalFrameRate(
      ofTimes: times.compositionTimes.map { Double($0) / timescale })
  }
}
