// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import LibAV
internal import MediaCore

extension FrameMetadataTable {
  /// Reads the RPUs of a track's frames. If another track has its enhancement layer, the RPUs come
  /// from that track. Otherwise they come from the track's own samples.
  ///
  /// Frames of the two tracks are paired by time or, if their times differ, by order.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the frames do not pair.
  package init(rpusOf track: AssetTrack, checkpoint: @escaping Pipeline.Checkpoint) throws {
    self.init(timescale: track.demuxed.timescale)
    let layer = track.enhancementLayer
    let source = layer?.track ?? track
    let found = try Self.rpus(in: source, checkpoint: checkpoint)
    guard let layer else {
      for (time, metadata) in found { self[time] = metadata }
      return
    }
    let times = try Self.times(of: track, checkpoint: checkpoint).sorted()
    for (time, metadata) in found { self[time + layer.delay] = metadata }
    guard times.contains(where: { self[$0] == nil }) else { return }
    // Some programs let the times of each track start anew. If the times differ for this reason,
    // frames are paired by order.
    guard track.span == nil, times.count == found.count else {
      throw TranscodingError(
        .unusableInput,
        "track \(source.demuxed.id) has Dolby Vision's RPUs for \(found.count.counted("frame")), "
          + "which do not pair with the \(times.count.counted("frame")) of track "
          + "\(track.demuxed.id)")
    }
    self = FrameMetadataTable(timescale: track.demuxed.timescale)
    for (time, pair) in zip(times, found.sorted { $0.time < $1.time }) {
      self[time] = pair.metadata
    }
  }

  /// Returns the time and the RPU of each frame, in the order of the file. The RPUs are not kept
  /// parsed, because a film has too many.
  private static func rpus(
    in track: AssetTrack, checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [(time: MediaTime, metadata: FrameMetadata)] {
    guard let units = PacketMetadata(track.demuxed) else { return [] }
    var found: [(time: MediaTime, metadata: FrameMetadata)] = []
    var mappings = MappingMemory(track, checkpoint: checkpoint)
    func completed(_ payload: [UInt8]) throws -> FrameMetadata {
      var metadata = FrameMetadata()
      metadata.put(try mappings.completed(DolbyVisionRPU(payload: payload)))
      return metadata.unread
    }
    var packets = try TrackPackets(track, decodes: false)
    while let packet = try packets.next() {
      try checkpoint()
      mappings.pass(leftOutBefore: packet, units)
      // In a byte stream, an RPU after the end of a sequence comes with the next packet.
      let (late, own) = units.split(packet)
      if let payload = DolbyVisionRPU.payload(in: late), !found.isEmpty {
        found[found.count - 1].metadata = try completed(payload)
      }
      guard !own.isEmpty, let time = packet.presentationTimeStamp else { continue }
      found.append((time, try DolbyVisionRPU.payload(in: own).map(completed) ?? FrameMetadata()))
    }
    return found
  }

  private static func times(
    of track: AssetTrack, checkpoint: Pipeline.Checkpoint
  ) throws -> [MediaTime] {
    var times: [MediaTime] = []
    var packets = try TrackPackets(track, decodes: false)
    while let packet = try packets.next() {
      try checkpoint()
      if let time = packet.presentationTimeStamp { times.append(time) }
    }
    return times
  }
}
