// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import Settings

/// The output's size, and which part of the source goes where in it.
struct ScaledGeometry: Hashable {
  /// What the scaler has to do; nil where the frames stay as they are.
  let scaling: PictureScaler.Geometry?
  /// What that is for what is said of the frames.
  let change: PictureChange
  /// True if nothing but a part of the source is taken, whatever the size.
  let isCropped: Bool
  /// The output's size.
  let size: VideoDimensions

  /// Works it out.
  ///
  /// With subsampled chroma, sizes and positions are multiples of the subsampling: an odd column
  /// or row of the source is cut off.
  ///
  /// - Parameter crop: the part of the source that is taken, on that raster; nil for all of it.
  init(
    source: VideoDimensions, settings: VideoSettings, subsampling: ChromaSubsampling,
    crop: PixelRectangle? = nil
  ) {
    isCropped = crop != nil
    let grid = Grid(subsampling)
    let taken = crop?.size ?? source
    var part = grid.cut(taken)
    let box = Self.box(settings, source: part)
    let across = Double(box.width) / Double(part.width)
    let down = Double(box.height) / Double(part.height)
    var size = box
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
    self.size = size
    var used = grid.centered(part, in: taken)
    used.x += crop?.x ?? 0
    used.y += crop?.y ?? 0
    let wanted = PictureScaler.Geometry(
      source: used, target: grid.centered(inner, in: size), size: size)
    let whole = PixelRectangle(whole: source)
    scaling = wanted.source == whole && wanted.target == whole ? nil : wanted
    change = scaling.map { Self.change($0, source: whole) } ?? .none
  }

  /// The part that is cut out of the source where nothing else is done to its size; nil otherwise.
  var cut: PixelRectangle? {
    guard let scaling, !isResizing, scaling.target.size == size else { return nil }
    return scaling.source
  }

  /// The steps in order, for people.
  var steps: [String] {
    guard scaling != nil else { return [] }
    if let cut { return ["cut out \(cut.size) from \(cut.x), \(cut.y)"] }
    return isResizing ? ["scale with Lanczos filters"] : ["put into \(size)"]
  }

  /// True if samples are computed anew.
  var isResizing: Bool {
    scaling.map { $0.source.size != $0.target.size } ?? false
  }

  /// True if rows are computed anew, of which fields would mix.
  var mixesRows: Bool { scaling.map { $0.source.height != $0.target.height } ?? false }

  /// A single odd column or row that is cut off is nothing of the frame.
  private static func change(
    _ scaling: PictureScaler.Geometry, source: PixelRectangle
  ) -> PictureChange {
    let isCut =
      source.width - scaling.source.width > 1 || source.height - scaling.source.height > 1
    let isPadded = scaling.target.size != scaling.size
    return isCut || isPadded ? .frame : .size
  }

  /// The shape of a sample after scaling: it changes only where the frame's aspect ratio does.
  ///
  /// - Parameter ratio: the source's; nil if unstated.
  func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, source: VideoDimensions
  ) -> PixelAspectRatio? {
    guard let scaling else { return ratio }
    return ratio.scaled(from: scaling.source.size, to: scaling.target.size)
  }

  /// The size that the settings ask for. A box to fit into is turned to the source's orientation.
  private static func box(
    _ settings: VideoSettings, source: VideoDimensions
  ) -> VideoDimensions {
    let ratio = Double(source.width) / Double(source.height)
    switch (settings.width, settings.height) {
    case (nil, nil):
      return source
    case (let width?, nil):
      let height = max(Int((Double(width) / ratio / 2).rounded()) * 2, 2)
      return VideoDimensions(width: width, height: height)
    case (nil, let height?):
      let width = max(Int((Double(height) * ratio / 2).rounded()) * 2, 2)
      return VideoDimensions(width: width, height: height)
    case (let width?, let height?):
      let box = VideoDimensions(width: width, height: height)
      let isTurned = (width > height) != (source.width > source.height)
      return settings.scalingMode == .fit && isTurned ? box.transposed : box
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

    func cut(_ size: VideoDimensions) -> VideoDimensions {
      VideoDimensions(
        width: max(size.width / x * x, x), height: max(size.height / y * y, y))
    }

    func scale(_ size: VideoDimensions, by factor: Double) -> VideoDimensions {
      func round(_ value: Int, _ unit: Int) -> Int {
        max(Int((Double(value) * factor / Double(unit)).rounded()) * unit, unit)
      }
      return VideoDimensions(width: round(size.width, x), height: round(size.height, y))
    }

    func centered(
      _ inner: VideoDimensions, in outer: VideoDimensions
    ) -> PixelRectangle {
      let width = min(inner.width, outer.width)
      let height = min(inner.height, outer.height)
      return PixelRectangle(
        x: (outer.width - width) / 2 / x * x, y: (outer.height - height) / 2 / y * y,
        width: width, height: height)
    }
  }
}

extension PictureScaler.Geometry {
  /// Where a part of the source's frames lies in the scaled ones; empty where nothing of it is
  /// used.
  func place(of area: PixelRectangle) -> PixelRectangle {
    let across = Self.place(
      area.x..<area.x + area.width, from: source.x..<source.x + source.width,
      to: target.x..<target.x + target.width)
    let down = Self.place(
      area.y..<area.y + area.height, from: source.y..<source.y + source.height,
      to: target.y..<target.y + target.height)
    return PixelRectangle(
      x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
  }

  private static func place(
    _ part: Range<Int>, from source: Range<Int>, to target: Range<Int>
  ) -> Range<Int> {
    let used = part.clamped(to: source)
    let factor = Double(target.count) / Double(max(source.count, 1))
    func scaled(_ count: Int) -> Int { Int((Double(count) * factor).rounded()) }
    let start = target.lowerBound + scaled(used.lowerBound - source.lowerBound)
    let end = target.upperBound - scaled(source.upperBound - used.upperBound)
    return start..<max(start, end)
  }
}

/// What is done to the frames.
enum PictureChange: Sendable {
  /// Nothing: the encoder gets the decoded samples.
  case none
  /// They have another size, and their colors.
  case size
  /// A part of them is left, or they have bars.
  case frame
  /// They have other colors.
  case colors
}
