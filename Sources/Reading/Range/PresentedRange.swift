// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A part of a presentation as it was found: at ticks of the video track.
package struct PresentedRange: Sendable {
  /// The beginning.
  let start: MediaTime
  /// The end, which the part does not contain; nil for that of the presentation.
  let end: MediaTime?
  /// Ticks a second of the video track; nil where there is none.
  let timescale: Int32?
  /// The frames that the part presents, counted from 0; nil where their times are unknown.
  let frames: Range<Int>?
  /// The end of the whole presentation; nil if unknown.
  let total: MediaTime?
  /// The tracks of which the part has nothing.
  package var emptyTracks: [AssetTrack] = []

  /// Finds a part.
  ///
  /// - Parameters:
  ///   - track: the track of video that ticks and frames are counted of; nil for none.
  ///   - index: its samples; nil where their times are unknown.
  /// - Throws: ``TranscodingError``: `invalidSettings` for a range that ends before or where it
  ///   begins, `unusableInput` for one that is not in the presentation.
  init(
    _ range: TimeRange, of asset: MediaAsset, track: AssetTrack?, index: SampleIndex?
  ) throws {
    let presented = track.flatMap { track in
      index?.presentedFrames(of: track.timeline).map(\.interval)
    }
    let start = try range.start?.time(in: asset, track, presented) ?? .zero
    let end = try range.end?.time(in: asset, track, presented)
    if let end, end <= start {
      throw TranscodingError(
        .invalidSettings,
        "the range from \(start.roundedSeconds) s to \(end.roundedSeconds) s is empty: its end has "
          + "to be later than its beginning")
    }
    if let duration = asset.duration, start >= duration {
      throw TranscodingError(
        .unusableInput,
        "the range begins at \(start.roundedSeconds) s, but the presentation ends at "
          + "\(duration.roundedSeconds) s"
      )
    }
    self.start = start
    self.end = end.flatMap { end in asset.duration.map { end < $0 } ?? true ? end : nil }
    timescale = track?.demuxed.timescale
    total = asset.duration
    frames = presented.map { presented in
      let first = presented.partitioningIndex { $0.upperBound > start }
      let last = end.map { end in presented.partitioningIndex { $0.lowerBound >= end } }
      return first..<max(last ?? presented.count, first)
    }
    if let frames, frames.isEmpty {
      let stop = (end ?? total).map { " to \($0.roundedSeconds) s" } ?? ""
      throw TranscodingError(
        .unusableInput, "no frame of it is presented from \(start.roundedSeconds) s\(stop)")
    }
  }
}

extension TimeRange.Bound {
  /// The time of a bound in a file.
  ///
  /// - Parameters:
  ///   - track: the track of video that ticks and frames are counted of; nil for none.
  ///   - frames: the intervals of its frames; nil where their times are unknown.
  fileprivate func time(
    in asset: MediaAsset, _ track: AssetTrack?, _ frames: [Range<MediaTime>]?
  ) throws -> MediaTime {
    func nearestTick(to time: MediaTime) -> MediaTime {
      track.map { $0.timeline.nearestTick(to: time, timescale: $0.demuxed.timescale) } ?? time
    }
    switch self {
    case .time(let time): return nearestTick(to: time)
    case .timeCode(let label): return nearestTick(to: try asset.time(of: label))
    case .ticks(let ticks):
      guard let track else { throw Self.noVideo }
      return MediaTime(value: ticks, timescale: track.demuxed.timescale)
    case .frame(let number):
      guard track != nil else { throw Self.noVideo }
      guard let frames else {
        throw TranscodingError(
          .unusableInput, "its frames state no times to be counted by: name seconds")
      }
      guard number <= frames.count, let last = frames.last else {
        throw TranscodingError(
          .unusableInput,
          "the range names frame \(number), but \(frames.count.counted("frame")) "
            + "\(frames.count == 1 ? "is" : "are") presented")
      }
      return number < frames.count ? frames[number].lowerBound : last.upperBound
    }
  }

  private static let noVideo = TranscodingError(
    .unusableInput, "it has no video whose ticks or frames could be counted: name seconds")
}

/// Encoded, it has `start` and `end` in seconds, `startTick` and `endTick` in ticks of the video
/// track, the `timescale` of these, `firstFrame` from 0 and `frameCount`; what is unknown is left
/// out.
extension PresentedRange: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let seconds = ["start": start.seconds, "end": statedEnd?.seconds]
    let inTicks = [
      "startTick": ticks(start), "endTick": statedEnd.flatMap(ticks),
      "timescale": timescale.map { Int64($0) },
    ]
    let counts = ["firstFrame": frames?.lowerBound, "frameCount": frames?.count]
    try seconds.compactMapValues { $0 }.encode(to: encoder)
    try inTicks.compactMapValues { $0 }.encode(to: encoder)
    try counts.compactMapValues { $0 }.encode(to: encoder)
  }

  /// The end; nil where that of the presentation is unknown.
  private var statedEnd: MediaTime? { end ?? total }

  private func ticks(_ time: MediaTime) -> Int64? {
    timescale.map { time.converted(to: $0).value }
  }

  /// The part in a line.
  package var text: String {
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
