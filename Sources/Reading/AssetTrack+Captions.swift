// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

extension AssetTrack {
  /// The largest number of packet bytes that are read to find captions in a file without tables.
  /// Reading a gigabyte takes seconds on most disks, which is little compared with the time for
  /// encoding.
  private static let mostBytes = 1 << 30

  /// Looks for captions in all samples.
  ///
  /// - Parameter checkpoint: called before each sample.
  /// - Returns: whether a requested frame has captions.
  /// - Throws: errors of the checkpoint.
  package func hasCaptions(checkpoint: Pipeline.Checkpoint) throws -> Bool {
    // The first frame was parsed when the file was opened, but captions often begin later.
    if video?.hasCaptions == true { return true }
    let units = PacketMetadata(demuxed)
    guard units != nil || demuxed.codec.isMPEG2 else { return false }
    do {
      return try tablesHaveCaptions(checkpoint) ?? packetsHaveCaptions(units, checkpoint)
    } catch {
      // The error comes from damage or from the checkpoint. Damage only ends this search, because
      // it is reported when the whole track is read. If the checkpoint failed, it throws again
      // here.
      try checkpoint()
      return false
    }
  }

  /// Searches through a movie's tables. Returns `nil` if there are no tables, if samples have no
  /// NAL units, or if there are several sample entries, whose NAL unit lengths may differ in size.
  private func tablesHaveCaptions(_ checkpoint: Pipeline.Checkpoint) throws -> Bool? {
    guard let box, box.box.isTrackOfThisFile, let table = try? SampleTable(box),
      table.count > 0, box.sampleEntries.count == 1,
      let (payload, codec) = box.firstUsedEntry?.decoderConfiguration,
      let lengthSize = try? DecoderConfiguration(payload, codec).lengthSize
    else { return nil }
    let units = SampleUnits(
      source: try FileByteSource(path: path), lengthSize: lengthSize, codec)
    let ranges = table.ranges
    let wanted = span.map { ranges[$0.samples.clamped(to: ranges.indices)] } ?? ranges[...]
    return try wanted.contains { sample in
      try checkpoint()
      // SEI comes before the slices, so only a few bytes of each sample are read.
      return try units.places(in: sample).contains { place in
        try place.header.type.isSEI && units.unit(place.range).hasCaptions
      }
    }
  }

  /// - Parameter units: `nil` for MPEG-2.
  private func packetsHaveCaptions(
    _ units: PacketMetadata?, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Bool {
    var packets = try TrackPackets(self)
    var byteCount = 0
    while byteCount < Self.mostBytes, let packet = try packets.next() {
      try checkpoint()
      byteCount += packet.byteCount
      if units?.findsCaptions(in: packet) ?? packet.hasMPEG2Captions { return true }
    }
    return false
  }
}
