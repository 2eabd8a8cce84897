internal import CodePoints
internal import MediaCore
internal import Settings

extension CompositionSettings {
  /// The composition for a track. What a preset says is of the frame as people see it.
  ///
  /// - Parameter seen: the part of frames that is kept where ``crop`` names none; nil for all.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where the overlay cannot be read.
  func videoComposition(
    frame: VideoDimensions, orientation: Orientation, seen: PixelRectangle? = nil
  ) throws -> VideoComposition {
    var layout = PictureLayout()
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
