// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import MediaCore

extension PresentedTrack {
  /// Finds substitutes for damaged or missing Dolby Vision RPUs. Each key is a frame without a
  /// usable RPU, and its value is the frame whose RPU the encode gets instead.
  ///
  /// - Parameters:
  ///   - pairs: the frames that the encode shows.
  ///   - transfer: the transfer function of the encode.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if an RPU is not for the encode's
  ///   transfer function, or if no RPU can be read.
  func substitutesForRPUs(
    _ pairs: FramePairs, _ transfer: TransferCharacteristics
  ) throws -> [Int: Int] {
    let first = try representativeRPU()
    func usable(_ place: Int) -> DolbyVisionRPU? {
      guard let own = frames[place].metadata[DolbyVisionRPU.self],
        own.isUsable(beside: first.rpu)
      else { return nil }
      return own
    }
    // Frames before the first usable RPU get that RPU.
    var last = pairs.sources.first { usable($0) != nil } ?? first.place
    var substitutes: [Int: Int] = [:]
    for place in pairs.sources {
      guard let own = usable(place) else {
        substitutes[place] = last
        continue
      }
      if own.unit?.profile == 8, let signal = own.unit?.misfit(transfer) {
        throw TranscodingError(
          .unusableInput,
          "the Dolby Vision RPU of frame \(place) of \(path) is for \(signal), but the "
            + "encode's transfer function is \(transfer)")
      }
      last = place
    }
    return substitutes
  }

  /// Returns the first RPU without a fault, and its frame. If every RPU has a fault, returns the
  /// first RPU that can be read.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no RPU can be read.
  func representativeRPU() throws -> (place: Int, rpu: DolbyVisionRPU) {
    var readable: (place: Int, rpu: DolbyVisionRPU)?
    var hasRPUs = false
    for (place, frame) in frames.enumerated() {
      guard let rpu = frame.metadata[DolbyVisionRPU.self] else { continue }
      hasRPUs = true
      guard rpu.isReadable else { continue }
      if rpu.fault == nil { return (place, rpu) }
      readable = readable ?? (place, rpu)
    }
    guard let readable else {
      throw TranscodingError(
        .unusableInput,
        "\(path) has Dolby Vision, but "
          + (hasRPUs ? "all of its RPUs are damaged" : "none of its frames has an RPU")
          + ": remove its Dolby Vision, or compute new RPUs for it")
    }
    return readable
  }
}
