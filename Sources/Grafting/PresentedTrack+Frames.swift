// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import MediaCore
internal import Reading

extension PresentedTrack {
  /// The longest clip, in frames, that is decoded as a whole. Seeking to many places of a short
  /// clip would take longer.
  private static let longestClip = 250

  /// Whether a few frames are found by decoding all frames before them.
  var isDecodedWhole: Bool {
    // Reading a raw stream cannot start at a given time.
    asset.isRawStream || frames.count <= Self.longestClip
  }

  /// Decodes some presented frames and calls `look` with each. Returns the results of `look` by
  /// frame number. Frames that cannot be decoded are missing.
  ///
  /// - Parameter spans: the numbers of the frames, counted from 0, in ascending order.
  func looks<Look: Sendable>(
    at spans: [Range<Int>], _ look: @escaping @Sendable (PixelBuffer) -> Look?
  ) async throws -> [Int: Look] {
    if isDecodedWhole { return try await looks(at: Set(spans.joined()), in: asset, look) }
    var found: [Int: Look] = [:]
    for span in spans {
      let range = TimeRange(start: .frame(span.lowerBound), end: .frame(span.upperBound))
      let (part, _) = try await MediaAsset.load(path: path, range: range) { _ in true }
      let more = try await looks(at: Set(span), in: part, look)
      found.merge(more) { first, _ in first }
    }
    return found
  }

  /// Decodes `asset`, which is the whole file or a part of it, up to the last of some frames.
  private func looks<Look: Sendable>(
    at numbers: Set<Int>, in asset: MediaAsset,
    _ look: @escaping @Sendable (PixelBuffer) -> Look?
  ) async throws -> [Int: Look] {
    guard let first = numbers.min(), let last = numbers.max(), let track = asset.videoTrack else {
      return [:]
    }
    let (frames, isCounted) = (self.frames, self.asset.isRawStream)
    return try await Pipeline.onThread("look") { checkpoint in
      let reading = try AssetReading(asset, for: [try TrackReading(track: track, decodes: true)])
      var found: [Int: Look] = [:]
      let begin = asset.isPart ? first : 0
      var (number, count) = (begin, 0)
      while let sample = try reading.next()?.sample, let picture = sample.imageBuffer {
        try checkpoint()
        // A damaged frame may be missing, so the time tells which frame this is. Raw streams have
        // no times, so their frames can only be counted.
        let time = isCounted ? nil : sample.presentationTimeStamp
        number =
          time.flatMap { frames.number(at: $0, from: number, within: track.usualFrameDuration) }
          ?? begin + count
        count += 1
        if numbers.contains(number), found[number] == nil { found[number] = look(picture) }
        if number >= last { break }
      }
      return found
    }
  }
}

extension [PresentedFrame] {
  /// Returns the number of the frame nearest to a time of the media; `nil` if even this frame is
  /// farther away than half of `duration`.
  ///
  /// - Parameters:
  ///   - first: a frame at or before that time.
  ///   - duration: how long a frame usually lasts.
  fileprivate func number(
    at time: MediaTime, from first: Int, within duration: MediaTime
  ) -> Int? {
    guard indices.contains(first) else { return nil }
    var number = first
    while number + 1 < count,
      distance(self[number + 1].mediaTime, time) <= distance(self[number].mediaTime, time)
    { number += 1 }
    return distance(self[number].mediaTime, time) * 2 <= duration ? number : nil
  }

  private func distance(_ one: MediaTime, _ other: MediaTime) -> MediaTime {
    one < other ? other - one : one - other
  }
}
