// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Reading

/// A frame that a file presents.
struct PresentedFrame: Sendable {
  /// When the frame is presented.
  let time: MediaTime
  /// The frame's time in the track's media. Samples are found by this time.
  let mediaTime: MediaTime
  let metadata: FrameMetadata
}

/// The frames of a file's video track, in the order in which they are presented.
struct PresentedTrack: Sendable {
  let asset: MediaAsset
  let track: AssetTrack
  let facts: VideoFacts
  /// The metadata of the frames, in their samples or in a track of its own.
  let hdrMetadata: HDRMetadata
  /// The names of unreadable user data in samples, which might be HDR metadata.
  let otherUserData: [String]
  /// HDR user data in separate tracks, which are not read. Each text names the data and its track.
  let otherUserDataTracks: [String]
  let frames: [PresentedFrame]
  /// The media times of all frames, including those that no edit presents.
  let mediaTimes: [MediaTime]

  /// Reads the coded frames of a file.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there is no video that can be
  ///   decoded.
  static func load(_ path: String) async throws -> PresentedTrack {
    let asset = try await MediaAsset.load(path: path)
    guard let track = asset.videoTrack, let facts = track.video else {
      throw TranscodingError(.unusableInput, "\(path) has no video that can be decoded")
    }
    let (coded, timed) = try await Pipeline.onThread("read") { checkpoint in
      let frames = try CodedFrames(
        path: path, completesRPUs: true, checkpoint: checkpoint
      ).frames
      let timed = try TimedUserData(asset, checkpoint)
      return (timed.added(to: frames, of: track), timed)
    }
    var metadata = facts.hdrMetadata
    for value in timed.first.all where !metadata.frames.has(type(of: value)) {
      metadata.frames.put(value)
    }
    let others = asset.tracks.compactMap { track -> String? in
      guard let data = track.box?.userData, data.isHDRMetadata, !timed.reads(track) else {
        return nil
      }
      return "\(data) in track \(track.demuxed.id)"
    }
    return PresentedTrack(asset, track, facts, metadata, coded, otherUserDataTracks: others)
  }

  private init(
    _ asset: MediaAsset, _ track: AssetTrack, _ facts: VideoFacts, _ metadata: HDRMetadata,
    _ coded: [CodedFrame], otherUserDataTracks: [String]
  ) {
    (hdrMetadata, self.otherUserDataTracks) = (metadata, otherUserDataTracks)
    otherUserData = Set(coded.flatMap(\.otherUserData)).sorted()
    let all = coded.enumerated().map { index, frame in
      (frame, frame.time ?? track.usualTime(ofFrame: index))
    }
    frames = all.indices.compactMap { index -> PresentedFrame? in
      let (frame, time) = all[index]
      // A frame lasts until the next one. Packets need not state how long they last.
      let next = index + 1 < all.count ? all[index + 1].1 : nil
      let usual = frame.duration > .zero ? frame.duration : track.usualFrameDuration
      let lasting = next.flatMap { $0 > time ? $0 - time : nil } ?? usual
      return track.timeline.presentationTime(of: time, lasting: lasting).map {
        PresentedFrame(time: $0, mediaTime: time, metadata: frame.metadata)
      }
    }
    (self.asset, self.track, self.facts, mediaTimes) = (asset, track, facts, all.map(\.1))
  }

  var path: String { asset.path }
}
