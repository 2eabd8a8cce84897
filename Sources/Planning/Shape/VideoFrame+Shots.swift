// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import DolbyVision
internal import MediaCore

/// Shots of frames, as Dolby Vision RPUs state them.
extension VideoFrame {
  /// True if the frame's RPU says that a shot begins with it (`scene_refresh_flag`).
  var beginsShot: Bool {
    let rpu = sourceRPU ?? pixelBuffer.attachments.dolbyVisionRPU
    let unit = rpu.flatMap { try? ReferenceProcessingUnit(dolbyVisionRPU: $0) }
    return unit?.displayManagement?.isSceneRefresh ?? false
  }

  /// The frame as the first that is shown of its shot, because others are left out.
  var beginningShot: VideoFrame {
    var frame = self
    frame.sourceRPU = sourceRPU.map(Self.beginningShot)
    var attachments = pixelBuffer.attachments
    guard let rpu = attachments.dolbyVisionRPU else { return frame }
    attachments.dolbyVisionRPU = Self.beginningShot(rpu)
    frame.pixelBuffer = pixelBuffer.withAttachments(attachments)
    return frame
  }

  /// An RPU that says so; one that cannot be read stays.
  private static func beginningShot(_ rpu: [UInt8]) -> [UInt8] {
    guard var unit = try? ReferenceProcessingUnit(dolbyVisionRPU: rpu) else { return rpu }
    unit.displayManagement?.isSceneRefresh = true
    return (try? unit.hevcNALUnit()).map { Array($0.dropFirst(2)) } ?? rpu
  }
}
