internal import LibAV
internal import MediaCore

/// The output's size, and which part of the source goes where in it.
struct ScaledGeometry: Hashable {
  typealias Rectangle = PictureScaler.Geometry.Rectangle

  /// What the scaler has to do; nil where the pictures stay as they are.
  let scaling: PictureScaler.Geometry?
  /// What that is for what is said of the pictures.
  let change: HDRMetadataPlan.PictureChange
  /// Whether nothing but a part of the source is taken, whatever the size.
  let isCropped: Bool
  /// The output's luma samples in a row.
  let width: Int
  /// The output's luma rows.
  let height: Int

  /// Works it out.
  ///
  /// With subsampled chroma, sizes and positions are multiples of the subsampling: an odd column
  /// or row of the source is cut off.
  ///
  /// - Parameter crop: the part of the source that is taken, on that raster; nil for all of it.
  init(
    source: (width: Int, height: Int), settings: VideoSettings, subsampling: ChromaSubsampling,
    crop: Rectangle? = nil
  ) {
    isCropped = crop != nil
    let grid = Grid(subsampling)
    let taken = crop.map { ($0.width, $0.height) } ?? source
    var part = grid.cut(taken)
    let box = Self.box(settings, source: part)
    let across = Double(box.width) / Double(part.width)
    let down = Double(box.height) / Double(part.height)
    var size = (width: box.width, height: box.height)
    var inner = size
    switch settings.scalingMode {
    case .fit:
      size = grid.scale(part, by: min(across, down, 1))
      inner = size
    case .resize:
      break
    case .resizeAspect:
      inner = grid.scale(part, by: min(across, down))
    case .resizeAspectFill:
      part = grid.scale(size, by: 1 / max(across, down))
    }
    width = size.width
    height = size.height
    var used = grid.centered(part, in: taken)
    used.x += crop?.x ?? 0
    used.y += crop?.y ?? 0
    let wanted = PictureScaler.Geometry(
      source: used, target: grid.centered(inner, in: size),
      width: width, height: height)
    let whole = Rectangle(x: 0, y: 0, width: source.width, height: source.height)
    scaling = wanted.source == whole && wanted.target == whole ? nil : wanted
    change = scaling.map { Self.change($0, source: whole) } ?? .none
  }

  /// The part that is cut out of the source where nothing else is done to its size; nil otherwise.
  var cut: Rectangle? {
    guard let scaling, !isResizing, scaling.target.width == width, scaling.target.height == height
    else { return nil }
    return scaling.source
  }

  /// What is done, for people: in order.
  var steps: [String] {
    guard scaling != nil else { return [] }
    if let cut { return ["cut out \(cut.width)×\(cut.height) from \(cut.x), \(cut.y)"] }
    return isResizing ? ["scale with Lanczos filters"] : ["put into \(width)×\(height)"]
  }

  /// Whether samples are computed anew.
  var isResizing: Bool {
    scaling.map { ($0.source.width, $0.source.height) != ($0.target.width, $0.target.height) }
      ?? false
  }

  /// Whether rows are computed anew, of which fields would mix.
  var mixesRows: Bool { scaling.map { $0.source.height != $0.target.height } ?? false }

  /// A single odd column or row that is cut off is nothing of the picture.
  private static func change(
    _ scaling: PictureScaler.Geometry, source: Rectangle
  ) -> HDRMetadataPlan.PictureChange {
    let isCut =
      source.width - scaling.source.width > 1 || source.height - scaling.source.height > 1
    let isPadded =
      scaling.target.width < scaling.width || scaling.target.height < scaling.height
    return isCut || isPadded ? .frame : .size
  }

  /// The shape of a sample after scaling: it changes only where the picture's aspect ratio does.
  ///
  /// - Parameter ratio: the source's, (0, 1) if unstated.
  func sampleAspectRatio(
    _ ratio: (width: Int, height: Int), source: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    guard let scaling else { return ratio }
    return SampleAspectRatio.scaled(
      ratio, from: (scaling.source.width, scaling.source.height),
      to: (scaling.target.width, scaling.target.height))
  }

  /// The size that the settings ask for. A box to fit into is turned to the source's orientation.
  private static func box(
    _ settings: VideoSettings, source: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    let ratio = Double(source.width) / Double(source.height)
    switch (settings.width, settings.height) {
    case (nil, nil):
      return source
    case (let width?, nil):
      return (width, max(Int((Double(width) / ratio / 2).rounded()) * 2, 2))
    case (nil, let height?):
      return (max(Int((Double(height) * ratio / 2).rounded()) * 2, 2), height)
    case (let width?, let height?):
      let isTurned = (width > height) != (source.width > source.height)
      return settings.scalingMode == .fit && isTurned ? (height, width) : (width, height)
    }
  }

  /// The raster that sizes and positions lie on.
  private struct Grid {
    let x: Int
    let y: Int

    init(_ subsampling: ChromaSubsampling) {
      x = 1 << subsampling.horizontalShift
      y = 1 << subsampling.verticalShift
    }

    func cut(_ size: (width: Int, height: Int)) -> (width: Int, height: Int) {
      (max(size.width / x * x, x), max(size.height / y * y, y))
    }

    func scale(_ size: (width: Int, height: Int), by factor: Double) -> (width: Int, height: Int) {
      func round(_ value: Int, _ unit: Int) -> Int {
        max(Int((Double(value) * factor / Double(unit)).rounded()) * unit, unit)
      }
      return (round(size.width, x), round(size.height, y))
    }

    func centered(
      _ inner: (width: Int, height: Int), in outer: (width: Int, height: Int)
    ) -> Rectangle {
      let width = min(inner.width, outer.width)
      let height = min(inner.height, outer.height)
      return Rectangle(
        x: (outer.width - width) / 2 / x * x, y: (outer.height - height) / 2 / y * y,
        width: width, height: height)
    }
  }
}
