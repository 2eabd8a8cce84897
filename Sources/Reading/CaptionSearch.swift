// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Looks for captions in all samples of a track, of which the first frame may have none.
///
/// A movie's tables say where its samples are, and only what stands before the slices is read.
/// Other files are read from their beginning, as far as that takes little beside an encode.
package enum CaptionSearch {
  /// Bytes of packets that are read at most, of files without tables. The time for them depends on
  /// the disk and on the size of the packets.
  private static let mostBytes = 1 << 30

  /// True if a frame that is wanted of a track has captions. Damage ends the search: whoever reads
  /// the whole track reports it.
  ///
  /// - Parameter checkpoint: asked before each sample.
  /// - Throws: errors of the checkpoint.
  package static func finds(in track: AssetTrack, checkpoint: Pipeline.Checkpoint) throws -> Bool {
    if track.video?.hasCaptions == true { return true }
    guard let finder = CaptionFinder(track.demuxed) else { return false }
    do {
      return try searchTables(of: track, checkpoint) ?? searchPackets(of: track, finder, checkpoint)
    } catch {
      try checkpoint()
      return false
    }
  }

  /// - Returns: nil where no table says where samples are, or where they have no NAL units.
  private static func searchTables(
    of track: AssetTrack, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Bool? {
    guard let box = track.box, box.box.isTrackOfThisFile, let table = try? SampleTable(box),
      table.count > 0, let (payload, codec) = box.sampleEntries.first?.decoderConfiguration,
      let lengthSize = try? DecoderConfiguration(payload, codec).lengthSize
    else { return nil }
    let units = SampleUnits(
      source: try FileByteSource(path: track.path), lengthSize: lengthSize, codec)
    let ranges = table.ranges
    let wanted = track.span.map { ranges[$0.samples.clamped(to: ranges.indices)] } ?? ranges[...]
    return try wanted.contains { sample in
      try checkpoint()
      return try units.places(in: sample).contains { place in
        try place.header.type.isSEI && units.unit(place).hasCaptions
      }
    }
  }

  private static func searchPackets(
    of track: AssetTrack, _ finder: CaptionFinder, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Bool {
    var packets = try TrackPackets(track)
    var byteCount = 0
    while byteCount < mostBytes, let packet = try packets.next() {
      try checkpoint()
      byteCount += packet.byteCount
      if finder.finds(in: packet) { return true }
    }
    return false
  }
}
