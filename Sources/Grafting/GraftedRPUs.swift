// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import MediaCore

/// Which frames' Dolby Vision RPUs an encode gets: each frame's own RPU, or another frame's if its
/// own is damaged or missing.
struct GraftedRPUs {
  /// For each frame of the source without an RPU that can be used, the frame whose RPU is taken.
  private let substitutes: [Int: Int]

  /// How many frames get the RPU of another frame.
  var repeatedCount: Int { substitutes.count }

  /// - Parameter transfer: the transfer function of the encode.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if an RPU is for other frames than
  ///   those of the encode, or if there are none that can be used.
  init(_ source: PresentedTrack, _ pairs: FramePairs, _ transfer: TransferCharacteristics) throws {
    let first = try Self.representative(of: source)
    func usable(_ place: Int) -> DolbyVisionRPU? {
      guard let own = source.frames[place].metadata[DolbyVisionRPU.self],
        own.isUsable(beside: first.rpu)
      else { return nil }
      return own
    }
    // Frames before the first RPU that can be used get that RPU.
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
          "the Dolby Vision RPU of frame \(place) of \(source.path) maps \(signal), but the "
            + "encode's transfer function is \(transfer)")
      }
      last = place
    }
    self.substitutes = substitutes
  }

  /// Returns the frame of the source whose RPU a frame gets.
  func place(for place: Int) -> Int { substitutes[place] ?? place }

  /// Returns the first RPU without a fault, or the first that can be read, and its frame.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no RPU can be read.
  static func representative(
    of source: PresentedTrack
  ) throws -> (place: Int, rpu: DolbyVisionRPU) {
    var readable: (place: Int, rpu: DolbyVisionRPU)?
    var hasRPUs = false
    for (place, frame) in source.frames.enumerated() {
      guard let rpu = frame.metadata[DolbyVisionRPU.self] else { continue }
      hasRPUs = true
      guard rpu.isReadable else { continue }
      if rpu.fault == nil { return (place, rpu) }
      readable = readable ?? (place, rpu)
    }
    guard let readable else {
      throw TranscodingError(
        .unusableInput,
        "\(source.path) has Dolby Vision, but "
          + (hasRPUs ? "all of its RPUs are damaged" : "none of its frames has an RPU")
          + ": remove its Dolby Vision, or compute new RPUs for it")
    }
    return readable
  }
}
