// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
public import MediaCore
internal import Settings

/// The steps for each frame of a track, and their color space: `AVVideoComposition`.
public struct VideoComposition: Sendable {
  /// The primaries of the working space; nil adopts and propagates the source's.
  public var colorPrimaries: ColorPrimaries?
  /// The transfer function of the working space; nil adopts and propagates the source's.
  public var colorTransferFunction: TransferCharacteristics?
  /// The matrix of the working space; nil adopts and propagates the source's.
  public var colorYCbCrMatrix: MatrixCoefficients?
  /// The size of the frames that the render context makes; `nil` for what the compositor says,
  /// which is the source's size unless it has a rule of its own.
  public var renderSize: VideoDimensions?
  /// The time from one frame to the next, of an output with a constant rate; `nil` for the source's
  /// times.
  public var frameDuration: MediaTime?
  /// The maker of the frames.
  public var compositor: any VideoCompositing

  /// A composition whose working space is the source's.
  public init(compositor: any VideoCompositing) {
    self.compositor = compositor
  }

  /// A composition that hands every frame of an asset to a closure, in the working space, wide or
  /// HDR as it may be: `init(asset:applyingCIFiltersWithHandler:)`.
  ///
  /// - Parameters:
  ///   - pixelFormat: the format of frames and results; nil for the decoder's.
  ///   - handler: makes a frame of the render context from a request.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for an asset without video.
  public init(
    asset: MediaAsset, pixelFormat: PixelFormat? = nil,
    applying handler: @escaping @Sendable (CompositionRequest) throws -> PixelBuffer
  ) throws {
    guard asset.videoTrack?.video != nil else {
      throw TranscodingError(
        .unusableInput, "\(asset.path): there is no video that could be composed")
    }
    compositor = ClosureCompositor(
      sourcePixelBufferAttributes: pixelFormat.map { PixelBufferAttributes(pixelFormats: [$0]) },
      handler: handler)
  }

  /// The working space for a source: parts that are not set are the source's.
  func workingSpace(for source: ColorDescription) -> ColorDescription {
    ColorDescription(
      colorPrimaries ?? source.colorPrimaries,
      colorTransferFunction ?? source.transferCharacteristics,
      colorYCbCrMatrix ?? source.matrixCoefficients)
  }

  /// Returns the constant rate of the frames; `nil` if they keep the source's times.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a duration that no frame has.
  func frameRate() throws(TranscodingError) -> FrameRate? {
    guard let frameDuration else { return nil }
    guard let rate = FrameRate(Int(frameDuration.timescale), per: Int(frameDuration.value)),
      FrameRateSetting.range.contains(rate.framesPerSecond)
    else {
      throw TranscodingError(
        .invalidSettings, "composition: its frameDuration is \(frameDuration.seconds) s")
    }
    return rate.reduced
  }

  /// True if any part of the working space is set.
  var hasWorkingSpace: Bool {
    colorPrimaries != nil || colorTransferFunction != nil || colorYCbCrMatrix != nil
  }
}

/// A closure as a compositor.
private struct ClosureCompositor: VideoCompositing {
  let supportsWideColorSourceFrames = true
  let supportsHDRSourceFrames = true
  let sourcePixelBufferAttributes: PixelBufferAttributes?
  let handler: @Sendable (CompositionRequest) throws -> PixelBuffer

  var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? {
    sourcePixelBufferAttributes
  }

  var stepDescriptions: [String] { ["compose by the program's closure"] }

  func compose(_ request: CompositionRequest) throws -> PixelBuffer { try handler(request) }
}

extension CompositionSettings {
  /// The composition for a track. A preset describes the frame as people see it.
  ///
  /// - Parameters:
  ///   - seen: the part of frames that is kept where ``crop`` names none; nil for all.
  ///   - hasFields: true if frames are interlaced.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where the overlay cannot be read.
  func videoComposition(
    frame: VideoDimensions, orientation: Orientation, seen: PixelRectangle? = nil,
    hasFields: Bool = false
  ) throws -> VideoComposition {
    var layout = PictureLayout()
    layout.hasFields = hasFields
    layout.orientation = orientation
    layout.crop = crop.map { orientation.inFrame($0, frame: frame) } ?? seen
    layout.scale = scale.map(orientation.turned)
    layout.pad = pad.map(orientation.turned)
    let canvas = layout.pad ?? layout.scale ?? layout.crop?.size ?? frame
    layout.overlay = try overlay.map {
      try Overlay(
        path: $0.file, x: $0.x, y: $0.y, opacity: $0.opacity, orientation: orientation,
        canvas: canvas)
    }
    var composition = VideoComposition(compositor: layout)
    composition.colorPrimaries = colorProperties?.colorPrimaries
    composition.colorTransferFunction = colorProperties?.transferCharacteristics
    composition.colorYCbCrMatrix = colorProperties?.matrixCoefficients
    return composition
  }
}
