// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import LibAV
internal import MediaCore

/// The active area of the output, which is the frame without the bars around the image.
struct ActiveArea: Sendable {
  /// The composition before scaling, if any.
  let composition: CompositionPlan?
  /// The scaling of the source's or the composition's frames, if any.
  let scaling: FrameScaler.Geometry?
  /// The size of the source's or the composition's frames.
  let sourceSize: VideoDimensions
  let size: VideoDimensions

  /// Returns the active area of an output frame, computed from the active area in the source
  /// frame's RPU (level 5).
  func area(from source: Level5?) -> Level5 {
    var area = source ?? Level5()
    if let composition { area = composition.activeArea(from: area) }
    // Compute the area even if frames do not change. Some sources have offsets that leave nothing
    // of the frame, and such offsets must not be passed on.
    guard let scaling else { return Level5(area.rectangle(in: size), in: size) }
    return Level5(scaling.place(of: area.rectangle(in: sourceSize)), in: size)
  }

  /// Returns the active area of an output frame, computed from the source frame's metadata.
  func area(from metadata: FrameMetadata) -> Level5 {
    area(from: metadata[DolbyVisionRPU.self]?.unit?.displayManagement?.level5)
  }

  /// Returns the samples of an area, or of the whole frame if the area is empty.
  func samples(of area: Level5) -> (columns: Range<Int>, lines: Range<Int>) {
    let part = area.rectangle(in: size)
    return (part.x..<part.x + part.width, part.y..<part.y + part.height)
  }
}

extension CompositionPlan {
  /// Returns the active area of a composed frame.
  fileprivate func activeArea(from source: Level5) -> Level5 {
    let area = compositor.activeArea(of: source.rectangle(in: sourceSize), forSource: sourceSize)
    // A program's compositor may return any numbers, even ones that would overflow below.
    let limits = -VideoDimensions.longestSide...VideoDimensions.longestSide
    guard let area, [area.x, area.y, area.width, area.height].allSatisfy(limits.contains) else {
      return Level5()
    }
    return Level5(area, in: context.size)
  }
}

extension Level5 {
  /// Makes the offsets from the edges of a frame to a part. They are all 0 if the part is empty.
  fileprivate init(_ area: PixelRectangle, in size: VideoDimensions) {
    guard area.width > 0, area.height > 0 else {
      self.init()
      return
    }
    // Level 5 has 13 bits for each offset.
    func offset(_ count: Int) -> UInt16 { UInt16(min(max(count, 0), 0x1FFF)) }
    self.init(
      left: offset(area.x), right: offset(size.width - area.x - area.width), top: offset(area.y),
      bottom: offset(size.height - area.y - area.height))
  }

  /// Returns the part inside the offsets, or the whole frame if they leave nothing.
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
