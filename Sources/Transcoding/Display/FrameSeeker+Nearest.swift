// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// Frames in place of such that are damaged or black.
extension FrameSeeker {
  /// Frames nearest to a damaged one that are tried, and sync samples after those.
  private static let (tried, triedSync) = (7, 12)

  /// The frame nearest to one that can be decoded without damage; where none of those near it can,
  /// the nearest that can be decoded at all.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where none can.
  package func nearest(to place: Int, checkpoint: Pipeline.Checkpoint) throws -> Found {
    var damaged: Found?
    for candidate in candidates(near: place) {
      try checkpoint()
      guard let found = try attempt(candidate) else { continue }
      if !found.isDamaged { return found }
      damaged = damaged ?? found
    }
    if let damaged { return damaged }
    let far = [
      try sound(of: syncPlaces.reversed().filter { $0 < place }, checkpoint: checkpoint),
      try sound(of: syncPlaces.filter { $0 > place }, checkpoint: checkpoint),
    ].compactMap { $0 }
    guard let start = far.min(by: { abs($0.place - place) < abs($1.place - place) }) else {
      throw TranscodingError(
        .unusableInput, "no frame near \(frames[place].lowerBound.seconds) s can be decoded",
        code: .damagedInput)
    }
    guard start.place < place else { return start }
    return try lastSound(of: start.place..<place) ?? start
  }

  private func candidates(near place: Int) -> [Int] {
    func nearest(_ places: some Sequence<Int>, _ count: Int) -> ArraySlice<Int> {
      places.sorted { abs($0 - place) < abs($1 - place) }.prefix(count)
    }
    let around = frames.indices.clamped(to: place - Self.tried..<place + Self.tried)
    return Array(nearest(around, Self.tried)) + nearest(syncPlaces, Self.triedSync)
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

  /// The first frame of some that can be decoded, where all behind it can, as in a file whose end is
  /// missing: few of many are tried.
  private func sound(of places: [Int], checkpoint: Pipeline.Checkpoint) throws -> Found? {
    var (failed, index, step) = (-1, 0, 1)
    var found: Found?
    while failed < places.count - 1, found == nil {
      try checkpoint()
      index = min(index, places.count - 1)
      found = try attempt(places[index])
      if found == nil { (failed, index, step) = (index, index + step, 2 * step) }
    }
    while found != nil, index - failed > 1 {
      try checkpoint()
      let middle = (failed + index) / 2
      if let nearer = try attempt(places[middle]) {
        (found, index) = (nearer, middle)
      } else {
        failed = middle
      }
    }
    return found
  }

  /// The last frame before the first damage; nil where there is none.
  private func lastSound(of places: Range<Int>) throws -> Found? {
    let next = syncPlaces.first { $0 > places.lowerBound } ?? places.upperBound
    var last: Found?
    try read(places: places.lowerBound..<min(next, places.upperBound)) { found in
      if !found.isDamaged { last = found }
      return !found.isDamaged
    }
    return last
  }

  /// The first frame that is not black of those that begin within some time; the first of all where
  /// all of them are.
  package func firstLit(within duration: MediaTime) throws -> Int {
    let start = frames[0].lowerBound
    let last = max(frames.partitioningIndex { $0.lowerBound > start + duration }, 1)
    var lit: Int?
    try read(places: 0..<last) { found in
      if found.frame.pixelBuffer.isLit { lit = found.place }
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
    // Of Y'CbCr luma tells it; of R'G'B' each component may be the light.
    let planes = unsafe isRGB ? self.planes[...] : self.planes.prefix(1)
    guard let first = unsafe planes.first else { return false }
    var (count, litCount) = (0, 0)
    for y in unsafe stride(from: 0, to: first.height, by: 8) {
      for x in unsafe stride(from: 0, to: first.width, by: 8) {
        count += 1
        if unsafe planes.contains(where: { unsafe sample(of: $0, x, y) > level }) { litCount += 1 }
      }
    }
    return litCount * 20 > count
  }

  private func sample(of plane: Plane, _ x: Int, _ y: Int) -> Double {
    let row = unsafe plane.baseAddress + y * plane.bytesPerRow
    return format.bytesPerSample == 1
      ? unsafe Double(row.load(fromByteOffset: x, as: UInt8.self))
      : unsafe Double(row.load(fromByteOffset: 2 * x, as: UInt16.self))
  }
}
