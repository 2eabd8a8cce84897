// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
internal import ColorTagging
package import DolbyVision
package import ISOBMFF

extension SampleEntry {
  // If an entry has both `dvcC` and `dvvC`, the frames are the single layer that `dvvC` describes.
  // `dvcC` is then only for old players that do not know `dvvC` and should show the frames without
  // Dolby Vision.
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
  /// How the record appears in the name of a dynamic range, such as "Dolby Vision 8.4".
  package var dynamicRange: String { "\(DolbyVisionRPU.name) \(profileText)" }

  /// Whether the frames are HLG, as in profile 8.4.
  package var needsAmbientViewingEnvironment: Bool {
    // Players without Dolby Vision show these frames as HLG, so TN3145 asks for the ambient viewing
    // environment, too.
    baseLayerSignalCompatibilityID == DataMapping.BaseLayerSignal.hlg.rawValue
  }
}

extension ColorDescription {
  // Only HLG gets RPUs by default (profile 8.4), as on phones. For other frames, RPUs are computed
  // only if the settings ask for them.
  /// Whether RPUs are computed for frames of this color even if the settings name no profile.
  package var takesComputedRPUs: Bool { self == .hlg }
}

extension DataMapping.BaseLayerSignal {
  /// The transfer functions that profile 8 allows for the signal (Dolby Vision Profiles and Levels,
  /// 2.1).
  private var transferFunctions: [TransferCharacteristics] {
    switch self {
    case .pq: [.pq]
    case .hlg: [.hlg]
    case .sdr: [.bt709, .bt2020TenBit]
    }
  }

  /// Returns whether frames with a transfer function have this signal. Every transfer function that
  /// is not for HDR counts as SDR, even an undeclared one.
  package func permits(_ transfer: TransferCharacteristics) -> Bool {
    transfer.isHDR ? transferFunctions.contains(transfer) : self == .sdr
  }

  /// The base layer of profile 8 with this transfer function; `nil` if profile 8 does not allow the
  /// function.
  package init?(_ transfer: TransferCharacteristics) {
    let layer = Self.allCases.first { $0.transferFunctions.contains(transfer) }
    guard let layer else { return nil }
    self = layer
  }
}

extension ReferenceProcessingUnit {
  /// Returns the signal that the mapping is for, if that signal does not suit the frames' transfer
  /// function. Returns `nil` if it suits or is unknown.
  package func misfit(_ transfer: TransferCharacteristics) -> DataMapping.BaseLayerSignal? {
    guard let signal = dataMapping?.baseLayerSignal(header) else { return nil }
    return signal.permits(transfer) ? nil : signal
  }
}

extension HDRMetadata {
  /// Whether the first readable RPU has profile 8, whatever the record says.
  package var holdsProfile8: Bool {
    // The record may be wrong. An output gets a new one anyway.
    dolbyVisionRPU?.profile == 8
  }

  /// The record; `nil` if its profile is not that of the RPUs.
  private var recordOfRPUs: ConfigurationRecord? {
    profileConflict == nil ? dolbyVision?.value : nil
  }

  /// A notice that the RPUs and the record have different profiles; `nil` if there is no conflict.
  package var profileConflict: Notice? {
    guard let record = dolbyVision?.value, let profile = dolbyVisionRPU?.profile,
      profile != record.rpuProfile
    else { return nil }
    return .recordOfOtherProfile("\(record)", rpus: "\(profile)")
  }

  /// A notice that samples contain an enhancement layer although the record's profile has a single
  /// layer; `nil` if there is no such conflict, or if a readable RPU decides it.
  package var layerConflict: Notice? {
    guard hasDolbyVisionEnhancementLayer, dolbyVisionRPU == nil, let record = dolbyVision?.value,
      record.hasSingleLayer
    else { return nil }
    return .layerNotOfRecord("\(record)")
  }

  /// Returns whether RPUs of profile 8 can belong to this base layer. They can if one of these is
  /// true: their mapping is for the layer; a record with the profile of the RPUs names the layer or
  /// leaves it open; there is no such record, and the mapping is unknown.
  package func isDolbyVision(compatibleWith layer: DataMapping.BaseLayerSignal) -> Bool {
    let mapped = dolbyVisionRPU?.mappedSignal
    guard let record = recordOfRPUs else { return mapped == nil || mapped == layer }
    // Some writers leave the compatibility of profile 8 at 0.
    return [layer.rawValue, 0].contains(record.baseLayerSignalCompatibilityID) || mapped == layer
  }
}

extension ReferenceProcessingUnit {
  /// The signal that the mapping was made for; `nil` if it is unknown, or if the profile is not 8.
  package var mappedSignal: DataMapping.BaseLayerSignal? {
    profile == 8 ? dataMapping?.baseLayerSignal(header) : nil
  }
}

extension Movie.Track {
  /// Returns the frame rate by which Dolby Vision's level is chosen; `nil` if there are fewer than
  /// two frames.
  package func nominalFrameRate(_ times: SampleTimes) -> Double? {
    let timescale = Double(max(mediaTimescale, 1))
    return ConfigurationRecord.nominalFrameRate(
      ofTimes: times.compositionTimes.map { Double($0) / timescale })
  }
}
