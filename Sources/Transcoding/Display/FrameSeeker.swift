// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// Finds the presented frames of a track, and decodes single ones from the sync sample before them.
package struct FrameSeeker: Sendable {
  /// Presentation times of the frames that are presented, in order; not empty.
  package let frames: [Range<MediaTime>]
  /// The places among them of those at which decoding can start.
  package let syncPlaces: [Int]

  private let asset: MediaAsset
  private let track: AssetTrack
  private let index: SampleIndex

  /// Looks for the frames of a track.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where none is presented, or where
  ///   nothing states their times.
  package init(
    _ asset: MediaAsset, _ track: AssetTrack, checkpoint: Pipeline.Checkpoint
  ) throws {
    guard let index = try SampleIndex(track, checkpoint: checkpoint), !index.isOfDecoding else {
      throw TranscodingError(
        .unusableInput, "\(asset.path): nothing states when its frames are presented")
    }
    (self.asset, self.track, self.index) = (asset, track, index)
    let frames = index.presentedFrames(of: track.timeline)
    guard !frames.isEmpty else {
      throw TranscodingError(.unusableInput, "\(asset.path): no frame of it is ever presented")
    }
    let sync = Set(
      index.syncSamples.compactMap { sample in
        track.timeline.presentationTime(of: index.time(sample), lasting: .zero)
      })
    self.frames = frames
    syncPlaces = frames.indices.filter { sync.contains(frames[$0].lowerBound) }
  }

  /// The time of a bound in the presentation.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for a frame that is not there.
  package func time(of bound: TimeRange.Bound) throws -> MediaTime {
    switch bound {
    case .time(let time): return time
    case .ticks(let ticks): return MediaTime(value: ticks, timescale: track.demuxed.timescale)
    case .frame(let number):
      guard frames.indices.contains(number) else {
        throw TranscodingError(
          .unusableInput,
          "\(asset.path): there is no frame \(number): \(frames.count.counted("frame")) are "
            + "presented, counted from 0", code: .noSuchFrame)
      }
      return frames[number].lowerBound
    }
  }

  /// The place of the frame that is shown at a time; of the first one behind it or the last of all
  /// where none is.
  package func place(at time: MediaTime) -> Int {
    min(frames.partitioningIndex { $0.upperBound > time }, frames.count - 1)
  }

  /// A frame that was decoded.
  package struct Found: Sendable {
    /// The frame, at its time in the media.
    package let frame: VideoFrame
    /// True if parts of it were made up.
    package let isDamaged: Bool
  }

  /// Decodes a frame.
  ///
  /// - Returns: nil where it cannot be decoded.
  package func decode(_ place: Int) throws -> Found? {
    var found: Found?
    try read(places: place..<place + 1) { frame, isDamaged in
      found = Found(frame: frame, isDamaged: isDamaged)
      return false
    }
    return found
  }

  /// Decodes frames that follow each other, and gives each to a function until that returns false.
  ///
  /// - Parameter body: takes a frame, and whether something was damaged up to there.
  package func read(
    places: Range<Int>, _ body: (VideoFrame, Bool) throws -> Bool
  ) throws {
    guard let part = part(of: places), let track = part.tracks.first else { return }
    // What comes before may refer to what was not read: only the wanted frames' damage counts.
    let first = track.span.flatMap { span in span.hiddenCount > 0 ? firstTime(of: track) : nil }
    let output = try AssetReaderTrackOutput(
      track: track, decodes: true, concealsDamage: true, needsRPUs: false, threads: 0,
      firstWanted: first)
    let reader = try AssetReader(asset: part, outputs: [output])
    while let (_, sample) = try reader.copyNextSample() {
      guard case .frame(let frame) = sample else { continue }
      guard try body(frame, output.damagedCount > 0) else { return }
    }
  }

  /// The presentation of some frames.
  private func part(of places: Range<Int>) -> MediaAsset? {
    guard let first = places.first, let last = places.last else { return nil }
    let isLast = last == frames.count - 1
    let timeline = track.timeline.clipped(
      from: frames[first].lowerBound, to: isLast ? nil : frames[last].upperBound)
    guard let span = index.span(presentedBy: timeline) else { return nil }
    return asset.part(tracks: [track.presenting(timeline, span: span)], chapters: [])
  }

  /// The time in the media of the first frame that a track presents, which its edit may begin
  /// inside of.
  private func firstTime(of track: AssetTrack) -> MediaTime? {
    guard let start = track.timeline.mediaStart else { return nil }
    return index.times.indices.lazy.map(index.time).filter { $0 <= start }.max()
  }
}
