// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
public import CodePoints
public import ColorConversion
internal import LibAV
public import MediaCore

/// The format of a reader's frames: the output settings of `AVAssetReaderTrackOutput`.
public struct VideoOutputSettings: Sendable {
  /// `AVVideoAllowWideColorKey`: true if frames may come in a wide-gamut or HDR space of their own.
  /// If false, and without color properties, such frames are converted to BT.709.
  public var allowWideColor: Bool
  /// The meaning of the frames' colors; nil for their own.
  public var colorProperties: ColorDescription?
  /// Depth, subsampling and layout (`kCVPixelBufferPixelFormatTypeKey`); nil for the source's.
  public var pixelFormat: PixelFormat?
  /// True for full range, false for limited; nil for the source's range.
  public var videoFullRangeFlag: Bool?
  /// True if HDR metadata of single frames, such as Dolby Vision RPUs, comes with them
  /// (`kVTDecompressionPropertyKey_PropagatePerFrameHDRDisplayMetadata`).
  public var propagatesPerFrameHDRDisplayMetadata: Bool
  /// The options for conversions of color.
  public var conversion: ConversionOptions

  /// Settings; as documented by Apple, wide color is not allowed by default.
  public init(
    allowWideColor: Bool = false, colorProperties: ColorDescription? = nil,
    pixelFormat: PixelFormat? = nil, videoFullRangeFlag: Bool? = nil,
    propagatesPerFrameHDRDisplayMetadata: Bool = true,
    conversion: ConversionOptions = ConversionOptions()
  ) {
    self.allowWideColor = allowWideColor
    self.colorProperties = colorProperties
    self.pixelFormat = pixelFormat
    self.videoFullRangeFlag = videoFullRangeFlag
    self.propagatesPerFrameHDRDisplayMetadata = propagatesPerFrameHDRDisplayMetadata
    self.conversion = conversion
  }

  /// Returns the conversion of a track's frames by these settings.
  ///
  /// - Throws: `ConversionRefusal` for what cannot be converted.
  func plan(for facts: VideoFacts) throws(ConversionRefusal) -> ConversionPlan {
    let wanted = WantedSignal(
      color: colorProperties, allowsWideColor: allowWideColor,
      videoFullRangeFlag: videoFullRangeFlag)
    return try SignalPlan(
      of: facts, tags: SourceTags(facts), wanted: wanted, format: pixelFormat ?? facts.format,
      options: conversion
    ).conversion
  }
}

/// Gives decoded frames the meaning and the form that settings ask for.
package struct OutputConverter {
  private let plan: ConversionPlan
  private let converter: FrameConverter?
  private let attachments: Attachments
  private let source: PictureSource
  private let propagatesPerFrame: Bool

  package init(_ settings: VideoOutputSettings, track: AssetTrack, facts: VideoFacts) throws {
    source = PictureSource(facts, track: track)
    propagatesPerFrame = settings.propagatesPerFrameHDRDisplayMetadata
    plan = try settings.plan(for: facts)
    converter =
      plan.isIdentity
      ? nil : FrameConverter(plan: plan, width: facts.size.width, height: facts.size.height)
    var attachments = track.formatDescriptions.first?.extensions ?? Attachments()
    attachments.signal = plan.target.signal
    if !plan.target.signal.color.transferCharacteristics.isHDR {
      attachments = Attachments(signal: attachments.signal)
    }
    self.attachments = attachments
  }

  /// - Throws: ``TranscodingError`` for a frame that is not like the first.
  package func convert(_ frame: VideoFrame) throws -> VideoFrame {
    try source.refuseChange(frame, of: source.name)
    var frame = frame
    let buffer = converter.map { $0.convert(frame.pixelBuffer) } ?? frame.pixelBuffer
    var attachments = attachments
    // They are of these pixels alone.
    if propagatesPerFrame, converter == nil || plan.keepsCodeValues {
      attachments.metadata = frame.metadata
    }
    frame.pixelBuffer = buffer.withAttachments(attachments)
    return frame
  }
}
