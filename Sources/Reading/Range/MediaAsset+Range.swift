// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import LibAV
internal import MediaCore

extension MediaAsset {
  /// Opens a file of which a part is wanted.
  ///
  /// - Parameters:
  ///   - range: the part; nil for the whole.
  ///   - isWanted: true if a track may be the output's video, whose frames and ticks count.
  /// - Returns: the file as if the part were all of its presentation, and the part.
  /// - Throws: ``TranscodingError`` where the file cannot be read, or has no such part.
  package static func load(
    path: String, range: TimeRange?, where isWanted: @escaping @Sendable (AssetTrack) -> Bool
  ) async throws -> (asset: MediaAsset, range: PresentedRange?) {
    let asset = try await load(path: path)
    guard let range else { return (asset, nil) }
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
        let span = indices[track.demuxed.index]?.span(presentedBy: timeline)
        tracks.append(track.presenting(timeline, span: span))
      }
    }
    return (self.part(tracks: tracks, chapters: chapters(of: part), from: part.start), part)
  }

  /// The chapters that a part has something of.
  private func chapters(of part: PresentedRange) -> [Chapter] {
    Chapter.inSequence(chapters, until: duration).compactMap { chapter in
      let end = [chapter.end, part.end].compactMap { $0 }.min()
      let start = max(chapter.start, part.start)
      guard let end, start < end else { return nil }
      return Chapter(start: start - part.start, end: end - part.start, title: chapter.title)
    }
  }
}

extension AssetTrack {
  /// The timeline of a part of the presentation. An edit that lasts to the end of the media still
  /// does where the part is not known to end before.
  fileprivate func timeline(of part: PresentedRange) -> EditTimeline {
    let isWithin = part.end.map { end in presentedDuration.map { end < $0 } ?? true } ?? false
    return timeline.clipped(from: part.start, to: isWithin ? part.end : nil)
  }
}
