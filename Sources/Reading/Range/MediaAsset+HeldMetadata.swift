// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import LibAV
package import MediaCore

extension MediaAsset {
  /// Returns metadata that is in force at a frame although it may have come with an earlier frame:
  /// the last values of the kinds whose values last until the next one.
  ///
  /// Only groups of samples as far back as those values are read, nothing of tracks without them.
  ///
  /// - Parameters:
  ///   - time: a time in the media at which the frame is shown.
  ///   - index: the track's samples; `nil` if the file does not give their times.
  package func metadataInForce(
    at time: MediaTime, of track: AssetTrack, _ index: SampleIndex?,
    _ checkpoint: Pipeline.Checkpoint
  ) throws -> FrameMetadata {
    guard var search = HeldMetadata(track, until: time) else { return FrameMetadata() }
    guard let index, !index.isOfDecoding else {
      var packets = try TrackPackets(track, decodes: false, endsAtDamage: true)
      while let packet = try packets.next() {
        try checkpoint()
        search.read(packet)
      }
      return search.found
    }
    for samples in index.groups(before: time) where !search.isComplete {
      let span = SampleSpan(
        samples: samples, start: index.time(samples.lowerBound),
        last: index.time(samples.upperBound - 1), lastDecoded: index.time(samples.upperBound - 1),
        dropsLeading: false, hiddenCount: 0)
      let part = track.presenting(track.timeline, span: span)
      let reading = try AssetReading(
        self.part(tracks: [part], chapters: []), for: [TrackReading(track: part, decodes: false)],
        probing: track.box == nil)
      // Damage before the part is not the part's.
      while let (_, sample) = try? reading.next() {
        try checkpoint()
        if case .packet(let sample) = sample { search.read(sample.packet) }
      }
    }
    return search.found
  }
}

extension SampleIndex {
  /// Returns ranges of samples in decoding order that begin at sync samples, the latest first. All
  /// samples that are presented until a time are in one of them.
  fileprivate func groups(before time: MediaTime) -> [Range<Int>] {
    let last = times.lastIndex { MediaTime(value: $0, timescale: timescale) <= time }
    var end = last.map { $0 + 1 } ?? 0
    var starts = ([0] + syncSamples.filter { 0 < $0 && $0 < end })[...]
    var groups: [Range<Int>] = []
    // The file is opened for each range, so the ranges become longer.
    var count = 1
    while let start = starts.suffix(count).first, start < end {
      groups.append(start..<end)
      starts.removeLast(min(count, starts.count))
      (end, count) = (start, count * 2)
    }
    return groups
  }
}

/// The last values of some kinds of metadata before a time.
private struct HeldMetadata {
  private let kinds: [any DynamicHDRMetadataKind.Type]
  private let units: PacketMetadata
  private let end: MediaTime
  /// The values, and when the frame of each is presented, by the key of their kind.
  private var values: [String: (value: any DynamicHDRMetadataKind, time: MediaTime)] = [:]

  /// - Returns: `nil` if the track has no metadata that lasts.
  init?(_ track: AssetTrack, until end: MediaTime) {
    guard let metadata = track.video?.hdrMetadata.frames, let units = PacketMetadata(track.demuxed)
    else { return nil }
    kinds = FrameMetadata.kinds.filter { $0.lastsUntilNext && metadata.has($0) }
    guard !kinds.isEmpty else { return nil }
    (self.units, self.end) = (units, end)
  }

  var isComplete: Bool { values.count == kinds.count }

  var found: FrameMetadata {
    var metadata = FrameMetadata()
    for (value, _) in values.values { metadata.put(value) }
    return metadata
  }

  mutating func read(_ packet: Packet) {
    guard let time = packet.presentationTimeStamp, time <= end else { return }
    var metadata = FrameMetadata()
    metadata.take(units.split(packet).own)
    for value in metadata.all where kinds.contains(where: { $0 == type(of: value) }) {
      let key = type(of: value).key
      if values[key].map({ $0.time < time }) ?? true { values[key] = (value, time) }
    }
  }
}
