public import CodePoints
public import LibAV

/// A composition as a preset describes it: the built-in layout in a working space.
public struct CompositionSettings: Hashable, Sendable {
  /// The working space; nil for the source's.
  public var colorProperties: ColorDescription?
  /// The part of the frame that is kept; nil for all of it.
  public var crop: PictureLayout.Rectangle?
  /// The size that this part is brought to; nil for its own.
  public var scale: Size?
  /// The canvas that it lies on; nil for none.
  public var pad: Size?
  /// What is laid over it; nil for nothing.
  public var overlay: OverlaySettings?

  /// A size in luma samples.
  public struct Size: Hashable, Sendable {
    /// Samples in a row.
    public var width: Int
    /// Rows.
    public var height: Int
  }

  /// A PNG file and its place.
  public struct OverlaySettings: Hashable, Sendable {
    /// The file.
    public var file: String
    /// The left edge.
    public var x: Int
    /// The upper edge.
    public var y: Int
    /// 0…1.
    public var opacity: Double
  }

  /// Whether the frame's raster stays as it is.
  var keepsRaster: Bool { crop == nil && scale == nil && pad == nil }

  /// The composition for a track. What a preset says is of the picture as people see it.
  ///
  /// - Parameter seen: the part of frames that is kept where ``crop`` names none; nil for all.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where the overlay cannot be read.
  func videoComposition(
    frame: (width: Int, height: Int), orientation: Orientation,
    seen: PictureLayout.Rectangle? = nil
  ) throws -> VideoComposition {
    var layout = PictureLayout()
    layout.crop = crop.map { orientation.inFrame($0, frame: frame) } ?? seen
    layout.scale = scale.map { orientation.turned(($0.width, $0.height)) }
    layout.pad = pad.map { orientation.turned(($0.width, $0.height)) }
    let canvas = layout.pad ?? layout.scale ?? layout.crop.map { ($0.width, $0.height) } ?? frame
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

extension CompositionSettings {
  static let keys = ["colorProperties", "crop", "scale", "pad", "overlay"]

  /// Reads `video.composition`.
  init?(_ video: SettingsReader) throws(TranscodingError) {
    guard video.has("composition") else { return nil }
    let reader = try video.object("composition", keys: Self.keys)
    colorProperties = try VideoSettings.colorProperties(reader)
    if reader.has("crop") {
      let part = try reader.object("crop", keys: ["x", "y", "width", "height"])
      let size = try Self.size(part)
      crop = PictureLayout.Rectangle(
        x: try part.integer("x", in: 0...16_384) ?? 0,
        y: try part.integer("y", in: 0...16_384) ?? 0, width: size.width, height: size.height)
    }
    for (key, path) in [("scale", \CompositionSettings.scale), ("pad", \.pad)]
    where reader.has(key) {
      self[keyPath: path] = try Self.size(try reader.object(key, keys: ["width", "height"]))
    }
    overlay = try Self.overlay(reader)
  }

  private static func size(_ reader: SettingsReader) throws(TranscodingError) -> Size {
    guard let width = try reader.integer("width", in: 2...16_384),
      let height = try reader.integer("height", in: 2...16_384)
    else { throw reader.error("", "needs width and height") }
    return Size(width: width, height: height)
  }

  private static func overlay(
    _ reader: SettingsReader
  ) throws(TranscodingError) -> OverlaySettings? {
    guard reader.has("overlay") else { return nil }
    let overlay = try reader.object("overlay", keys: ["file", "x", "y", "opacity"])
    guard let file = try overlay.string("file") else {
      throw overlay.error("file", "is missing: the path of a PNG file")
    }
    return OverlaySettings(
      file: file, x: try overlay.integer("x", in: -16_384...16_384) ?? 0,
      y: try overlay.integer("y", in: -16_384...16_384) ?? 0,
      opacity: try overlay.number("opacity", in: 0...1) ?? 1)
  }
}
