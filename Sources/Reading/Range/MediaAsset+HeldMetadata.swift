// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

extension MediaAsset {
  /// Returns metadata that is in force at a frame although it may have come with an earlier frame.
  /// This is the last value of each kind whose values last until the next value.
  ///
  /// Nothing is read from tracks without such metadata. From other tracks, samples are read in
  /// groups, only as far back as those values. If the presentation times are unknown, all samples
  /// are read.
  ///
  /// - Parameters:
  ///   - time: a time in the media at which the frame is shown.
  ///   - index: the track's samples; `nil` if the file does not give their times.
  package func metadataInForce(
    at time: MediaTime, of track: AssetTrack, _ index: SampleIndex?,
    _ checkpoint: Pipeline.Checkpoint
  ) throws -> FrameMetadata {
    guard let index, !index.isOfDecoding else {
      return try HeldMetadataHistory(track, checkpoint).inForce(at: time)
    }
    guard var search = HeldMetadata(track, until: time) else { return FrameMetadata() }
    for samples in index.groups(before: time) where !search.isComplete {
      let span = SampleSpan(
        samples: samples, start: index.time(samples.lowerBound),
        last: index.time(samples.upperBound - 1), lastDecoded: index.time(samples.upperBound - 1),
        dropsLeading: false, hiddenCount: 0)
      let part = track.presenting(track.timeline, span: span)
      let reading = try AssetReading(
        self.part(tracks: [part], chapters: []), for: [TrackReading(track: part, decodes: false)],
        probing: track.box == nil)
      // An error here is about damage before the part, so ignore it.
      while let (_, sample) = try? reading.next() {
        try checkpoint()
        if case .packet(let sample) = sample { search.read(sample.packet) }
      }
    }
    return search.found
  }
}

extension SampleIndex {
  /// Returns ranges of samples in decoding order that begin at sync samples, the latest first.
  /// Together, the ranges contain all samples that are presented up to a time.
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

/// All metadata that lasts until the next value, of a track whose file gives no times of its
/// samples. The file has to be read as a whole for it, so keep the history for several frames.
package struct HeldMetadataHistory: Sendable {
  private let kinds: [any DynamicHDRMetadataKind.Type]
  /// The bytes of each kind's values, in the order of their times.
  private var values: [[(time: MediaTime, payload: [UInt8])]] = []

  /// Reads all packets of a track. Reads nothing if the track has no such metadata.
  package init(_ track: AssetTrack, _ checkpoint: Pipeline.Checkpoint) throws {
    kinds = HeldMetadata.kinds(of: track)
    guard !kinds.isEmpty, let units = PacketMetadata(track.demuxed) else { return }
    values = kinds.map { _ in [] }
    var packets = try TrackPackets(track, decodes: false, endsAtDamage: true)
    while let packet = try packets.next() {
      try checkpoint()
      guard let time = packet.presentationTimeStamp else { continue }
      var metadata = FrameMetadata()
      metadata.take(units.split(packet).own)
      for value in metadata.all {
        guard let place = kinds.firstIndex(where: { $0 == type(of: value) }) else { continue }
        values[place].append((time, value.payload))
      }
    }
    for place in values.indices { keepChanges(of: place) }
  }

  /// Sorts the values of a kind, and leaves out those that are like the one before. A film may
  /// repeat its values in each frame.
  private mutating func keepChanges(of place: Int) {
    let sorted = values[place].sorted { $0.time < $1.time }
    values[place] = []
    for entry in sorted where values[place].last?.payload != entry.payload {
      values[place].append(entry)
    }
  }

  /// Returns the metadata that is in force at a time in the media.
  package func inForce(at time: MediaTime) -> FrameMetadata {
    var metadata = FrameMetadata()
    func put<Kind: DynamicHDRMetadataKind>(_: Kind.Type, _ payload: [UInt8]) {
      metadata.put(Kind(payload: payload))
    }
    for (kind, values) in zip(kinds, values) {
      let next = values.partitioningIndex { $0.time > time }
      if next > 0 { put(kind, values[next - 1].payload) }
    }
    return metadata
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
    guard let units = PacketMetadata(track.demuxed) else { return nil }
    kinds = Self.kinds(of: track)
    guard !kinds.isEmpty else { return nil }
    (self.units, self.end) = (units, end)
  }

  /// Returns the kinds of metadata that a track has and whose values last.
  static func kinds(of track: AssetTrack) -> [any DynamicHDRMetadataKind.Type] {
    guard let metadata = track.video?.hdrMetadata.frames else { return [] }
    return FrameMetadata.kinds.filter { $0.lastsUntilNext && metadata.has($0) }
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
