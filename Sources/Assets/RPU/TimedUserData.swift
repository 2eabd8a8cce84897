// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
internal import NALUnits

/// User data that has a track of its own, as samples in the order of presentation.
package struct TimedUserData {
  private typealias Sample = (start: MediaTime, end: MediaTime, payload: [UInt8])

  private var samples: [Sample] = []
  /// The index of the track that was read; `nil` if there is none.
  private var index: Int?

  /// Reads the first track of user data about HDR, preferably one of a known kind.
  package init(_ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint) throws {
    let tracks = asset.tracks.filter { $0.box?.userData?.isHDRMetadata == true }
    let known = tracks.first { track in
      track.box?.userDataBeginning.flatMap(FrameMetadata.kind(ofUserData:)) != nil
    }
    guard let track = known ?? tracks.first, let beginning = track.box?.userDataBeginning else {
      return
    }
    index = track.demuxed.index
    var packets = try DemuxedPackets(path: asset.path, of: [track.demuxed.index])
    while let packet = try packets.next() {
      try checkpoint()
      guard let time = packet.presentationTimeStamp,
        let start = track.timeline.presentationTime(of: time, lasting: packet.duration)
      else { continue }
      samples.append((start, start + packet.duration, beginning + packet.bytes))
    }
    samples.sort { $0.start < $1.start }
  }

  /// Adds to each frame the metadata for its time. Metadata in the frame's own sample takes
  /// precedence.
  package func added(to frames: [CodedFrame], of track: AssetTrack?) -> [CodedFrame] {
    guard let track, !samples.isEmpty else { return frames }
    var next = 0
    return frames.map { frame in
      var frame = frame
      guard let time = frame.time,
        let shown = track.timeline.presentationTime(of: time, lasting: frame.duration)
      else { return frame }
      while next + 1 < samples.count, samples[next + 1].start <= shown { next += 1 }
      let sample = samples[next]
      guard sample.start <= shown, shown < sample.end else { return frame }
      for value in Self.metadata(of: sample).all where !frame.metadata.has(type(of: value)) {
        frame.metadata.put(value)
      }
      return frame
    }
  }

  /// The metadata of the first sample.
  package var first: FrameMetadata { samples.first.map(Self.metadata) ?? FrameMetadata() }

  /// Returns whether the samples come from this track, and the first of them has metadata of a
  /// known kind.
  package func reads(_ track: AssetTrack) -> Bool {
    track.demuxed.index == index && !first.all.isEmpty
  }

  private static func metadata(of sample: Sample) -> FrameMetadata {
    var metadata = FrameMetadata()
    metadata.take([NALUnit(hevcPrefixSEI: SEIMessage(registeredUserData: sample.payload))])
    return metadata
  }
}
