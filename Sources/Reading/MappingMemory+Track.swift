// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
internal import LibAV

extension MappingMemory {
  /// Makes a memory for the RPUs of a track. If the track is limited to a part, its RPUs may refer
  /// to RPUs before the part, which are then read.
  package init(_ track: AssetTrack, checkpoint: @escaping Pipeline.Checkpoint) {
    let first = track.video?.hdrMetadata.frames[DolbyVisionRPU.self]
    guard let span = track.copiedSpan, span.samples.lowerBound > 0 else {
      self.init(first)
      return
    }
    self.init(first) { take in try track.readRPUs(before: span, checkpoint, take) }
  }
}

extension AssetTrack {
  /// Reads the RPUs of all samples before a span, in decoding order.
  fileprivate func readRPUs(
    before span: SampleSpan, _ checkpoint: Pipeline.Checkpoint, _ take: (DolbyVisionRPU) -> Void
  ) throws {
    guard let units = PacketMetadata(demuxed) else { return }
    var packets = try TrackPackets(presenting(.wholeMedia, span: nil), decodes: false)
    while let packet = try packets.next(), packet.presentationTimeStamp != span.start {
      try checkpoint()
      for rpu in units.rpus(in: packet) { take(rpu) }
    }
  }
}
