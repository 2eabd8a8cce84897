// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// Finds frames to replace damaged or black ones.
extension FrameSeeker {
  /// Returns the frame itself if it can be decoded without damage, otherwise the undamaged frame
  /// that is nearest in time. If damage is so widespread that the nearest one is not found, returns
  /// another undamaged frame or, if none is found, a damaged one.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no frame can be decoded.
  package func nearest(to place: Int, checkpoint: Pipeline.Checkpoint) throws -> Found {
    var damaged = try attempt(place)
    if let damaged, !damaged.isDamaged { return damaged }
    let own = group(of: place)
    let (before, after) = try wholeNeighbors(of: place, in: own, or: &damaged)
    let earlier = try before ?? lastWhole(before: own.lowerBound, or: &damaged, checkpoint)
    // A later frame is worth decoding only if it is nearer than `earlier`.
    let reach = earlier.map { distance($0.place, place) }
    let later =
      try after
      ?? firstWhole(from: own.upperBound, or: &damaged, checkpoint) { next in
        reach.map { distance(next, place) < $0 } ?? true
      }
    let nearest = [earlier, later].compactMap { $0 }.min { one, other in
      distance(one.place, place) < distance(other.place, place)
    }
    guard
      let found = try nearest ?? anyIntactFrame(near: place, or: &damaged, checkpoint) ?? damaged
    else {
      throw TranscodingError(
        .unusableInput,
        "\(path): no frame near \(frames[place].lowerBound.roundedSeconds) s can be decoded; "
          + "choose another time")
    }
    return found
  }

  /// Returns the time between the beginnings of two frames.
  private func distance(_ one: Int, _ other: Int) -> MediaTime {
    let (first, last) = (min(one, other), max(one, other))
    return frames[last].lowerBound - frames[first].lowerBound
  }

  /// Returns the places of the group that contains a place. A group begins at a frame where
  /// decoding can start, and ends before the next such frame.
  private func group(of place: Int) -> Range<Int> {
    let next = syncPlaces.partitioningIndex { $0 > place }
    return
      (next > 0 ? syncPlaces[next - 1] : 0)..<(next < syncPlaces.count
      ? syncPlaces[next] : frames.count)
  }

  /// - Returns: `nil` if the frame cannot be decoded or read.
  private func attempt(_ place: Int) throws -> Found? {
    guard !isBeyondEnd(place) else { return nil }
    return try passingDamage { try decode(place) }
  }

  /// Runs a function that reads the file.
  ///
  /// - Returns: the function's result; `nil` if the function throws because of damage.
  private func passingDamage<Result>(_ body: () throws -> Result?) throws -> Result? {
    do {
      return try body()
    } catch let error as LibAVError where error.kind == .invalidData {
      return nil
    } catch let error as TranscodingError where error.kind == .unusableInput {
      return nil
    }
  }

  /// Returns the nearest whole (undamaged) frames of a group before and after a damaged one.
  ///
  /// - Parameter damaged: receives the first frame that can be decoded, but with damage.
  private func wholeNeighbors(
    of place: Int, in group: Range<Int>, or damaged: inout Found?
  ) throws -> (before: Found?, after: Found?) {
    guard !isBeyondEnd(group.lowerBound) else { return (nil, nil) }
    var (before, after, made) = (Found?.none, Found?.none, damaged)
    var damagedCount = 0
    _ = try passingDamage { () -> Bool in
      // With several threads, it would be unclear which frames are damaged.
      try read(places: group, threads: 1) { found in
        guard !found.isDamaged else {
          made = made ?? found
          damagedCount += 1
          // Reordering alone cannot put this many damaged frames in a row, so the frames that
          // follow depend on damage, too.
          return damagedCount <= VideoDecoder.longestMemory
        }
        damagedCount = 0
        if found.place < place { before = found } else { after = found }
        return found.place < place
      }
    }
    damaged = made
    return (before, after)
  }

