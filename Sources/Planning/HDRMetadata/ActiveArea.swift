// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import LibAV
internal import MediaCore

/// The active area of the output: the part without the bars around it.
struct ActiveArea: Sendable {
  /// Composition of frames before they are scaled; nil for none.
  let composition: CompositionPlan?
  /// Scaling of the source's or the composition's frames; nil where they are not scaled.
  let scaling: PictureScaler.Geometry?
  /// Size of the source's or the composition's frames.
  let sourceSize: VideoDimensions
  /// The output's size.
  let size: VideoDimensions

  /// The active area of an output frame from that of its source frame: cut, scaled and moved
  /// with it.
  func area(from source: Level5?) -> Level5 {
    var area = source ?? Level5()
    if let composition { area = composition.activeArea(from: area) }
    // Also where nothing is done to frames: offsets that leave no frame mean nothing.
    guard let scaling else { return Level5(area.rectangle(in: size), in: size) }
    return Level5(scaling.place(of: area.rectangle(in: sourceSize)), in: size)
  }

  /// The active area of an output frame by the metadata of its source frame.
  func area(from metadata: FrameMetadata) -> Level5 {
    area(from: metadata[DolbyVisionRPU.self]?.unit?.displayManagement?.level5)
  }

  /// The samples of an area; of the whole frame where the area is empty.
  func samples(of area: Level5) -> (columns: Range<Int>, lines: Range<Int>) {
    let part = area.rectangle(in: size)
    return (part.x..<part.x + part.width, part.y..<part.y + part.height)
  }
}

extension CompositionPlan {
  /// The active area of a result from that of its source frame.
  fileprivate func activeArea(from source: Level5) -> Level5 {
    let area = compositor.activeArea(of: source.rectangle(in: sourceSize), forSource: sourceSize)
    // Numbers that no frame has name no part.
    let limits = -VideoDimensions.longestSide...VideoDimensions.longestSide
    guard let area, [area.x, area.y, area.width, area.height].allSatisfy(limits.contains) else {
      return Level5()
    }
    return Level5(area, in: context.size)
  }
}

extension Level5 {
  /// The offsets of a part of a frame; none where the part is empty.
  fileprivate init(_ area: PixelRectangle, in size: VideoDimensions) {
    guard area.width > 0, area.height > 0 else {
      self.init()
      return
    }
    // 13 bits.
    func offset(_ count: Int) -> UInt16 { UInt16(min(max(count, 0), 0x1FFF)) }
    self.init(
      left: offset(area.x), right: offset(size.width - area.x - area.width), top: offset(area.y),
      bottom: offset(size.height - area.y - area.height))
  }

  /// The part of a frame that is within the offsets; the whole where they leave none.
  fileprivate func rectangle(in size: VideoDimensions) -> PixelRectangle {
    let (left, right) = (Int(activeAreaLeftOffset), Int(activeAreaRightOffset))
    let (top, bottom) = (Int(activeAreaTopOffset), Int(activeAreaBottomOffset))
    guard left + right < size.width, top + bottom < size.height else {
      return PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    }
    return PixelRectangle(
      x: left, y: top, width: size.width - left - right, height: size.height - top - bottom)
  }
}
