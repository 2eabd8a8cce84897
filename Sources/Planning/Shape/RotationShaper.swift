// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore

/// Turns frames and their metadata.
final class RotationShaper: FrameShaper {
  private let plan: RotationPlan
  private let converter: FrameConverter?
  private let rotator: FrameRotator
  /// The most recent metadata, before and after the turn. It is kept because most frames of a shot
  /// have the same metadata, and turning an RPU means rewriting it.
  private var last = (source: FrameMetadata(), turned: FrameMetadata())

  init(_ plan: RotationPlan) {
    self.plan = plan
    converter = plan.conversion.map {
      FrameConverter(plan: $0, width: plan.size.width, height: plan.size.height)
    }
    rotator = FrameRotator(plan.orientation.turn, format: plan.format, size: plan.size)
  }

  func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    var frame = frame
    frame.pixelBuffer = rotator.turn(converter?.convert(frame.pixelBuffer) ?? frame.pixelBuffer)
    if frame.metadata != last.source {
      last = (frame.metadata, frame.metadata.map { $0.turned(plan.orientation.turn) })
    }
    frame.metadata = last.turned
    try next(frame)
  }

  func finish(to next: FrameTaker) throws {}
}
