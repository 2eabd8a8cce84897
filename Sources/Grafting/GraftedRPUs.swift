// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import MediaCore

/// Chooses the Dolby Vision RPU for each frame of an encode: the RPU of the source's frame or, if
/// that RPU is damaged or missing, another frame's RPU.
struct GraftedRPUs {
  /// Maps each frame of the source without a usable RPU to the frame whose RPU replaces it.
  private let substitutes: [Int: Int]

  /// How many frames get the RPU of another frame.
  var repeatedCount: Int { substitutes.count }

  /// - Parameter transfer: the transfer function of the encode.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if an RPU is not for the encode's
  ///   transfer function, or if no RPU can be read.
  init(_ source: PresentedTrack, _ pairs: FramePairs, _ transfer: TransferCharacteristics) throws {
    let first = try Self.representative(of: source)
    func usable(_ place: Int) -> DolbyVisionRPU? {
      guard let own = source.frames[place].metadata[DolbyVisionRPU.self],
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
          "the Dolby Vision RPU of frame \(place) of \(source.path) is for \(signal), but the "
            + "encode's transfer function is \(transfer)")
      }
      last = place
    }
    self.substitutes = substitutes
  }

  /// Returns the frame whose RPU is used for the source's frame `place`.
  func place(for place: Int) -> Int { substitutes[place] ?? place }

  /// Returns the first RPU without a fault, and its frame. If every RPU has a fault, returns the
  /// first RPU that can be read.
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
