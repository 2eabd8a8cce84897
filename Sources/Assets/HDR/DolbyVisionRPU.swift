// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
internal import ColorScience
package import DolbyVision
internal import ISOBMFF
package import LibAV
internal import MediaCore
package import NALUnits

/// The Dolby Vision RPU of a frame. It keeps the bytes that it was read from or written as:
/// `19 … 80`, with emulation prevention and without zeros at the end.
package struct DolbyVisionRPU {
  package let payload: [UInt8]
  private let content: Result<ReferenceProcessingUnit, DolbyVisionError>

  /// The parsed unit; `nil` if the bytes cannot be read.
  package var unit: ReferenceProcessingUnit? { try? content.get() }
  /// Why the bytes cannot be read; `nil` if they can.
  package var damage: DolbyVisionError? {
    if case .failure(let error) = content { error } else { nil }
  }

  package init(payload: [UInt8]) {
    self.payload = payload
    content = Result { () throws(DolbyVisionError) in
      try ReferenceProcessingUnit(hevcNALUnit: NALUnit(dolbyVisionRPU: payload).bytes)
    }
  }

  package init(writing unit: ReferenceProcessingUnit) throws(DolbyVisionError) {
    payload = Array(try unit.hevcNALUnit().dropFirst(2))
    content = .success(unit)
  }

  /// The RPU for frames to which this RPU's mapping was applied. The new RPU has profile 8.1, and
  /// describes the image just as this RPU does. `nil` if this RPU cannot be read, or if the new one
  /// cannot be written.
  package var forReshapedFrames: DolbyVisionRPU? {
    unit.flatMap { try? DolbyVisionRPU(writing: $0.profile81) }
  }

  /// The RPU for the base layer alone: an RPU of profile 7 becomes one of profile 8.1. `nil` if it
  /// cannot be read or written, or if its profile is neither 7 nor 8.
  package var forBaseLayerAlone: DolbyVisionRPU? {
    // An RPU of profile 8 keeps all its bytes.
    guard let unit, unit.profile != 8 else { return unit == nil ? nil : self }
    return unit.forBaseLayerAlone.flatMap { try? DolbyVisionRPU(writing: $0) }
  }

  /// Returns the RPU with changed data for display management. If the RPU has no such data, or
  /// cannot be read or written, it stays as it is.
  package func changed(_ change: (inout DisplayManagementData) -> Void) -> DolbyVisionRPU {
    guard var unit, var data = unit.displayManagement else { return self }
    change(&data)
    unit.displayManagement = data
    return (try? DolbyVisionRPU(writing: unit)) ?? self
  }
}

extension DolbyVisionRPU: DynamicHDRMetadataKind {
  package static let key = Attachments.dolbyVisionKey
  package static let name = "Dolby Vision"

  /// Returns the last RPU of the access unit.
  package static func payload(in units: ArraySlice<NALUnit>) -> [UInt8]? {
    // An RPU is the last unit of its access unit, and FFmpeg's decoder finds it nowhere else. If
    // there are several, the last one counts.
    units.last(where: \.isDolbyVisionRPU)?.dolbyVisionRPU
  }

  /// Removes RPUs and the enhancement layer, which means nothing without them.
  package static func removed(from unit: NALUnit) -> NALUnit? {
    unit.isDolbyVisionRPU || unit.isDolbyVisionEnhancementLayer ? nil : unit
  }

  package static func isCarried(by codec: NALCodec) -> Bool { codec.carriesDolbyVision }

  package func nalUnit(_ codec: NALCodec) -> NALUnit { NALUnit(dolbyVisionRPU: payload) }

  /// Returns whether the record's base layer can have this transfer function; `true` if the record
  /// leaves the base layer open. Without a record, returns whether the function is PQ or HLG.
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool {
    // RPUs without a record count as profile 8.1 (PQ) or 8.4 (HLG).
    guard let record = metadata.dolbyVision?.value else { return transfer.isHDR }
    let source = DolbyVisionSource(record)
    return !source.isClosed && source.baseLayer?.permits(transfer) ?? true
  }

  /// Returns whether the metadata is still true. Cropping black bars does not matter, because the
  /// RPU describes only the area inside them.
  package static func isTrue(after change: FrameChange) -> Bool {
    change == .none || change == .bars
  }

