// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
package import Settings

/// Says how frames change in shape and time before anything else is done to them.
package struct ShapePlan: Sendable {
  // The order is: deinterlace, change the rate, turn. Deinterlacing has to come before frames are
  // dropped or turned on their side. All later steps see only the result.

  /// The frames that come out.
  package let result: FrameSource
  /// How to deinterlace frames, or `nil` to leave them unchanged.
  package let deinterlacing: DeinterlacingPlan?
  /// How times change, or `nil` if frames keep their times.
  let rate: FrameRatePlan?
  /// How to turn frames for display, or `nil` to leave them unchanged.
  let rotation: RotationPlan?
  /// The black bars, or `nil` if they were not looked for.
  let bars: BlackBars?
  package let notices: [Notice]

  /// - Parameter track: the track that the frames come from, or `nil` for a program's frames.
  /// - Throws: ``TranscodingError`` if the frames cannot be changed as the settings ask.
  package init(of source: FrameSource, track: AssetTrack?, settings: VideoSettings) throws {
    var notices: [Notice] = []
    var result = source
    if let track { notices.append(contentsOf: try track.fieldNotices()) }
    deinterlacing = DeinterlacingPlan(settings.deinterlace, of: source, track: track)
    if let deinterlacing {
      try deinterlacing.check()
      if deinterlacing.isExpected { notices.append(.framesDeinterlaced(settings.deinterlace)) }
      deinterlacing.change(&result)
    }
    rate = FrameRatePlan(settings.frameRate, of: result, track: track)
    if let rate {
      notices.append(.frameRateChanged(from: result.frameRate, to: rate.rate))
      if result.facts.fieldOrder != .progressive { notices.append(.fieldPairsRepeated) }
      rate.change(&result)
    }
    // Look for bars in coded frames. If frames are turned, `change` below turns the area, too.
    bars = try settings.crop == .auto ? track.map { try BlackBars.find(in: $0, of: result) } : nil
    result.withoutBars = bars?.content
    if let bars { notices.append(bars.notice) }
    rotation = settings.rotation == .apply ? try RotationPlan(of: result) : nil
    if settings.rotation == .apply, rotation == nil, result.isTurnedByMatrix {
      notices.append(.rotationNotApplied(isKept: true))
    }
    rotation?.change(&result)
    self.result = result
    self.notices = notices
  }

  /// The steps in order, as text.
  var steps: [String] {
    [deinterlacing?.step, rate?.step, rotation?.step].compactMap { $0 }
  }

  /// Makes the shapers for the plan.
  package func makeShapers() -> [any FrameShaper] {
    let shapers: [(any FrameShaper)?] = [
      deinterlacing.map { DeinterlacingShaper($0) }, rate.map { FrameRateShaper($0) },
      rotation.map { RotationShaper($0) },
    ]
    return shapers.compactMap { $0 }
  }

  /// Returns notices about settings that do not apply to copied samples.
  static func idleSettings(_ settings: VideoSettings) -> [Notice] {
    let isSet = [
      // Presets say `auto` for the sake of sources that need the change. So `auto` does not mean
      // that the user wants this source to be changed.
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
