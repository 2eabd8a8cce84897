// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
package import Reading

/// Finds the presented frames of a track, and decodes single frames. Decoding starts at the last
/// sync sample at or before the frame, or at the beginning if the file gives no times.
package struct FrameSeeker: Sendable {
  /// When the frames are presented, in order; never empty.
  package let frames: [Range<MediaTime>]
  /// The places of the frames at which decoding can start.
  package let syncPlaces: [Int]

  /// When the frames begin in the media.
  private let mediaTimes: [MediaTime]
  package var path: String { asset.path }

  private let asset: MediaAsset
  private let track: AssetTrack
  /// The samples; `nil` if the file does not give their times.
  private let index: SampleIndex?
  /// The metadata that stays in force after its frame. It is used only if the file gives no times,
  /// and read when the first frame asks for it.
  private let history = Exclusive<HeldMetadataHistory?>(nil)
  /// The media times of the sync samples that are missing because the file is cut off.
  private let missingTimes: Set<MediaTime>

  /// Looks for the frames of a track.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no frame is ever presented.
  package init(
    _ asset: MediaAsset, _ track: AssetTrack, checkpoint: Pipeline.Checkpoint
  ) throws {
    let found = try SampleIndex(track, checkpoint: checkpoint)
    let index = found.flatMap { $0.isOfDecoding ? nil : $0 }
    (self.asset, self.track, self.index) = (asset, track, index)
    // If the file contains no times, the only way to find them is to decode everything.
    let shown =
      try index?.presentedFrames(of: track.timeline)
      ?? Self.decodedFrames(asset, track, checkpoint: checkpoint)
    guard !shown.isEmpty else {
      throw TranscodingError(.unusableInput, "\(asset.path): none of its frames is ever presented")
    }
    frames = shown.map(\.interval)
    mediaTimes = shown.map(\.mediaTime)
    let sync = Set(index.map { index in index.syncSamples.map(index.time) } ?? [])
    syncPlaces = shown.indices.filter { sync.contains(shown[$0].mediaTime) }
    missingTimes =
      asset.missingData == nil
      ? [] : Set(index.map { $0.missingSyncSamples(of: track).map($0.time) } ?? [])
  }

  /// Whether the frame at a place is a sync sample that the file lists, although its data is cut
  /// off or missing at the end of the file.
  func isBeyondEnd(_ place: Int) -> Bool { missingTimes.contains(mediaTimes[place]) }

  private static func decodedFrames(
    _ asset: MediaAsset, _ track: AssetTrack, checkpoint: Pipeline.Checkpoint
  ) throws -> [PresentedFrame] {
    try decodedFrames(asset, track, threads: 0, checkpoint)
      ?? decodedFrames(asset, track, threads: 1, checkpoint) ?? []
  }

  /// - Returns: `nil` if several threads decoded a damaged file.
  private static func decodedFrames(
    _ asset: MediaAsset, _ track: AssetTrack, threads: Int, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [PresentedFrame]? {
    let output = try TrackReading(
      track: track, decodes: true, concealsDamage: true, threads: threads)
    output.traceDamage()
    let reader = try AssetReading(asset, for: [output])
    var frames: [PresentedFrame] = []
    while let (_, sample) = try reader.next() {
      try checkpoint()
      guard case .frame(let frame) = sample else { continue }
      let time = frame.presentationTimeStamp
      let start =
        track.timeline.presentationTime(of: time, lasting: frame.duration)
        ?? frames.last?.interval.upperBound ?? .zero
      let end = start + max(frame.duration, MediaTime(value: 1, timescale: 1000))
      frames.append((start..<end, time))
    }
    // How several threads conceal damage depends on which is faster, so the times might differ from
    // run to run.
    return output.stop() || threads == 1 ? frames : nil
  }

  /// Returns the time of a bound in the presentation.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for a frame or a time code that does
  ///   not exist.
  package func time(of bound: TimeRange.Bound) throws -> MediaTime {
    switch bound {
    case .time(let time):
      // Users type times that this program printed, and printed times are rounded.
      return track.timeline.nearestTick(to: time, timescale: track.demuxed.timescale)
    case .timeCode(let label):
      let begin: MediaTime
      do throws(TranscodingError) {
        begin = try asset.time(of: label)
      } catch {
        throw error.of(asset.path)
      }
      return try time(of: .time(begin))
    case .ticks(let ticks): return MediaTime(value: ticks, timescale: track.demuxed.timescale)
    case .frame(let number):
      guard frames.indices.contains(number) else {
        throw TranscodingError(
          .unusableInput,
          "\(asset.path): there is no frame \(number): \(frames.count.counted("frame")) "
            + "\(frames.count == 1 ? "is" : "are") presented, numbered from 0", code: .noSuchFrame)
      }
      return frames[number].lowerBound
    }
  }

  /// Returns the place of the frame that is presented at a time. If there is no such frame, returns
  /// the place of the next frame, or of the last.
  package func place(at time: MediaTime) -> Int {
    min(frames.partitioningIndex { $0.upperBound > time }, frames.count - 1)
  }

  /// Returns the metadata of a frame, with metadata of earlier frames that is still in force.
  func metadata(
    of frame: VideoFrame, checkpoint: Pipeline.Checkpoint
  ) throws -> FrameMetadata {
    var metadata = frame.metadata
    let time = frame.presentationTimeStamp
    guard index == nil else {
      metadata.hold(try asset.metadataInForce(at: time, of: track, index, checkpoint))
      return metadata
    }
    let known = try history.use { history in
      let known = try history ?? HeldMetadataHistory(track, checkpoint)
      history = known
      return known
    }
    metadata.hold(known.inForce(at: time))
    return metadata
  }

  /// A decoded frame.
  package struct Found: Sendable {
    package let place: Int
    /// The frame, at its time in the media.
    package let frame: VideoFrame
    /// Whether the frame is damaged, or depends on a damaged frame.
    package let isDamaged: Bool
  }

  /// Decodes a frame.
  ///
  /// - Returns: `nil` if it cannot be decoded.
  package func decode(_ place: Int) throws -> Found? {
    // Earlier frames are skipped if the file says that no other frame depends on them. If the file
    // says so wrongly, some frames come out damaged.
    let (quick, isClean) = try decode(place, skipsDisposable: true, threads: 0)
    if let quick, isClean, !quick.isDamaged { return quick }
    // With damage, the result depends on which thread is faster. So decode again with one thread,
    // because each run must give the same frame.
    let (careful, _) = try decode(place, skipsDisposable: true, threads: 1)
    if let careful, !careful.isDamaged { return careful }
    return try decode(place, skipsDisposable: false, threads: 1).found
  }

  private func decode(
    _ place: Int, skipsDisposable: Bool, threads: Int
  ) throws -> (found: Found?, isClean: Bool) {
    var found: Found?
    let isClean = try read(
      places: place..<place + 1, skipsDisposable: skipsDisposable, threads: threads
    ) { frame in
      if frame.place == place { found = frame }
      return false
    }
    // A decoder that lost the frame returns the one before it instead, with a longer duration.
    if let frame = found?.frame, place > 0, isRising(at: place),
      frame.presentationTimeStamp <= mediaTimes[place - 1]
    {
      return (nil, isClean)
    }
    return (found, isClean)
  }

  /// Returns whether a frame comes later in the media than the one presented before it. Edits can
  /// change the order.
  private func isRising(at place: Int) -> Bool { mediaTimes[place - 1] < mediaTimes[place] }

  /// Decodes consecutive frames, and gives each to a function until the function returns false.
  ///
  /// - Parameters:
  ///   - skipsDisposable: whether to skip frames before `places` that no other frame depends on.
  ///   - threads: number of decoding threads; 0 for as many as there are cores. Only with one
  ///     thread is it known which frames are damaged.
  ///   - body: takes a frame, and returns whether it wants more frames.
  /// - Returns: whether everything that was read is free of damage.
  @discardableResult
  package func read(
    places: Range<Int>, skipsDisposable: Bool = false, threads: Int,
    _ body: (Found) throws -> Bool
  ) throws -> Bool {
    guard let part = part(of: places), let track = part.tracks.first else { return true }
    let output = try TrackReading(
      track: track, decodes: true, concealsDamage: true, threads: threads,
      firstWanted: track.span.flatMap { $0.hiddenCount > 0 ? $0.firstShown : nil },
      skipsDisposable: skipsDisposable)
    output.traceDamage()
    let reader = try AssetReading(part, for: [output])
    // Without an index, decoding starts at the beginning.
    var place = index == nil ? 0 : places.lowerBound
    while place < places.upperBound, let (_, sample) = try reader.next() {
      guard case .frame(let frame) = sample else { continue }
      // The decoder may have lost frames. If this frame's time has reached the time of a later
      // place, the frame belongs there.
      while place + 1 < places.upperBound, isRising(at: place + 1),
        mediaTimes[place + 1] <= frame.presentationTimeStamp
      {
        place += 1
      }
      let isLacking = index != nil && output.lacksFrame(before: frame)
      let found = Found(place: place, frame: frame, isDamaged: isLacking || frame.followsDamage)
      if place >= places.lowerBound, try !body(found) { break }
      place += 1
    }
    return output.stop()
  }

  /// Returns the asset with only these frames presented, or with all frames if the file gives no
  /// times.
  private func part(of places: Range<Int>) -> MediaAsset? {
    guard let first = places.first, let last = places.last else { return nil }
    guard let index else { return asset.part(tracks: [track], chapters: []) }
    let isLast = last == frames.count - 1
    let timeline = track.timeline.clipped(
      from: frames[first].lowerBound, to: isLast ? nil : frames[last].upperBound)
    guard let span = index.span(presentedBy: timeline) else { return nil }
    return asset.part(tracks: [track.presenting(timeline, span: span)], chapters: [])
  }
}
