// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

extension CleanAperture {
  /// Returns the samples inside the aperture, rounded to whole chroma samples and fields, or `nil`
  /// if that is the whole frame or nothing.
  func samples(of facts: VideoFacts, subsampling: ChromaSubsampling) -> PixelRectangle? {
    // In interlaced 4:2:0, two rows of chroma belong to four of luma. A cut anywhere else would
    // swap the fields of chroma.
    let fields = facts.fieldOrder == .progressive ? 0 : 1
    return samples(
      in: facts.size,
      unit: (1 << subsampling.horizontalShift, 1 << (subsampling.verticalShift + fields)))
  }

  /// Returns the samples inside the aperture, rounded to a raster, or `nil` if that is the whole
  /// frame or nothing.
  ///
  /// - Parameter unit: how many columns and rows cannot be separated.
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
      // `clap` counts from the center in fractions, and files state apertures beyond the frame.
      let inside = min(max(value, 0), Double(side))
      return min(Int((inside / Double(unit)).rounded()) * unit, side)
    }
    let (start, end) = (edge(span.lowerBound), edge(span.upperBound))
    // The raster ends one column or row before the edge if the side is odd.
    return start..<max(start, end == side ? side : end)
  }

  /// Returns the aperture in frames that were cut, scaled and moved, or `nil` if nothing of it is
  /// left.
  func moved(by geometry: ScaledGeometry, from size: VideoDimensions) -> CleanAperture? {
    let whole = PixelRectangle(whole: size)
    let scaling =
      geometry.scaling
      ?? FrameScaler.Geometry(source: whole, target: whole, size: size)
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

  /// Returns one extent of an aperture and its offset from the center after a part of the old side
  /// became a part of the new one, or `nil` if it is outside.
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
    // Not cut: keep the exact fractions.
    guard low < 0 || high > Double(newSide) else { return (extent, offset) }
    // Exact fractions of cut edges could overflow 32 bits. Nobody sees a sixteenth of a sample.
    let (cutLow, cutHigh) = (max(low, 0), min(high, Double(newSide)))
    guard cutHigh > cutLow else { return nil }
    let middle = cutLow + cutHigh - Double(newSide)
    return (
      Fraction(Int64(((cutHigh - cutLow) * 16).rounded()), 16),
      Fraction(Int64((middle * 8).rounded()), 16)
    )
  }
}
