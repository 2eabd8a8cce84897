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
    let ends = Bounds(asset: asset, track: track, frames: presented)
    let start = try range.start.map(ends.time) ?? .zero
    let end = try range.end.map(ends.time)
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

  /// Meaning of bounds in a file.
  private struct Bounds {
    let asset: MediaAsset
    let track: AssetTrack?
    let frames: [Range<MediaTime>]?

    func time(_ bound: TimeRange.Bound) throws -> MediaTime {
      switch bound {
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

    private func nearestTick(to time: MediaTime) -> MediaTime {
      track.map { $0.timeline.nearestTick(to: time, timescale: $0.demuxed.timescale) } ?? time
    }

    private static let noVideo = TranscodingError(
      .unusableInput, "it has no video whose ticks or frames could be counted: name seconds")
  }
}

extension PresentedRange {
  /// The part as data and as text.
  package struct Report: Sendable, Encodable {
    /// The beginning in the presentation, in seconds.
    package let start: Double
    /// The end, in seconds; nil where the end of the presentation is unknown.
    package let end: Double?
    /// The beginning in ticks of the video track; nil where there is no video.
    package let startTick: Int64?
    /// The end in ticks; nil where there is no video, or where the end is unknown.
    package let endTick: Int64?
    /// The ticks in a second; nil where there is no video.
    package let timescale: Int32?
    /// The first frame that is presented, counted from 0; nil where that is unknown.
    package let firstFrame: Int?
    /// The number of frames that are presented; nil where that is unknown.
    package let frameCount: Int?

    /// The part in a line.
    package var text: String {
      func seconds(_ time: Double) -> String { "\((time * 1e6).rounded() / 1e6) s" }
      var text = "\(seconds(start)) to " + (end.map(seconds) ?? "the end")
      if let startTick, let timescale {
        text += ", ticks \(startTick) to " + (endTick.map { "\($0)" } ?? "the end")
        text += " of 1/\(timescale) s"
      }
      guard let firstFrame, let frameCount else { return text }
      return text + ", frames \(firstFrame) to \(firstFrame + frameCount - 1)"
    }
  }

  /// Report about the part, for people and for JSON.
  package var report: Report {
    let end = end ?? total
    func ticks(_ time: MediaTime) -> Int64? { timescale.map { time.converted(to: $0).value } }
    return Report(
      start: start.seconds, end: end?.seconds, startTick: ticks(start), endTick: end.flatMap(ticks),
      timescale: timescale, firstFrame: frames?.lowerBound, frameCount: frames?.count)
  }
}
