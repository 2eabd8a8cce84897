// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// Frames in place of such that are damaged or black.
extension FrameSeeker {
  /// Frames nearest to a damaged one that are tried, and sync samples around it where some of those
  /// can be decoded at least.
  private static let (tried, triedSync) = (7, 12)

  /// The frame nearest to one that can be decoded without damage; where none of those near it can,
  /// the nearest that can be decoded at all.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where none can.
  package func nearest(to place: Int, checkpoint: Pipeline.Checkpoint) throws -> Found {
    var damaged: Found?
    let around = frames.indices.clamped(to: place - Self.tried..<place + Self.tried)
    for candidate in around.sorted(by: { abs($0 - place) < abs($1 - place) }).prefix(Self.tried) {
      try checkpoint()
      guard let found = try attempt(candidate) else { continue }
      if !found.isDamaged { return found }
      damaged = damaged ?? found
    }
    let most = damaged == nil ? syncPlaces.count : Self.triedSync
    let before = syncPlaces.reversed().filter { $0 < place }.prefix(most)
    let after = syncPlaces.filter { $0 > place }.prefix(most)
    let far = [
      try sound(of: before, or: &damaged, checkpoint: checkpoint).map(lastSound(from:)),
      try sound(of: after, or: &damaged, checkpoint: checkpoint),
    ].compactMap { $0 }
    guard
      let found = far.min(by: { abs($0.place - place) < abs($1.place - place) }) ?? damaged
    else {
      throw TranscodingError(
        .unusableInput, "no frame near \(frames[place].lowerBound.seconds) s can be decoded",
        code: .damagedInput)
    }
    return found
  }

  /// - Returns: nil for a frame that cannot be decoded or read.
  private func attempt(_ place: Int) throws -> Found? {
    try passingDamage { try decode(place) }
  }

  /// - Returns: nil where the file is damaged.
  private func passingDamage<Result>(_ body: () throws -> Result?) throws -> Result? {
    do {
      return try body()
    } catch let error as LibAVError where error.kind == .invalidData {
      return nil
    } catch let error as TranscodingError where error.kind == .unusableInput {
      return nil
    }
  }

  /// The first frame of some that is sound, where all behind it are, as in a file whose end is
  /// missing: few of many are tried.
  ///
  /// - Parameter damaged: the first that can be decoded at all.
  private func sound(
    of places: ArraySlice<Int>, or damaged: inout Found?, checkpoint: Pipeline.Checkpoint
  ) throws -> Found? {
    var (first, step) = (places.startIndex, 1)
    var last = first
    var sound: Found?
    while sound == nil ? first < places.endIndex : first < last {
      try checkpoint()
      let middle = sound == nil ? min(first + step - 1, places.endIndex - 1) : (first + last) / 2
      let found = try attempt(places[middle])
      if let found, !found.isDamaged {
        (sound, last) = (found, middle)
      } else {
        damaged = damaged ?? found
        (first, step) = (middle + 1, 2 * step)
      }
    }
    return sound
  }

  /// The last sound frame up to the first damage behind a frame at which decoding can start.
  private func lastSound(from start: Found) throws -> Found {
    let next = syncPlaces.first { $0 > start.place } ?? frames.count
    var last = start
    try passingDamage {
      try read(places: start.place..<next) { found in
        if !found.isDamaged { last = found }
        return !found.isDamaged
      }
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
