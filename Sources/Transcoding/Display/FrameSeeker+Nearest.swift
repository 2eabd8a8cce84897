// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// Frames in place of such that are damaged or black.
extension FrameSeeker {
  /// Frames nearest to a damaged one that are tried, and sync samples after those.
  private static let (tried, triedSync) = (6, 12)

  /// The frame nearest to one that can be decoded without damage; where none of those near it can,
  /// the nearest that can be decoded at all.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where none can.
  package func nearest(
    to place: Int, checkpoint: Pipeline.Checkpoint
  ) throws -> (place: Int, found: Found) {
    var damaged: (place: Int, found: Found)?
    for candidate in candidates(near: place) {
      try checkpoint()
      guard let found = try attempt(candidate) else { continue }
      if !found.isDamaged { return (candidate, found) }
      damaged = damaged ?? (candidate, found)
    }
    guard let damaged else {
      throw TranscodingError(
        .unusableInput, "no frame near \(frames[place].lowerBound.seconds) s can be decoded",
        code: .damagedInput)
    }
    return damaged
  }

  private func candidates(near place: Int) -> [Int] {
    func nearest(_ places: some Sequence<Int>, _ count: Int) -> ArraySlice<Int> {
      places.sorted { abs($0 - place) < abs($1 - place) }.prefix(count)
    }
    let around = frames.indices.clamped(to: place - Self.tried..<place + Self.tried + 1)
    return Array(nearest(around, Self.tried + 1)) + nearest(syncPlaces, Self.triedSync)
  }

  /// - Returns: nil for a frame that cannot be decoded or read.
  private func attempt(_ place: Int) throws -> Found? {
    do {
      return try decode(place)
    } catch let error as LibAVError where error.kind == .invalidData {
      return nil
    } catch let error as TranscodingError where error.kind == .unusableInput {
      return nil
    }
  }

  /// The first frame that is not black of those that begin within some time; the first of all where
  /// all of them are.
  package func firstLit(within duration: MediaTime) throws -> Int {
    let start = frames[0].lowerBound
    let last = max(frames.partitioningIndex { $0.lowerBound > start + duration }, 1)
    var place = 0
    var lit: Int?
    try read(places: 0..<last) { frame, _ in
      if frame.pixelBuffer.isLit { lit = place }
      place += 1
      return lit == nil
    }
    return lit ?? 0
  }
}

extension PixelBuffer {
  /// True if there is more than black and a few letters: a twentieth of the samples of a grid is
  /// well above black.
  fileprivate var isLit: Bool {
    let isRGB = attachments.signal.color.matrixCoefficients == .identity
    let black = isRGB || attachments.signal.videoFullRangeFlag == true ? 0.0 : 16 / 255
    let level = (black + 0.08) * Double((1 << format.bitDepth) - 1)
    guard let plane = unsafe planes.first else { return false }
    var (count, litCount) = (0, 0)
    for y in unsafe stride(from: 0, to: plane.height, by: 8) {
      let row = unsafe plane.baseAddress + y * plane.bytesPerRow
      for x in unsafe stride(from: 0, to: plane.width, by: 8) {
        let value =
          format.bytesPerSample == 1
          ? unsafe Int(row.load(fromByteOffset: x, as: UInt8.self))
          : unsafe Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
        count += 1
        if Double(value) > level { litCount += 1 }
      }
    }
    return litCount * 20 > count
  }
}