  package static let isOfEveryFrame = true
  package static let isComputed = true
  package static let belongsToLayers = true
  package static let statement = "Dolby Vision configuration"
  package static let item = "Dolby Vision RPU"
  package static let sampleKey = "dolbyVisionRPU"
  package static let sampleName = "Dolby Vision metadata (RPU)"
  package static let frameCount = (key: "dolbyVisionRPUs", text: "frames with an RPU")
  package static let partCount: (key: String, text: String)? = (
    "dolbyVisionLevel", "for each level of metadata, the number of RPUs that have it"
  )
  /// The boxes of the configuration record, and of an enhancement layer in the same samples.
  package static let boxes: [FourCC] = SampleEntry.dolbyVisionBoxes + [layerBox]
  /// The box that holds the enhancement layer's configuration in a sample entry.
  package static let layerBox: FourCC = "hvcE"
  package static let lossCodes: [Notice.Code] = [
    "baseLayerTaken", "rpusDamaged", "rpusOfOtherProfile",
  ]

  package static func isPresent(in metadata: HDRMetadata) -> Bool {
    metadata.frames.has(Self.self) || metadata.dolbyVision != nil
  }

  package static func name(in metadata: HDRMetadata) -> String {
    metadata.dolbyVision.map { "\(name) \($0.value)" } ?? name
  }

  package static func dynamicRange(in metadata: HDRMetadata, codecProfile: UInt8?) -> String? {
    // Raw streams and WebM have no record, and a record that contradicts the RPUs is not believed.
    // In both cases, the RPUs tell the profile.
    let record = metadata.profileConflict == nil ? metadata.dolbyVision?.value : nil
    return record?.dynamicRange
      ?? metadata.frames[Self.self]?.profileText(codecProfile).map { "\(name) \($0)" }
  }

  /// Returns the profile that a record would state for samples with this RPU.
  private func profileText(_ codecProfile: UInt8?) -> String? {
    guard let codecProfile, codecProfile > 8, unit?.profile != nil else { return profileText }
    // Records of AV1 state profile 10, whatever profile the RPUs have.
    return "\(codecProfile).\(unit?.mappedSignal?.rawValue ?? 0)"
  }

  package var isReadable: Bool { damage == nil }
  package var profileText: String? {
    guard let unit, let profile = unit.profile else { return nil }
    return unit.mappedSignal.map { "\(profile).\($0.rawValue)" } ?? "\(profile)"
  }
  /// Whether the RPU has its own mapping and does not use that of an earlier RPU.
  package var standsAlone: Bool { unit?.dataMapping != nil }
  package var fault: String? { unit?.issues.first }

  /// Returns whether the RPU has a usable profile and no fault. Profile 8 is usable, and so is
  /// profile 7 if the first RPU has it. Faults are allowed if the first RPU has one, too.
  package func isUsable(beside first: DolbyVisionRPU) -> Bool {
    guard let unit, unit.profile == 8 || unit.profile == 7 && first.unit?.profile == 7
    else { return false }
    // If the track's first RPU has a fault as well, the program that wrote the track makes RPUs
    // like that. They are not damaged.
    return unit.issues.isEmpty || first.fault != nil
  }

  /// The levels of the RPU's metadata blocks.
  package var parts: Set<UInt8> { Set(unit?.displayManagement?.blocks.map(\.level) ?? []) }

  /// The maximum of level 1 in cd/m².
  package var peakLuminance: Double? {
    (unit?.displayManagement?.level1).map { PQ.eotf(Double($0.maxPQ) / 4095) }
  }

  /// Whether the RPU has a level 6, which repeats the light levels of the whole track.
  package var repeatsLightLevels: Bool { unit?.displayManagement?.level6 != nil }

  package var beginsShot: Bool { unit?.displayManagement?.isSceneRefresh ?? false }
  package var beginningShot: DolbyVisionRPU { changed { $0.isSceneRefresh = true } }

  /// Returns the RPU with its active area turned like the frame.
  package func turned(_ turn: FrameRotator.Turn) -> DolbyVisionRPU {
    // Level 5 counts from the edges of the coded frame. If the active area is the whole frame, a
    // turn does not change it.
    guard let area = unit?.displayManagement?.level5, !area.isWholePicture else { return self }
    return changed { $0.setActiveArea(area.turned(turn)) }
  }
}

extension Level5 {
  fileprivate func turned(_ turn: FrameRotator.Turn) -> Level5 {
    var (left, right) = (activeAreaLeftOffset, activeAreaRightOffset)
    var (top, bottom) = (activeAreaTopOffset, activeAreaBottomOffset)
    if turn.reversesColumns { (left, right) = (right, left) }
    if turn.reversesRows { (top, bottom) = (bottom, top) }
    return turn.swapsAxes
      ? Level5(left: top, right: bottom, top: left, bottom: right)
      : Level5(left: left, right: right, top: top, bottom: bottom)
  }
}
