// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
package import Settings

/// Plan for the shape and the times of frames before all else: they are deinterlaced, then repeated
/// or left out, then turned. All that comes after knows only the result.
package struct ShapePlan: Sendable {
  /// The frames that come out.
  package let result: PictureSource
  /// Deinterlacing; nil where frames stay as they are.
  package let deinterlacing: DeinterlacingPlan?
  /// Change of times; nil where each frame keeps its own.
  let rate: FrameRatePlan?
  /// Turning for display; nil where frames are not turned.
  let turning: TurningPlan?
  /// The black bars that were looked for; nil where they were not.
  let bars: BlackBars?
  /// Notices about the changes.
  package let notices: [Notice]

  /// - Parameter track: the track that the frames come from; nil for frames that a program makes.
  /// - Throws: ``TranscodingError`` for what cannot be done with such frames.
  package init(of source: PictureSource, track: AssetTrack?, settings: VideoSettings) throws {
    var notices = Notices()
    var result = source
    if let track { notices.add(contentsOf: try track.fieldNotices()) }
    deinterlacing = DeinterlacingPlan(settings.deinterlace, of: source, track: track)
    if let deinterlacing {
      try deinterlacing.check()
      if deinterlacing.isExpected { notices.add(.framesDeinterlaced(settings.deinterlace)) }
      deinterlacing.change(&result)
    }
    rate = FrameRatePlan(settings.frameRate, of: result, track: track)
    if let rate {
      notices.add(.frameRateChanged(from: result.frameRate, to: rate.rate))
      if result.facts.fieldOrder != .progressive { notices.add(.fieldPairsRepeated) }
      rate.change(&result)
    }
    bars = try settings.crop == .auto ? track.map { try BlackBars.find(in: $0, of: result) } : nil
    result.withoutBars = bars?.content
    if let bars { notices.add(bars.notice) }
    turning = settings.rotation == .apply ? try TurningPlan(of: result) : nil
    if settings.rotation == .apply, turning == nil, result.isTurnedByMatrix {
      notices.add(.rotationNotApplied(isKept: true))
    }
    turning?.change(&result)
    self.result = result
    self.notices = notices.all
  }

  /// The steps in order, for people.
  var steps: [String] {
    [deinterlacing?.step, rate?.step, turning?.step].compactMap { $0 }
  }

  /// Returns the shapers that carry the plan out, in order.
  ///
  /// - Returns: nil where there is nothing to do.
  package func makeShapers() -> FrameShapers? {
    let shapers: [(any FrameShaper)?] = [
      deinterlacing.map { DeinterlacingShaper($0) }, rate.map { FrameRateShaper($0) },
      turning.map { TurningShaper($0) },
    ]
    return shapers.contains { $0 != nil } ? FrameShapers(shapers.compactMap { $0 }) : nil
  }

  /// Notices about settings that have no effect on samples that are copied.
  static func idleSettings(_ settings: VideoSettings) -> [Notice] {
    let isSet = [
      // Presets have it for those sources that are interlaced.
      ("deinterlace", settings.deinterlace != .off && settings.deinterlace != .auto),
      ("rotation", settings.rotation != .keep), ("pixelAspect", settings.pixelAspect != .keep),
      ("crop", settings.crop != .none), ("frameRate", settings.frameRate != .source),
      ("width", settings.width != nil), ("height", settings.height != nil),
    ]
    return isSet.filter(\.1).map { key, _ in
      .settingHasNoEffect("video.\(key)", because: "samples are copied")
    }
  }
}
