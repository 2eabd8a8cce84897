// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import MediaCore
internal import Reading

/// For each frame of an encode, the frame of the source that it shows.
struct FramePairs: Sendable {
  /// How the pairs were found.
  enum Way: String, Sendable, CaseIterable {
    /// By presentation times, counted from the first pair.
    case times
    /// By the order of presentation.
    case order
  }

  /// The source's frame for each frame of the encode, both counted from 0.
  let sources: [Int]
  let way: Way

  /// Pairs frames.
  ///
  /// - Parameters:
  ///   - offset: the source's frame that the encode begins with.
  ///   - hasTimes: whether the encode's file states times.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the frames cannot be paired.
  init(
    _ source: [PresentedFrame], _ encoded: [PresentedFrame], offset: Int, hasTimes: Bool
  ) throws {
    guard !encoded.isEmpty, !source.isEmpty else {
      throw TranscodingError(.unusableInput, "there are no frames to pair")
    }
    guard offset >= 0, offset < source.count else {
      throw TranscodingError(
        .unusableInput,
        "the offset is \(offset), but the source has frames 0 to \(source.count - 1)")
    }
    let left = source.count - offset
    guard encoded.count <= left else {
      let rest = offset == 0 ? "the source has" : "from frame \(offset) on, the source has"
      throw TranscodingError(
        .unusableInput,
        "the encode has \(encoded.count.counted("frame")), but \(rest) \(left)")
    }
    if let pairs = Self.byTimes(source, encoded, offset: offset) {
      (sources, way) = (pairs, .times)
      return
    }
    // The times differ. If the number of frames is the same, only the frame rate was changed, so
    // pair the frames by their order. Frames without times are paired this way, too.
    guard encoded.count == left || !hasTimes else {
      throw TranscodingError(
        .unusableInput,
        "the frames cannot be paired: the encode has only \(encoded.count) of "
          + "\(left.counted("frame")), and their times differ from the source's")
    }
    (sources, way) = (Array(offset..<offset + encoded.count), .order)
  }

  /// Returns the part of the source that the encode shows; `nil` for the whole.
  ///
  /// - Parameter count: how many frames the source presents.
  func range(of count: Int) -> TimeRange? {
    guard let first = sources.min(), let last = sources.max() else { return nil }
    let range = TimeRange(
      start: first > 0 ? .frame(first) : nil, end: last + 1 < count ? .frame(last + 1) : nil)
    return range == TimeRange() ? nil : range
  }

  /// Returns the pairs of frames at the same times, counted from the first pair; `nil` if a frame
  /// of the encode has no partner.
  static func byTimes(
    _ source: [PresentedFrame], _ encoded: [PresentedFrame], offset: Int
  ) -> [Int]? {
    let shift = encoded[0].time - source[offset].time
    var place = offset
    var pairs: [Int] = []
    for (index, frame) in encoded.enumerated() {
      let time = frame.time - shift
      while place + 1 < source.count, source[place + 1].time <= time { place += 1 }
      let next = min(place + 1, source.count - 1)
      let nearest =
        distance(source[next].time, time) < distance(source[place].time, time) ? next : place
      guard nearest > pairs.last ?? -1,
        isNear(distance(source[nearest].time, time), encoded, index)
      else { return nil }
      pairs.append(nearest)
    }
    return pairs
  }

  /// Returns whether the times of a pair are close: they differ by at most a millisecond, or by at
  /// most a quarter of the time between the frame and its nearest neighbor in the encode.
  private static func isNear(
    _ difference: MediaTime, _ frames: [PresentedFrame], _ index: Int
  ) -> Bool {
    let gaps = [index - 1, index + 1].filter(frames.indices.contains).map {
      distance(frames[$0].time, frames[index].time)
    }
    // Matroska rounds to milliseconds.
    if difference <= MediaTime(value: 1, timescale: 1000) { return true }
    return gaps.min().map { difference * 4 <= $0 } ?? false
  }

  private static func distance(_ one: MediaTime, _ other: MediaTime) -> MediaTime {
    one < other ? other - one : one - other
  }
}