  /// Returns the last whole frame before the first frame of a group.
  private func lastWhole(
    before place: Int, or damaged: inout Found?, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Found? {
    let starts = syncPlaces[..<syncPlaces.partitioningIndex { $0 >= place }].reversed()
    guard let first = try firstWhole(of: Array(starts), or: &damaged, checkpoint) else {
      return nil
    }
    let group = group(of: first.place)
    return try wholeNeighbors(of: group.upperBound, in: group, or: &damaged).before ?? first
  }

  /// Returns the first whole frame at which decoding can start, at or after a place.
  ///
  /// - Parameter isNear: returns false for a place that is too far away. All later places are then
  ///   even farther away.
  private func firstWhole(
    from place: Int, or damaged: inout Found?, _ checkpoint: Pipeline.Checkpoint,
    while isNear: (Int) -> Bool
  ) throws -> Found? {
    let starts = syncPlaces[syncPlaces.partitioningIndex { $0 >= place }...].prefix(while: isNear)
    return try firstWhole(of: Array(starts), or: &damaged, checkpoint)
  }

  /// Returns the first whole frame among some frames at which decoding can start.
  ///
  /// - Parameters:
  ///   - starts: their places, the nearest first.
  ///   - damaged: receives the first frame that can be decoded, but with damage.
  private func firstWhole(
    of starts: [Int], or damaged: inout Found?, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Found? {
    try starts.firstWhole { try whole($0, or: &damaged, checkpoint) }
  }

  private func whole(
    _ place: Int, or damaged: inout Found?, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Found? {
    try checkpoint()
    guard let found = try attempt(place) else { return nil }
    if found.isDamaged { damaged = damaged ?? found }
    return found.isDamaged ? nil : found
  }

  /// Returns some whole frame at which decoding can start. This is for damage that surrounds all
  /// frames tried so far.
  private func anyIntactFrame(
    near place: Int, or damaged: inout Found?, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Found? {
    var made = damaged
    defer { damaged = made }
    return try syncPlaces.someWhole { start in
      try whole(start, or: &made, checkpoint)
    }.min { distance($0.place, place) < distance($1.place, place) }
  }

  /// Returns the place of the first frame that is not black. Searches only the beginning of the
  /// presentation, and returns 0 if all of it is black.
  package func firstLit(within duration: MediaTime) throws -> Int {
    let start = frames[0].lowerBound
    let last = max(frames.partitioningIndex { $0.lowerBound > start + duration }, 1)
    let (quick, isClean) = try firstLit(in: 0..<last, threads: 0)
    // With damage, the result depends on which thread is faster. So decode again with one thread,
    // because each run must give the same still.
    return try (isClean ? quick : firstLit(in: 0..<last, threads: 1).place) ?? 0
  }

  private func firstLit(
    in places: Range<Int>, threads: Int
  ) throws -> (place: Int?, isClean: Bool) {
    var lit: Int?
    let isClean = try passingDamage {
      try read(places: places, threads: threads) { found in
        if found.frame.pixelBuffer.isLit { lit = found.place }
        return lit == nil
      }
    }
    return (lit, isClean ?? false)
  }
}

extension PixelBuffer {
  /// Whether the frame shows more than black and a few letters.
  fileprivate var isLit: Bool {
    let isRGB = attachments.signal.color.matrixCoefficients == .identity
    let black = isRGB || attachments.signal.videoFullRangeFlag == true ? 0.0 : 16 / 255
    let level = (black + 0.08) * Double((1 << format.bitDepth) - 1)
    // In Y'CbCr, luma says how light a sample is. In R'G'B', any component may be light.
    let planes = unsafe isRGB ? self.planes[...] : self.planes.prefix(1)
    guard let first = unsafe planes.first else { return false }
    var (count, litCount) = (0, 0)
    for y in unsafe stride(from: 0, to: first.height, by: 8) {
      for x in unsafe stride(from: 0, to: first.width, by: 8) {
        count += 1
        if unsafe planes.contains(where: { unsafe sample(of: $0, x, y) > level }) { litCount += 1 }
      }
    }
    // A title in small letters covers less than a twentieth of the samples.
    return litCount * 20 > count
  }

  private func sample(of plane: Plane, _ x: Int, _ y: Int) -> Double {
    let row = unsafe plane.baseAddress + y * plane.bytesPerRow
    return format.bytesPerSample == 1
      ? unsafe Double(row.load(fromByteOffset: x, as: UInt8.self))
      : unsafe Double(row.load(fromByteOffset: 2 * x, as: UInt16.self))
  }
}

/// How many of the first elements are tried one by one.
private let triedCount = 16
/// A collection is divided into at most this many equal parts, and one element of each part is
/// tried.
private let mostParts = 128

/// Searches for an element that is whole, which means undamaged. It makes few attempts, because
/// each attempt decodes frames.
extension RandomAccessCollection where Index == Int {
  /// Returns the first whole element. If it is not among the first `triedCount` elements, and the
  /// damage after them is in several pieces, a later whole element or `nil` may be returned
  /// instead.
  ///
  /// - Parameter attempt: takes an element, and returns `nil` if it is not whole.
  func firstWhole<Found>(_ attempt: (Element) throws -> Found?) rethrows -> Found? {
    for element in prefix(triedCount) {
      if let found = try attempt(element) { return found }
    }
    // Farther away, treat damage as one piece, like the missing end of a file. Doubling the
    // distance finds the other side of the damage, and halving the gap finds its border.
    var (low, high, nearest) = (triedCount - 1, triedCount, Found?.none)
    while high < count {
      nearest = try attempt(self[startIndex + high])
      guard nearest == nil else { break }
      (low, high) = (high, high == count - 1 ? count : Swift.min(2 * high, count - 1))
    }
    while nearest != nil, high - low > 1 {
      let middle = (low + high) / 2
      if let found = try attempt(self[startIndex + middle]) {
        (high, nearest) = (middle, found)
      } else {
        low = middle
      }
    }
    return nearest
  }

  /// Divides the collection into equal parts, and returns those of their middle elements that are
  /// whole. Begins with two parts, and doubles their number, up to `mostParts`, until a middle
  /// element is whole.
  func someWhole<Found>(_ attempt: (Element) throws -> Found?) rethrows -> [Found] {
    // Damage is on both sides of everything tried so far, so try places all over the collection,
    // ever more densely.
    var parts = 2
    while parts <= Swift.min(count, mostParts) {
      let found = try (0..<parts).compactMap {
        try attempt(self[startIndex + (2 * $0 + 1) * count / (2 * parts)])
      }
      if !found.isEmpty { return found }
      parts *= 2
    }
    return []
  }
}
