// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

extension CleanAperture {
  /// Returns the samples inside the aperture, rounded to whole chroma samples and, if frames are
  /// interlaced, to whole pairs of chroma rows. Returns `nil` if the aperture contains all samples
  /// or no sample.
  func samples(of facts: VideoFacts, subsampling: ChromaSubsampling) -> PixelRectangle? {
    // In interlaced 4:2:0, two rows of chroma belong to four rows of luma. A cut inside such a
    // group would swap the fields of chroma.
    let fields = facts.fieldOrder == .progressive ? 0 : 1
    return samples(
      in: facts.size,
      unit: (1 << subsampling.horizontalShift, 1 << (subsampling.verticalShift + fields)))
  }

  /// Returns the samples inside the aperture, rounded to whole units, or `nil` if the aperture
  /// contains all samples or no sample.
  ///
  /// - Parameter unit: the number of columns and of rows that have to stay together.
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
      // `clap` counts from the center in fractions, and some files state apertures that reach
      // beyond the frame.
      let inside = min(max(value, 0), Double(side))
      return min(Int((inside / Double(unit)).rounded()) * unit, side)
    }
    let (start, end) = (edge(span.lowerBound), edge(span.upperBound))
    // If the side is odd, an aperture that reaches the edge includes the last column or row.
    return start..<max(start, end == side ? side : end)
  }

  /// Returns the aperture in frames that were cropped, scaled and moved, or `nil` if no part of it
  /// is left.
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

  /// Returns the width or height of an aperture and its offset from the center, after scaling. The
  /// range `old` of the source's side becomes the range `new` of the output's side. Returns `nil`
  /// if the aperture is outside the output's frame.
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
    // An aperture that is not cut keeps its exact fractions.
    guard low < 0 || high > Double(newSide) else { return (extent, offset) }
    // Exact fractions of cut edges could overflow 32 bits. So round to sixteenths of a sample, a
    // difference that nobody sees.
    let (cutLow, cutHigh) = (max(low, 0), min(high, Double(newSide)))
    guard cutHigh > cutLow else { return nil }
    let middle = cutLow + cutHigh - Double(newSide)
    return (
      Fraction(Int64(((cutHigh - cutLow) * 16).rounded()), 16),
      Fraction(Int64((middle * 8).rounded()), 16)
    )
  }
}
