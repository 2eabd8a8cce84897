// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import LibAV
internal import MediaCore

extension MediaAsset {
  /// Opens a file to read a part of it.
  ///
  /// - Parameters:
  ///   - range: the part, or `nil` for the whole.
  ///   - isWanted: returns whether a track may be the output's video. The frames and ticks of the
  ///     range are those of the track that is chosen.
  /// - Returns: an asset whose whole presentation is the part, and the part itself.
  /// - Throws: ``TranscodingError`` if the file cannot be read or does not contain the part.
  package static func load(
    path: String, range: TimeRange?, where isWanted: @escaping @Sendable (AssetTrack) -> Bool
  ) async throws -> (asset: MediaAsset, range: PresentedRange?) {
    let asset = try await load(path: path)
    guard let range else { return (asset, nil) }
    // Without tables, the whole file is read here, which takes a long time. A separate thread reads
    // it, so that no thread of Swift's tasks is blocked.
    return try await Pipeline.onThread("look") { checkpoint in
      do {
        let video = asset.videoTrack(where: isWanted)
        return try asset.clipped(to: range, by: video, checkpoint)
      } catch {
        throw TranscodingError.meaning(of: error, input: path)
      }
    }
  }

  private func clipped(
    to range: TimeRange, by video: AssetTrack?, _ checkpoint: Pipeline.Checkpoint
  ) throws -> (asset: MediaAsset, range: PresentedRange?) {
    let videos = tracks.filter { $0.demuxed.kind == .video }
    let indices = try SampleIndex.all(of: videos, checkpoint: checkpoint)
    var part = try PresentedRange(
      range, of: self, track: video, index: video.flatMap { indices[$0.demuxed.index] })
    var tracks: [AssetTrack] = []
    for track in self.tracks {
      let timeline = track.timeline(of: part)
      if timeline.mediaStart == nil {
        part.emptyTracks.append(track)
      } else {
        let index = indices[track.demuxed.index]
        let raw =
          index == nil && track.demuxed.kind == .video
          ? try SampleIndex(rawStream: track, checkpoint: checkpoint) : nil
        let held = try timeline.mediaStart.map {
          try metadataInForce(at: $0, of: track, index, checkpoint)
        }
        tracks.append(
          track.presenting(
            timeline, span: index?.span(presentedBy: timeline),
            rawSpan: raw?.span(presentedBy: timeline)
          ).holding(held ?? FrameMetadata()))
      }
    }
    return (self.part(tracks: tracks, chapters: chapters(of: part), from: part.start), part)
  }

  /// Returns the chapters that overlap a part, with times counted from its start.
  private func chapters(of part: PresentedRange) -> [Chapter] {
    Chapter.inSequence(chapters, until: duration).compactMap { chapter in
      // A chapter that goes on after the part ends with the part.
      let end = [chapter.end, part.end].compactMap { $0 }.min()
      let start = max(chapter.start, part.start)
      guard let end, start < end else { return nil }
      return Chapter(start: start - part.start, end: end - part.start, title: chapter.title)
    }
  }
}

extension AssetTrack {
  /// Returns the timeline of a part of the presentation.
  fileprivate func timeline(of part: PresentedRange) -> EditTimeline {
    // An edit without an end lasts as long as its media. The edit stays without an end unless the
    // part is known to end earlier.
    let isWithin = part.end.map { end in presentedDuration.map { end < $0 } ?? true } ?? false
    return timeline.clipped(from: part.start, to: isWithin ? part.end : nil)
  }
}
