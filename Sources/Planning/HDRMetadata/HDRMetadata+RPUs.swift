// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision

extension HDRMetadata {
  /// Whether frames have RPUs, of which none can be read.
  var hasOnlyDamagedRPUs: Bool { frames.has(DolbyVisionRPU.self) && dolbyVisionRPU == nil }

  /// Returns why RPUs of profile 8 cannot stay with frames of a transfer function, as text; `nil`
  /// if they can, or if there are none.
  func obstacleToRPUs(with transfer: TransferCharacteristics) -> String? {
    if hasOnlyDamagedRPUs { return "the source's are damaged" }
    // Frames of profile 5 and 7 are not what their RPUs describe, so only profile 8 is compared.
    guard let rpu = dolbyVisionRPU, rpu.profile == 8 else { return nil }
    return rpu.misfit(transfer).map {
      "the source's map \($0) to Dolby Vision, but the video is \(transfer)"
    }
  }
}
