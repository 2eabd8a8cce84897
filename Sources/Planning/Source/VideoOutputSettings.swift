// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
public import CodePoints
public import ColorConversion
internal import LibAV
public import MediaCore

/// The format of a reader's frames, like the output settings of `AVAssetReaderTrackOutput`.
public struct VideoOutputSettings: Sendable {
  /// `AVVideoAllowWideColorKey`: whether frames may come in their own wide-gamut or HDR space. If
  /// they may not, and if no color properties are set, they are converted to BT.709.
  public var allowWideColor: Bool
  /// The color of the frames, or `nil` for the source's color.
  public var colorProperties: ColorDescription?
  /// Depth, subsampling and layout (`kCVPixelBufferPixelFormatTypeKey`), or `nil` for the source's
  /// format.
  public var pixelFormat: PixelFormat?
  /// `true` for full range, `false` for limited range, or `nil` for the source's range.
  public var videoFullRangeFlag: Bool?
  /// Whether each frame comes with its own HDR metadata, such as a Dolby Vision RPU
  /// (`kVTDecompressionPropertyKey_PropagatePerFrameHDRDisplayMetadata`).
  public var propagatesPerFrameHDRDisplayMetadata: Bool
  /// The options for color conversion.
  public var conversion: ConversionOptions

  /// Makes settings. As Apple documents it, wide color is not allowed by default.
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

  /// Returns the conversion for a track's frames.
  ///
  /// - Throws: `ConversionRefusal` if the conversion is impossible.
  func plan(for facts: VideoFacts) throws(ConversionRefusal) -> ConversionPlan {
    let wanted = RequestedSignal(
      color: colorProperties, allowsWideColor: allowWideColor,
      videoFullRangeFlag: videoFullRangeFlag)
    return try SignalPlan(
      of: facts, tags: SourceTags(facts), wanted: wanted, format: pixelFormat ?? facts.format,
      options: conversion
    ).conversion
  }
}

/// Converts decoded frames to what settings ask for.
package struct OutputConverter {
  private let plan: ConversionPlan
  private let converter: FrameConverter?
  private let attachments: Attachments
  private let source: FrameSource
  private let propagatesPerFrame: Bool
  private var toneMaps = AuthoredToneMaps()

  package init(_ settings: VideoOutputSettings, track: AssetTrack, facts: VideoFacts) throws {
    source = FrameSource(facts, track: track)
    propagatesPerFrame = settings.propagatesPerFrameHDRDisplayMetadata
    plan = try settings.plan(for: facts)
    converter =
      plan.isIdentity
      ? nil : FrameConverter(plan: plan, width: facts.size.width, height: facts.size.height)
    var attachments = track.formatDescriptions.first?.extensions ?? Attachments()
    attachments.signal = plan.target.signal
    // A mastering display and light levels make no sense on SDR frames.
    if !plan.target.signal.color.transferCharacteristics.isHDR {
      attachments = Attachments(signal: attachments.signal)
    }
    self.attachments = attachments
  }

  /// Converts the next frame in presentation order.
  ///
  /// - Throws: ``TranscodingError`` if a frame differs from the first one.
  package mutating func convert(_ frame: VideoFrame) throws -> VideoFrame {
    try source.refuseChange(frame, of: source.name)
    var frame = frame
    let toneMap = toneMaps.next(frame.metadata, plan)
    let buffer =
      converter.map { $0.convert(frame.pixelBuffer, toneMap: toneMap) } ?? frame.pixelBuffer
    var attachments = attachments
    // A frame's dynamic metadata describes exactly its code values. If a conversion changes them,
    // the metadata is wrong.
    if propagatesPerFrame, converter == nil || plan.keepsCodeValues {
      attachments.metadata = frame.metadata
    }
    frame.pixelBuffer = buffer.withAttachments(attachments)
    return frame
  }
}
