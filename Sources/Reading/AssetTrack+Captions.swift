// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

extension AssetTrack {
  /// Bytes of packets that are read at most to find captions, of files without tables. The time for
  /// them depends on the disk and on the size of the packets.
  private static let mostBytes = 1 << 30

  /// Looks for captions in all samples, of which the first frame may have none.
  ///
  /// A movie's tables say where its samples are, and only what stands before the slices is read.
  /// Other files are read from their beginning, as far as that takes little beside an encode.
  /// Damage ends the search: whoever reads the whole track reports it.
  ///
  /// - Parameter checkpoint: asked before each sample.
  /// - Returns: true if a frame that is wanted has captions.
  /// - Throws: errors of the checkpoint.
  package func hasCaptions(checkpoint: Pipeline.Checkpoint) throws -> Bool {
    if video?.hasCaptions == true { return true }
    guard let finder = CaptionFinder(demuxed) else { return false }
    do {
      return try tablesHaveCaptions(checkpoint) ?? packetsHaveCaptions(finder, checkpoint)
    } catch {
      try checkpoint()
      return false
    }
  }

  /// - Returns: nil where no table says where samples are, or where they have no NAL units.
  private func tablesHaveCaptions(_ checkpoint: Pipeline.Checkpoint) throws -> Bool? {
    guard let box, box.box.isTrackOfThisFile, let table = try? SampleTable(box),
      table.count > 0, let (payload, codec) = box.sampleEntries.first?.decoderConfiguration,
      let lengthSize = try? DecoderConfiguration(payload, codec).lengthSize
    else { return nil }
    let units = SampleUnits(
      source: try FileByteSource(path: path), lengthSize: lengthSize, codec)
    let ranges = table.ranges
    let wanted = span.map { ranges[$0.samples.clamped(to: ranges.indices)] } ?? ranges[...]
    return try wanted.contains { sample in
      try checkpoint()
      return try units.places(in: sample).contains { place in
        try place.header.type.isSEI && units.unit(place.range).hasCaptions
      }
    }
  }

  private func packetsHaveCaptions(
    _ finder: CaptionFinder, _ checkpoint: Pipeline.Checkpoint
  ) throws -> Bool {
    var packets = try TrackPackets(self)
    var byteCount = 0
    while byteCount < Self.mostBytes, let packet = try packets.next() {
      try checkpoint()
      byteCount += packet.byteCount
      if finder.finds(in: packet) { return true }
    }
    return false
  }
}
