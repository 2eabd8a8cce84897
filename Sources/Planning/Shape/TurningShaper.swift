// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import DolbyVision
internal import LibAV
internal import MediaCore

/// Turns frames, and the active area of their RPUs with them.
final class TurningShaper: FrameShaper {
  private let plan: TurningPlan
  private let converter: FrameConverter?
  private let turner: PictureTurner
  /// The last RPU, before and after: most frames of a shot have the same.
  private var lastRPU: (source: [UInt8], turned: [UInt8])?

  init(_ plan: TurningPlan) {
    self.plan = plan
    converter = plan.conversion.map {
      FrameConverter(plan: $0, width: plan.size.width, height: plan.size.height)
    }
    turner = PictureTurner(plan.orientation.turn, format: plan.format, size: plan.size)
  }

  func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    var frame = frame
    let rpu = frame.pixelBuffer.attachments.dolbyVisionRPU
    let buffer = converter?.convert(frame.pixelBuffer) ?? frame.pixelBuffer
    var attachments = buffer.attachments
    attachments.dolbyVisionRPU = rpu.map(turned)
    frame.pixelBuffer = turner.turn(buffer).withAttachments(attachments)
    frame.sourceRPU = frame.sourceRPU.map(turned)
    try next(frame)
  }

  func finish(to next: FrameTaker) throws {}

  /// An RPU whose active area is that of the turned frame; one that cannot be read stays.
  private func turned(_ rpu: [UInt8]) -> [UInt8] {
    if let lastRPU, lastRPU.source == rpu { return lastRPU.turned }
    guard var unit = try? ReferenceProcessingUnit(dolbyVisionRPU: rpu),
      let area = unit.displayManagement?.level5, !area.isWholePicture
    else { return rpu }
    unit.displayManagement?.setActiveArea(area.turned(plan.orientation.turn))
    guard let written = try? unit.hevcNALUnit() else { return rpu }
    let result = Array(written.dropFirst(2))
    lastRPU = (rpu, result)
    return result
  }
}

extension Level5 {
  /// The offsets in a turned frame.
  fileprivate func turned(_ turn: PictureTurner.Turn) -> Level5 {
    var (left, right) = (activeAreaLeftOffset, activeAreaRightOffset)
    var (top, bottom) = (activeAreaTopOffset, activeAreaBottomOffset)
    if turn.reversesColumns { (left, right) = (right, left) }
    if turn.reversesRows { (top, bottom) = (bottom, top) }
    return turn.swapsAxes
      ? Level5(left: top, right: bottom, top: left, bottom: right)
      : Level5(left: left, right: right, top: top, bottom: bottom)
  }
}
