internal import LibAV
internal import MediaCore

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
