// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

extension CleanAperture {
  /// The samples of frames that the aperture has, on the raster of subsampled chroma; with
  /// fields, two lines of chroma stay together. Nil where it is the whole or nothing.
  func samples(of pictures: VideoFacts, subsampling: ChromaSubsampling) -> PixelRectangle? {
    let fields = pictures.fieldOrder == .progressive ? 0 : 1
    return samples(
      in: pictures.size,
      unit: (1 << subsampling.horizontalShift, 1 << (subsampling.verticalShift + fields)))
  }

  /// The samples of a frame that the aperture has, its edges rounded to a raster; nil where it is
  /// the whole frame or has nothing of it.
  ///
  /// - Parameter unit: columns and rows that cannot be separated: by subsampled chroma and by
  ///   fields.
  func samples(
    in size: VideoDimensions, unit: (columns: Int, rows: Int)
  ) -> PixelRectangle? {
    let across = Self.rounded(columns(ofWidth: size.width), size.width, unit.columns)
    let down = Self.rounded(rows(ofHeight: size.height), size.height, unit.rows)
    let isWhole = across.count >= size.width && down.count >= size.height
    guard !isWhole, !across.isEmpty, !down.isEmpty else { return nil }
    return PixelRectangle(
      x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
  }

  private static func rounded(
    _ span: ClosedRange<Double>, _ side: Int, _ unit: Int
  ) -> Range<Int> {
    func edge(_ value: Double) -> Int {
      let inside = min(max(value, 0), Double(side))
      return min(Int((inside / Double(unit)).rounded()) * unit, side)
    }
    let (start, end) = (edge(span.lowerBound), edge(span.upperBound))
    // An odd side has no last column or row on the raster.
    return start..<max(start, end == side ? side : end)
  }

  /// The aperture of frames that were cut, scaled and moved, as far as it is inside of them; nil
  /// where nothing of it is left.
  func moved(by geometry: ScaledGeometry, from size: VideoDimensions) -> CleanAperture? {
    let whole = PixelRectangle(whole: size)
    let scaling =
      geometry.scaling
      ?? PictureScaler.Geometry(source: whole, target: whole, size: size)
    let (source, target) = (scaling.source, scaling.target)
    guard
      let (width, x) = Self.moved(
        width, horizontalOffset, from: source.x..<source.x + source.width, of: size.width,
        to: target.x..<target.x + target.width, of: scaling.size.width),
      let (height, y) = Self.moved(
        height, verticalOffset, from: source.y..<source.y + source.height, of: size.height,
        to: target.y..<target.y + target.height, of: scaling.size.height)
    else { return nil }
    return CleanAperture(
      width: width, height: height, horizontalOffset: x, verticalOffset: y)
  }

  /// One side of an aperture and its offset from the center, of frames of which a part of that side
  /// becomes a part of the new one; nil where it is outside.
  private static func moved(
    _ extent: Fraction, _ offset: Fraction, from old: Range<Int>, of oldSide: Int,
    to new: Range<Int>, of newSide: Int
  ) -> (Fraction, Fraction)? {
    let extent = extent.scaled(by: new.count, over: old.count)
    let offset = offset.adding(halfOf: oldSide - old.lowerBound - old.upperBound)
      .scaled(by: new.count, over: old.count)
      .adding(halfOf: new.lowerBound + new.upperBound - newSide)
    let center = Double(newSide) / 2 + offset.value
    let (low, high) = (center - extent.value / 2, center + extent.value / 2)
    guard low < 0 || high > Double(newSide) else { return (extent, offset) }
    // In sixteenths of a sample where frames were cut inside of it.
    let (cutLow, cutHigh) = (max(low, 0), min(high, Double(newSide)))
    guard cutHigh > cutLow else { return nil }
    let middle = cutLow + cutHigh - Double(newSide)
    return (
      Fraction(Int64(((cutHigh - cutLow) * 16).rounded()), 16),
      Fraction(Int64((middle * 8).rounded()), 16)
    )
  }
}
