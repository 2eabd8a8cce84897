internal import DolbyVision
internal import LibAV

/// Where the picture proper is within the output, without the bars around it.
struct ActiveArea: Sendable {
  /// How the source's pictures are scaled; nil where they are not.
  let scaling: PictureScaler.Geometry?
  /// The source's size.
  let sourceSize: (width: Int, height: Int)
  /// The output's size.
  let size: (width: Int, height: Int)

  /// The active area of an output picture from that of its source picture: cut, scaled and moved
  /// with it.
  func area(from source: Level5?) -> Level5 {
    let source = source ?? Level5()
    guard let scaling else { return source }
    let (part, target) = (scaling.source, scaling.target)
    let across = Double(target.width) / Double(part.width)
    let down = Double(target.height) / Double(part.height)
    func offset(_ offset: UInt16, cut: Int, by factor: Double, behind bar: Int) -> UInt16 {
      let inside = max(Double(Int(offset) - cut), 0) * factor
      return UInt16(clamping: min(bar + Int(inside.rounded()), 0x1FFF))
    }
    return Level5(
      left: offset(source.activeAreaLeftOffset, cut: part.x, by: across, behind: target.x),
      right: offset(
        source.activeAreaRightOffset, cut: sourceSize.width - part.x - part.width, by: across,
        behind: size.width - target.x - target.width),
      top: offset(source.activeAreaTopOffset, cut: part.y, by: down, behind: target.y),
      bottom: offset(
        source.activeAreaBottomOffset, cut: sourceSize.height - part.y - part.height, by: down,
        behind: size.height - target.y - target.height))
  }

  /// The samples of an area; of the whole picture where the area is empty.
  func samples(of area: Level5) -> (columns: Range<Int>, lines: Range<Int>) {
    let (left, right) = (Int(area.activeAreaLeftOffset), Int(area.activeAreaRightOffset))
    let (top, bottom) = (Int(area.activeAreaTopOffset), Int(area.activeAreaBottomOffset))
    guard left + right < size.width, top + bottom < size.height else {
      return (0..<size.width, 0..<size.height)
    }
    return (left..<size.width - right, top..<size.height - bottom)
  }
}
