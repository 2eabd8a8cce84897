// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience
internal import ColorTagging
internal import DolbyVision
internal import MediaCore
internal import NALUnits

extension VideoFacts {
  /// The facts about the frames after Dolby Vision's reshaping, which turns them into PQ of
  /// BT.2020; `nil` if they need no reshaping, or if no RPU says how to do it.
  package var reshaped: VideoFacts? {
    guard DolbyVisionSource(hdrMetadata)?.baseLayer == .closed,
      let unit = hdrMetadata.dolbyVisionRPU, SignalReshaping(unit) != nil
    else { return nil }
    // The result has at least the bit depth of HDR10, and chroma stays where it is.
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
  /// A notice that Dolby Vision's reshaping produces the frames; `nil` if it does not.
  package var reshapingNotice: Notice? {
    video?.reshaped == nil
      ? nil : (video?.hdrMetadata).flatMap(DolbyVisionSource.init)?.reshapingNotice
  }

  /// The facts about the frames as readers show them; `nil` for tracks without video.
  package var shownVideo: VideoFacts? { video?.reshaped ?? video }
}

extension HDRMetadata {
  /// The metadata of reshaped frames: Dolby Vision of profile 8.1.
  fileprivate var reshaped: HDRMetadata {
    var metadata = self
    metadata.frames[DolbyVisionRPU.self] = frames[DolbyVisionRPU.self]?.forReshapedFrames
    // Level 6 is there for players that show the result as HDR10.
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
