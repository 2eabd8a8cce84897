// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
public import MediaCore
internal import Settings

/// What is done to each frame of a track, and in which color space, like `AVVideoComposition`.
public struct VideoComposition: Sendable {
  /// The primaries of the working space, or `nil` to keep the source's.
  public var colorPrimaries: ColorPrimaries?
  /// The transfer function of the working space, or `nil` to keep the source's.
  public var colorTransferFunction: TransferCharacteristics?
  /// The matrix of the working space, or `nil` to keep the source's.
  public var colorYCbCrMatrix: MatrixCoefficients?
  /// The size of results, or `nil` for the compositor's choice, usually the source's size.
  public var renderSize: VideoDimensions?
  /// The duration of every frame in an output with a constant rate, or `nil` to keep the source's
  /// times.
  public var frameDuration: MediaTime?
  /// Makes the frames.
  public var compositor: any VideoCompositing

  /// Makes a composition in the source's color space. It changes nothing unless a compositor is
  /// given or properties are set.
  public init(compositor: any VideoCompositing = FrameLayout()) {
    self.compositor = compositor
  }

  /// Makes a composition that changes nothing until its properties are set, like AVFoundation's
  /// `init(propertiesOf:)`. Frames stay in the source's color space.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the asset has no video.
  public init(propertiesOf asset: MediaAsset) throws {
    try Self.refuseWithoutVideo(asset)
    self.init(compositor: FrameLayout())
  }

  /// Makes a composition that hands every frame to a closure, like AVFoundation's
  /// `init(asset:applyingCIFiltersWithHandler:)`. Frames stay in the source's color space, even if
  /// it has a wide gamut or is HDR.
  ///
  /// - Parameters:
  ///   - pixelFormat: the format of frames and results, or `nil` for the decoder's.
  ///   - handler: makes a frame from a request, in a buffer of the request's render context.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the asset has no video.
  public init(
    asset: MediaAsset, pixelFormat: PixelFormat? = nil,
    applying handler: @escaping @Sendable (CompositionRequest) throws -> PixelBuffer
  ) throws {
    try Self.refuseWithoutVideo(asset)
    compositor = ClosureCompositor(
      sourcePixelBufferAttributes: pixelFormat.map { PixelBufferAttributes(pixelFormats: [$0]) },
      handler: handler)
  }

  private static func refuseWithoutVideo(_ asset: MediaAsset) throws(TranscodingError) {
    guard asset.videoTrack?.video != nil else {
      throw TranscodingError(
        .unusableInput, "\(asset.path): it has no video to compose")
    }
  }

  /// Returns the working space for a source. Parts that are not set are taken from the source.
  func workingSpace(for source: ColorDescription) -> ColorDescription {
    ColorDescription(
      colorPrimaries ?? source.colorPrimaries,
      colorTransferFunction ?? source.transferCharacteristics,
      colorYCbCrMatrix ?? source.matrixCoefficients)
  }

  /// Returns the constant frame rate, or `nil` if frames keep the source's times.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the duration is not 0.001 to 10 s.
  func frameRate() throws(TranscodingError) -> FrameRate? {
    guard let frameDuration else { return nil }
    guard let rate = FrameRate(Int(frameDuration.timescale), per: Int(frameDuration.value)),
      FrameRateSetting.range.contains(rate.framesPerSecond)
    else {
      throw TranscodingError(
        .invalidSettings,
        "composition: its frameDuration is \(frameDuration.seconds) s, not 0.001 to 10 s")
    }
    return rate.reduced
  }

  var hasWorkingSpace: Bool {
    colorPrimaries != nil || colorTransferFunction != nil || colorYCbCrMatrix != nil
  }
}

/// A compositor that calls a closure.
private struct ClosureCompositor: VideoCompositing {
  let supportsWideColorSourceFrames = true
  let supportsHDRSourceFrames = true
  let sourcePixelBufferAttributes: PixelBufferAttributes?
  let handler: @Sendable (CompositionRequest) throws -> PixelBuffer

  var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? {
    sourcePixelBufferAttributes
  }

  var stepDescriptions: [String] { ["compose with the program's closure"] }

  func compose(_ request: CompositionRequest) throws -> PixelBuffer { try handler(request) }
}

extension CompositionSettings {
  /// Returns the composition for a track.
  ///
  /// - Parameters:
  ///   - seen: the part of frames to keep if the settings have no ``crop``, or `nil` for all.
  ///   - hasFields: whether frames are interlaced.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the overlay cannot be read.
  func videoComposition(
    frame: VideoDimensions, orientation: Orientation, seen: PixelRectangle? = nil,
    hasFields: Bool = false
  ) throws -> VideoComposition {
    // A preset describes the frame as viewers see it, so its numbers are converted to the coded
    // frame.
    var layout = FrameLayout()
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
