// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A part of a presentation, with its start and its end moved to ticks of the video track.
package struct PresentedRange: Sendable {
  /// The first moment of the part, in the presentation.
  let start: MediaTime
  /// The first moment after the part, or `nil` if it lasts to the end of the presentation.
  let end: MediaTime?
  /// The timescale of the video track in ticks a second, or `nil` without video.
  let timescale: Int32?
  /// The numbers of the presented frames, from 0, or `nil` if their times are unknown.
  let frames: Range<Int>?
  /// The duration of the whole presentation, if known.
  let total: MediaTime?
  /// The tracks that present nothing in the part.
  package var emptyTracks: [AssetTrack] = []

  /// Finds a part in an asset.
  ///
  /// - Parameters:
  ///   - track: the video track whose ticks and frames count.
  ///   - index: the samples of that track, or `nil` if their times are unknown.
  /// - Throws: ``TranscodingError``: `invalidSettings` if the range does not end after its
  ///   beginning, `unusableInput` if the presentation does not contain it.
  init(
    _ range: TimeRange, of asset: MediaAsset, track: AssetTrack?, index: SampleIndex?
  ) throws {
    // FFmpeg passes over fragments with another sample entry, so the presentation would seem too
    // short.
    try track?.refuseOtherFragments()
    let presented = track.flatMap { track in
      index?.presentedFrames(of: track.timeline).map(\.interval)
    }
    let start = try range.start?.time(in: asset, track, presented) ?? .zero
    let end = try range.end?.time(in: asset, track, presented)
    if let end, end <= start {
      throw TranscodingError(
        .invalidSettings,
        "the range from \(start.roundedSeconds) s to \(end.roundedSeconds) s is empty: its end "
          + "must be later than its beginning")
    }
    if let duration = asset.duration, start >= duration {
      throw TranscodingError(
        .unusableInput,
        "the range begins at \(start.roundedSeconds) s, but the presentation ends at "
          + "\(duration.roundedSeconds) s"
      )
    }
    self.start = start
    // An end at or beyond the end of the presentation counts as no end, so that nothing is cut off.
    self.end = end.flatMap { end in asset.duration.map { end < $0 } ?? true ? end : nil }
    timescale = track?.demuxed.timescale
    total = asset.duration
    frames = presented.map { presented in
      // A frame that is still shown at `start` is in the range. A frame that begins at `end` is not
      // in the range.
      let first = presented.partitioningIndex { $0.upperBound > start }
      let last = end.map { end in presented.partitioningIndex { $0.lowerBound >= end } }
      return first..<max(last ?? presented.count, first)
    }
    if let frames, frames.isEmpty {
      let stop = (end ?? total).map { " to \($0.roundedSeconds) s" } ?? ""
      throw TranscodingError(
        .unusableInput, "none of its frames is presented from \(start.roundedSeconds) s\(stop)")
    }
  }
}

extension TimeRange.Bound {
  /// Returns the time of a bound in an asset.
  ///
  /// - Parameters:
  ///   - track: the video track whose ticks and frames count.
  ///   - frames: the intervals of that track's frames, or `nil` if their times are unknown.
  fileprivate func time(
    in asset: MediaAsset, _ track: AssetTrack?, _ frames: [Range<MediaTime>]?
  ) throws -> MediaTime {
    func nearestTick(to time: MediaTime) -> MediaTime {
      track.map { $0.timeline.nearestTick(to: time, timescale: $0.demuxed.timescale) } ?? time
    }
    switch self {
    // Decimal seconds rarely hit a tick exactly, so take the nearest tick. Otherwise a frame that
    // begins at that tick could be missed by a nanosecond.
    case .time(let time): return nearestTick(to: time)
    case .timeCode(let label): return nearestTick(to: try asset.time(of: label))
    case .ticks(let ticks):
      guard let track else { throw Self.noVideo }
      return MediaTime(value: ticks, timescale: track.demuxed.timescale)
    case .frame(let number):
      guard track != nil else { throw Self.noVideo }
      guard let frames else {
        throw TranscodingError(
          .unusableInput, "its frames have no times, so they cannot be counted; give seconds")
      }
      guard number <= frames.count, let last = frames.last else {
        throw TranscodingError(
          .unusableInput,
          "the range names frame \(number), but only \(frames.count.counted("frame")) "
            + "\(frames.count == 1 ? "is" : "are") presented")
      }
      // The number after the last frame is allowed. As an end, it means the end of the last frame.
      return number < frames.count ? frames[number].lowerBound : last.upperBound
    }
  }

  private static let noVideo = TranscodingError(
    .unusableInput, "it has no video whose ticks or frames could be counted; give seconds")
}

extension PresentedRange: JSONObject {
  package static let meaning = "A part of a presentation."
  package static let fields: [JSONField<PresentedRange>] = [
    .init("start", "When the part begins, in seconds of the presentation.") { $0.start.seconds },
    .init("end", "When it ends, in seconds of the presentation; absent if unknown.") {
      $0.statedEnd?.seconds
    },
    .init("startTick", "When it begins, in ticks of the video track; absent without video.") {
      $0.ticks($0.start)
    },
    .init(
      "endTick",
      "When it ends, in ticks of the video track; absent without video, and if the end is unknown."
    ) { range in range.statedEnd.flatMap(range.ticks) },
    .init("timescale", "Ticks a second; absent without video.") { $0.timescale },
    .init(
      "firstFrame", "The number of the first frame, from 0; absent if frames have no times.",
      .count
    ) { $0.frames?.lowerBound },
    .init("frameCount", "The number of frames; absent if frames have no times.", .count) {
      $0.frames?.count
    },
  ]

  private var statedEnd: MediaTime? { end ?? total }

  private func ticks(_ time: MediaTime) -> Int64? {
    timescale.map { time.converted(to: $0).value }
  }

  /// The part in one line of text.
  package var text: String {
    // Round to microseconds, because the times are in ticks such as 1/30000 s, which no decimal
    // number expresses exactly.
    func seconds(_ time: MediaTime) -> String { "\((time.seconds * 1e6).rounded() / 1e6) s" }
    var text = "\(seconds(start)) to " + (statedEnd.map(seconds) ?? "the end")
    if let startTick = ticks(start), let timescale {
      let endTick = statedEnd.flatMap(ticks).map { "\($0)" }
      text += ", ticks \(startTick) to " + (endTick ?? "the end") + " of 1/\(timescale) s"
    }
    guard let frames else { return text }
    return text + ", frames \(frames.lowerBound) to \(frames.lowerBound + frames.count - 1)"
  }
}
