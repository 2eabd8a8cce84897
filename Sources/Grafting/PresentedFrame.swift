// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import MediaCore
internal import Reading

/// A frame that a file presents.
struct PresentedFrame: Sendable {
  /// When the frame is presented.
  let time: MediaTime
  /// Its time in the track's media, by which samples are found.
  let mediaTime: MediaTime
  let metadata: FrameMetadata
}

/// The frames of a file's video track, in the order in which they are presented.
struct PresentedTrack: Sendable {
  let asset: MediaAsset
  let track: AssetTrack
  let facts: VideoFacts
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
    return try await Pipeline.onThread("read") { checkpoint in
      let coded = try CodedFrames(path: path, checkpoint: checkpoint)
      let all = coded.frames.enumerated().map { index, frame in
        (frame, frame.time ?? track.usualTime(ofFrame: index))
      }
      let frames = all.indices.compactMap { index -> PresentedFrame? in
        let (frame, time) = all[index]
        // A frame lasts until the next one. Packets need not state how long they last.
        let next = index + 1 < all.count ? all[index + 1].1 : nil
        let usual = frame.duration > .zero ? frame.duration : track.usualFrameDuration
        let lasting = next.flatMap { $0 > time ? $0 - time : nil } ?? usual
        return track.timeline.presentationTime(of: time, lasting: lasting).map {
          PresentedFrame(time: $0, mediaTime: time, metadata: frame.metadata)
        }
      }
      return PresentedTrack(
        asset: asset, track: track, facts: facts, frames: frames, mediaTimes: all.map(\.1))
    }
  }

  var path: String { asset.path }
}
