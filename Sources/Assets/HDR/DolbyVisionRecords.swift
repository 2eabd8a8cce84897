// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import DolbyVision
package import ISOBMFF

extension SampleEntry {
  // If an entry has both `dvcC` and `dvvC`, `dvvC` describes the entry's only layer. `dvcC` is for
  // old players, which do not know `dvvC` and should ignore the layer.
  /// The boxes for a Dolby Vision configuration record, the most trusted first.
  package static let dolbyVisionBoxes: [FourCC] = ["dvvC", "dvcC", "dvwC"]

  /// The readable Dolby Vision records, the most trusted first. Records in the box that fits their
  /// profile come before others.
  package var dolbyVisionRecords: [(box: FourCC, record: ConfigurationRecord)] {
    let found = Self.dolbyVisionBoxes.compactMap { box in
      payload(box).flatMap { try? ConfigurationRecord(payload: $0) }.map { (box: box, record: $0) }
    }
    return found.filter { $0.record.box == $0.box } + found.filter { $0.record.box != $0.box }
  }
}

extension ConfigurationRecord {
  /// The box for a record of this profile: `dvcC` up to 7, `dvvC` from 8 to 10, `dvwC` above (Dolby
  /// Vision Streams Within the ISO Base Media File Format, 2.2).
  package var box: FourCC { profile <= 7 ? "dvcC" : profile <= 10 ? "dvvC" : "dvwC" }
}

extension ConfigurationRecord {
  /// Dolby Vision as part of a dynamic range: "Dolby Vision 8.4".
  package var dynamicRange: String { "\(DolbyVisionRPU.name) \(profileText)" }

  /// Whether the frames are HLG, as in profile 8.4.
  package var needsAmbientViewingEnvironment: Bool {
    // Players without Dolby Vision show these frames as HLG, so TN3145 asks for the ambient viewing
    // environment, too.
    baseLayerSignalCompatibilityID == DataMapping.BaseLayerSignal.hlg.rawValue
  }
}

extension ColorDescription {
  // Phones make RPUs only for HLG (profile 8.4), and we compute RPUs as phones do.
  /// Whether RPUs can be computed for frames of this color.
  package var takesComputedRPUs: Bool { self == .hlg }
}

extension DataMapping.BaseLayerSignal {
  /// Returns whether frames with a transfer function have this signal. An undeclared function
  /// counts as SDR.
  package func permits(_ transfer: TransferCharacteristics) -> Bool {
    switch self {
    case .pq: transfer == .pq
    case .hlg: transfer == .hlg
    case .sdr: !transfer.isHDR
    }
  }
}

extension TransferCharacteristics {
  /// The kind of base layer in profile 8 that has this transfer function (Dolby Vision Profiles and
  /// Levels, 2.1); `nil` if profile 8 does not allow the function.
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
  /// Whether the RPUs have profile 8: the first readable RPU has it, and so does the record, if
  /// there is one.
  package var holdsProfile8: Bool {
    // Records may be wrong, so the RPU must have profile 8 as well.
    (dolbyVision?.value.rpuProfile ?? 8) == 8 && dolbyVisionRPU?.profile == 8
  }

  /// A notice that the RPUs and the record have different profiles; `nil` if there is no conflict.
  package var profileConflict: Notice? {
    guard let record = dolbyVision?.value, let profile = dolbyVisionRPU?.profile,
      profile != record.rpuProfile
    else { return nil }
    return .recordOfOtherProfile("\(record)", rpus: profile)
  }

  /// Returns whether the record allows this base layer. That is so if the record's compatibility ID
  /// names the layer or is 0, or if there is no record.
  package func isDolbyVision(compatibleWith layer: DataMapping.BaseLayerSignal) -> Bool {
    guard let record = dolbyVision?.value else { return true }
    // Some writers leave the compatibility of profile 8 at 0.
    return [layer.rawValue, 0].contains(record.baseLayerSignalCompatibilityID)
  }
}

extension Movie.Track {
  /// Returns the frame rate by which Dolby Vision's levels are chosen; `nil` for a single frame.
  package func nominalFrameRate(_ times: SampleTimes) -> Double? {
    let timescale = Double(max(mediaTimescale, 1))
    return ConfigurationRecord.nominalFrameRate(
      ofTimes: times.compositionTimes.map { Double($0) / timescale })
  }
}
