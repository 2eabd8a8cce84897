// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import LibAV
package import MediaCore
package import Settings

/// The output's size, the part of the source that is used, and its place in the output.
package struct ScaledGeometry: Hashable {
  /// What the scaler does, or `nil` if it changes nothing.
  let scaling: FrameScaler.Geometry?
  /// How frames change, which decides which of their metadata is still true.
  let change: FrameChange
  /// Whether a crop was given.
  let isCropped: Bool
  package let size: VideoDimensions
  /// Whether each field is scaled separately.
  let scalesFields: Bool
  /// Whether frames are interlaced and fields have to be scaled together.
  let mixesFields: Bool
  /// The size that the settings ask for, if frames are smaller and the scaling mode does not
  /// enlarge them.
  let unreachedSize: VideoDimensions?
  private let makesSquare: Bool

  /// Plans the geometry.
  ///
  /// Sizes and positions are multiples of the number of luma samples that share a chroma sample, so
  /// an odd column or row of the source is cut off. If fields are scaled one by one, the multiples
  /// are twice as large for heights and vertical positions: 4 rows in 4:2:0.
  ///
  /// - Parameters:
  ///   - crop: the part of the source to use, already rounded to such multiples, or `nil` for all
  ///     of it.
  ///   - pixels: the shape of the source's samples, if declared.
  ///   - hasFields: whether the source is interlaced.
  ///   - isExact: whether a side that the settings do not state is rounded to a whole number of
  ///     pixels instead of an even one.
  package init(
    source: VideoDimensions, settings: VideoSettings, subsampling: ChromaSubsampling,
    crop: PixelRectangle? = nil, pixels: PixelAspectRatio? = nil, hasFields: Bool = false,
    isExact: Bool = false
  ) {
    isCropped = crop != nil
    makesSquare = settings.pixelAspect == .square
    let taken = crop ?? PixelRectangle(whole: source)
    let shape = makesSquare ? pixels ?? .square : .square
    var wanted = Self.layout(taken, settings, Grid(subsampling, isExact: isExact), shape)
    // If only the width changes, fields need not be separated, because each row stays in its field.
    let needsFields = hasFields && wanted.changesRows
    let byFields = Self.layout(
      taken, settings, Grid(subsampling, hasFields: true, isExact: isExact), shape)
    scalesFields = needsFields && byFields.dividesFields(subsampling)
    mixesFields = needsFields && !scalesFields
    if scalesFields { wanted = byFields }
    size = wanted.size
    unreachedSize = Self.unreached(taken.size.made(squareFrom: shape), settings)
    let whole = PixelRectangle(whole: source)
    scaling = wanted.source == whole && wanted.target == whole ? nil : wanted
    change = scaling.map { Self.change($0, source: whole) } ?? .none
  }

  /// Returns the size that the settings ask for, if frames are smaller and are not enlarged.
  private static func unreached(
    _ shown: VideoDimensions, _ settings: VideoSettings
  ) -> VideoDimensions? {
    // If width and height are the same, they only limit the longer side and are not a size to
    // reach.
    guard settings.scalingMode == .fit, settings.width ?? 0 != settings.height ?? 0 else {
      return nil
    }
    let box = Self.box(settings, source: shown, isExact: false)
    return box.width > shown.width && box.height > shown.height ? box : nil
  }

  /// Returns the part of the source to use and its place in the output, both rounded to a grid.
  private static func layout(
    _ taken: PixelRectangle, _ settings: VideoSettings, _ grid: Grid, _ pixels: PixelAspectRatio
  ) -> FrameScaler.Geometry {
    var part = grid.cut(taken.size)
    // What matters is the aspect ratio that viewers see, not the ratio of sample counts.
    let shown = part.made(squareFrom: pixels)
    let box = Self.box(settings, source: shown, isExact: grid.isExact)
    let across = Double(box.width) / Double(shown.width)
    let down = Double(box.height) / Double(shown.height)
    var size = box
    var inner = size
    switch settings.scalingMode {
    case .fit:
      // `fit` never enlarges, so the factor is at most 1.
      size = grid.scale(shown, by: min(across, down, 1))
      inner = size
    case .resize:
      break
    case .resizeAspect:
      inner = grid.scale(shown, by: min(across, down))
    case .resizeAspectFill:
      let factor = 1 / max(across, down)
      // `part` counts the source's samples, which need not be square, so each side is scaled back
      // from the size that is shown.
      part = grid.scale(
        size, by: factor * Double(part.width) / Double(shown.width),
        factor * Double(part.height) / Double(shown.height))
    }
    var used = grid.centered(part, in: taken.size)
    used.x += taken.x
    used.y += taken.y
    return FrameScaler.Geometry(source: used, target: grid.centered(inner, in: size), size: size)
  }

  /// The part to keep, if frames are cropped but neither scaled nor padded.
  var cut: PixelRectangle? {
    guard let scaling, !isResizing, scaling.target.size == size else { return nil }
    return scaling.source
  }

  /// Whether an edge of the used part, or of its place in the output, splits a sample of subsampled
  /// chroma.
  package func divides(_ subsampling: ChromaSubsampling) -> Bool {
    guard let scaling else { return false }
    let (across, down) = (1 << subsampling.horizontalShift, 1 << subsampling.verticalShift)
    let (source, target) = (scaling.source, scaling.target)
    return [source.x, source.width, target.x, target.width].contains { $0 % across != 0 }
      || [source.y, source.height, target.y, target.height].contains { $0 % down != 0 }
  }

  /// The steps in order, as text.
  var steps: [String] {
    guard scaling != nil else { return [] }
    if let cut { return ["crop to \(cut.size) at \(cut.x), \(cut.y)"] }
    guard isResizing else { return ["place in frames of \(size)"] }
    return ["scale \(scalesFields ? "each field " : "")with Lanczos filters"]
  }

  /// Whether frames are scaled.
  var isResizing: Bool {
    scaling.map { $0.source.size != $0.target.size } ?? false
  }

  /// Returns how frames change, which decides which of their metadata is still true.
  private static func change(
    _ scaling: FrameScaler.Geometry, source: PixelRectangle
  ) -> FrameChange {
    // Losing one odd column or row, which subsampled chroma cannot keep, does not count as cutting
    // the image. Metadata stays true.
    let isCut =
      source.width - scaling.source.width > 1 || source.height - scaling.source.height > 1
    let isPadded = scaling.target.size != scaling.size
    return isCut || isPadded ? .frame : .size
  }

  /// Returns the shape of a sample after scaling: square if the settings ask for that. Otherwise,
  /// it changes only if width and height are scaled by different factors.
  ///
  /// - Parameter ratio: the shape of the source's samples, if declared.
  func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, source: VideoDimensions
  ) -> PixelAspectRatio? {
    if makesSquare { return .square }
    guard let scaling else { return ratio }
    return ratio.scaled(from: scaling.source.size, to: scaling.target.size)
  }

  /// Returns the size that the settings ask for. With `fit`, width and height are swapped if the
  /// source is portrait and the requested size is landscape, or the reverse.
  private static func box(
    _ settings: VideoSettings, source: VideoDimensions, isExact: Bool
  ) -> VideoDimensions {
    let ratio = Double(source.width) / Double(source.height)
    func other(_ side: Double) -> Int {
      // The stated side limits the frames, and the other side follows from it. With `isExact`,
      // round the other side up. Rounded down, it would limit the frames more than the stated side
      // does.
      isExact ? max(Int(side.rounded(.up)), 1) : max(Int((side / 2).rounded()) * 2, 2)
    }
    switch (settings.width, settings.height) {
    case (nil, nil):
      return source
    case (let width?, nil):
      return VideoDimensions(width: width, height: other(Double(width) / ratio))
    case (nil, let height?):
      return VideoDimensions(width: other(Double(height) * ratio), height: height)
    case (let width?, let height?):
      let box = VideoDimensions(width: width, height: height)
      let isTurned = (width > height) != (source.width > source.height)
      return settings.scalingMode == .fit && isTurned ? box.transposed : box
    }
  }

  /// The grid to which sizes and positions are rounded.
  private struct Grid {
    let x: Int
    let y: Int
    let isExact: Bool

    init(_ subsampling: ChromaSubsampling, hasFields: Bool = false, isExact: Bool = false) {
      self.isExact = isExact
      x = 1 << subsampling.horizontalShift
      y = (hasFields ? 2 : 1) << subsampling.verticalShift
    }

    func cut(_ size: VideoDimensions) -> VideoDimensions {
      VideoDimensions(
        width: max(size.width / x * x, x), height: max(size.height / y * y, y))
    }

    func scale(
      _ size: VideoDimensions, by across: Double, _ down: Double? = nil
    ) -> VideoDimensions {
      func round(_ value: Int, _ factor: Double, _ unit: Int) -> Int {
        max(Int((Double(value) * factor / Double(unit)).rounded()) * unit, unit)
      }
      return VideoDimensions(
        width: round(size.width, across, x), height: round(size.height, down ?? across, y))
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

extension VideoDimensions {
  /// Returns the size with square samples. One side grows, to an even number.
  fileprivate func made(squareFrom shape: PixelAspectRatio) -> VideoDimensions {
    func grown(_ side: Int, _ top: Int, _ bottom: Int) -> Int {
      // Growing keeps every sample. Shrinking the other side would throw detail away.
      max(Int((Double(side) * Double(top) / Double(bottom) / 2).rounded()) * 2, side)
    }
    let (across, down) = (shape.horizontalSpacing, shape.verticalSpacing)
    if across == down { return self }
    return across > down
      ? VideoDimensions(width: grown(width, across, down), height: height)
      : VideoDimensions(width: width, height: grown(height, down, across))
  }
}

extension FrameScaler.Geometry {
  /// Returns where a part of the source's frames ends up in the scaled frames. The result is empty
  /// if no sample of the part is used.
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
    // Count from both edges, so that a part that touches an edge still touches it after rounding.
    let start = target.lowerBound + scaled(used.lowerBound - source.lowerBound)
    let end = target.upperBound - scaled(source.upperBound - used.upperBound)
    return start..<max(start, end)
  }
}

extension FrameChange {
  /// The change as a reason for new RPUs, as text.
  var reasonForNewRPUs: String {
    switch self {
    case .none, .bars: "the source's RPUs do not match the output's frames"
    case .size: "the frame size changes"
    case .frame: "the frames are cropped or get bars"
    case .colors: "the frames' colors or samples change"
    }
  }
}
