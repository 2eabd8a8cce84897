// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience
internal import ColorTagging
internal import DolbyVision
internal import MediaCore
internal import NALUnits

extension VideoFacts {
  /// The facts about the frames after Dolby Vision's reshaping, which turns them into PQ with
  /// BT.2020 primaries; `nil` if they need no reshaping, or if no RPU says how to reshape them.
  package var reshaped: VideoFacts? {
    guard DolbyVisionSource(hdrMetadata)?.isClosed == true,
      let unit = hdrMetadata.dolbyVisionRPU, SignalReshaping(unit) != nil
    else { return nil }
    // Reshaped frames have at least 10 bits, as HDR10 has. Chroma stays where it is.
    let signal = SignalDescription(
      color: ColorDescription(.bt2020, .pq, .bt2020NonConstant), videoFullRangeFlag: false,
      chromaLocation: tags.signal.chromaLocation)
    let claims = [SignalClaim(source: .reshaping, signal: signal)]
    return VideoFacts(
      claims: claims, tags: ResolvedTags(claims), bitstream: bitstream, size: size,
      format: PixelFormat(
        bitDepth: max(format.bitDepth, 10), chromaSubsampling: format.chromaSubsampling),
      isRGB: false, hasAlpha: hasAlpha, hasCaptions: hasCaptions, fieldOrder: fieldOrder,
      hdrMetadata: hdrMetadata.reshaped)
  }

  /// Whether the facts are about reshaped frames.
  package var isReshaped: Bool { claims.first?.source == .reshaping }
}

extension AssetTrack {
  /// A notice that the frames are reshaped as Dolby Vision demands; `nil` if they are not.
  package var reshapingNotice: Notice? {
    video?.reshaped == nil
      ? nil : (video?.hdrMetadata).flatMap(DolbyVisionSource.init)?.reshapingNotice
  }

  /// The facts about the frames that are shown, after any reshaping; `nil` for tracks without
  /// video.
  package var shownVideo: VideoFacts? { video?.reshaped ?? video }
}

extension HDRMetadata {
  /// The metadata of reshaped frames: Dolby Vision of profile 8.1.
  fileprivate var reshaped: HDRMetadata {
    var metadata = self
    metadata.frames[DolbyVisionRPU.self] = frames[DolbyVisionRPU.self]?.forReshapedFrames
    if masteringDisplay == nil, let display = dolbyVisionRPU?.displayManagement?.masteringDisplay {
      metadata[MasteringDisplayColorVolume.self] = Finding(value: display, places: [])
    }
    // Level 6 has the static metadata for players that show the frames as HDR10.
    if contentLightLevel == nil, let level = dolbyVisionRPU?.displayManagement?.level6,
      level.maxContentLightLevel > 0
    {
      metadata[ContentLightLevel.self] = Finding(
        value: ContentLightLevel(
          maxContentLightLevel: level.maxContentLightLevel,
          maxPicAverageLightLevel: level.maxFrameAverageLightLevel), places: [])
    }
    if let finding = dolbyVision {
      var record = finding.value
      (record.profile, record.baseLayerSignalCompatibilityID) = (8, 1)
      metadata.dolbyVision = Finding(value: record, places: finding.places)
    }
    return metadata
  }
}

extension DisplayManagementData {
  /// The display that the content was mastered on: the one that level 6 states, or else the one
  /// that `source_min_PQ` and `source_max_PQ` imply. A display does not count if it is impossible,
  /// or if it does not reach 100 cd/m². `nil` if neither display counts.
  fileprivate var masteringDisplay: MasteringDisplayColorVolume? {
    let levels: [(Double, Double)?] = [
      level6.map { (Double($0.maxDisplayMasteringLuminance), $0.minimumLuminance) },
      color.map { color in
        // A display's peak is a round number, but its 12-bit code stands for that number only
        // roughly.
        let peak = PQ.eotf(Double(color.sourceMaxPQ) / 4095)
        return ((peak / 50).rounded() * 50, PQ.eotf(Double(color.sourceMinPQ) / 4095))
      },
    ]
    return levels.lazy.compactMap { $0 }.compactMap { maximum, minimum in
      MasteringDisplayColorVolume(primaries, maximum: maximum, minimum: minimum)
    }.first { $0.faults.isEmpty && $0.maximumLuminance >= 100 }
  }

  /// The primaries of the mastering display. If level 9 does not say, they are P3, as on most
  /// mastering displays.
  private var primaries: MasteringDisplayColorVolume.NamedPrimaries {
    let wanted: ColorPrimaries =
      switch level9?.sourcePrimaryIndex {
      case 1: .bt709
      case 2: .bt2020
      default: .p3D65
      }
    let names = MasteringDisplayColorVolume.shortNames
    return names.first { $0.primaries == wanted } ?? names[0]
  }
}

extension VideoFacts {
  /// A notice that the samples contradict the Dolby Vision record; `nil` if they do not. It covers
  /// three contradictions: the profile of the RPUs is not that of the record; the samples have one
  /// layer more than the record's profile; or the RPUs and the color tags agree on a base layer,
  /// but the record states another one.
  package var recordConflict: Notice? {
    if let conflict = hdrMetadata.profileConflict ?? hdrMetadata.layerConflict { return conflict }
    let transfer = tags.signal.color.transferCharacteristics
    guard let record = hdrMetadata.dolbyVision?.value, let rpu = hdrMetadata.dolbyVisionRPU,
      let mapped = rpu.mappedSignal, mapped.permits(transfer),
      let stated = DataMapping.BaseLayerSignal(rawValue: record.baseLayerSignalCompatibilityID),
      !stated.permits(transfer)
    else { return nil }
    return .recordOfOtherProfile("\(record)", rpus: "8.\(mapped.rawValue)")
  }
}
