// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

extension MediaAsset {
  /// Returns metadata that is in force at a frame although it may have come with an earlier frame.
  /// For each kind whose values stay in force until the next value, this is the most recent value.
  ///
  /// Nothing is read from tracks without such metadata. From other tracks, samples are read in
  /// groups, only as far back as it takes to find the values. If the presentation times are
  /// unknown, all samples are read.
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
    var found = FrameMetadata()
    let empty = HeldMetadataHistory(of: track)
    for samples in index.groups(before: time) where !empty.kinds.allSatisfy(found.has) {
      let span = SampleSpan(
        samples: samples, start: index.time(samples.lowerBound),
        last: index.time(samples.upperBound - 1), lastDecoded: index.time(samples.upperBound - 1),
        dropsLeading: false, hiddenCount: 0)
      let part = track.presenting(track.timeline, span: span)
      let reading = try AssetReading(
        self.part(tracks: [part], chapters: []), for: [TrackReading(track: part, decodes: false)])
      var history = empty
      // An error here is about damage before the part, so ignore it.
      while let (_, sample) = try? reading.next() {
        try checkpoint()
        if case .packet(let sample) = sample { history.read(sample.packet) }
      }
      history.finish()
      found.hold(history.inForce(at: time))
    }
    return found
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
    // The file is opened anew for each range. To keep the ranges few, each has twice as many sync
    // samples as the one before.
    var count = 1
    while let start = starts.suffix(count).first, start < end {
      groups.append(start..<end)
      starts.removeLast(min(count, starts.count))
      (end, count) = (start, count * 2)
    }
    return groups
  }
}

/// Metadata in some packets of a track: all kinds whose values stay in force until the next value.
package struct HeldMetadataHistory: Sendable {
  /// The kinds that the track has; empty if nothing has to be read.
  fileprivate let kinds: [any DynamicHDRMetadataKind.Type]
  private let units: PacketMetadata?
  /// The values of each kind.
  private var changes: [MetadataChanges]

  /// Reads all packets of a track whose file does not give the times of its samples. Use one
  /// history for several frames, because making it reads the whole file. Reads nothing if the track
  /// has no such metadata.
  package init(_ track: AssetTrack, _ checkpoint: Pipeline.Checkpoint) throws {
    self.init(of: track)
    guard !kinds.isEmpty else { return }
    var packets = try TrackPackets(track, decodes: false, endsAtDamage: true)
    while let packet = try packets.next() {
      try checkpoint()
      read(packet)
    }
    finish()
  }

  /// Makes a history without packets.
  fileprivate init(of track: AssetTrack) {
    units = PacketMetadata(track.demuxed)
    let metadata = track.video?.hdrMetadata.frames ?? FrameMetadata()
    kinds =
      units == nil ? [] : FrameMetadata.kinds.filter { $0.lastsUntilNext && metadata.has($0) }
    changes = kinds.map { _ in MetadataChanges() }
  }

  /// Reads a packet. Pass packets in decoding order.
  fileprivate mutating func read(_ packet: Packet) {
    guard let units, let time = packet.presentationTimeStamp else { return }
    var metadata = FrameMetadata()
    metadata.take(units.split(packet).own)
    for value in metadata.all {
      guard let place = kinds.firstIndex(where: { $0 == type(of: value) }) else { continue }
      changes[place].add(value.payload, at: time)
    }
  }

  /// Settles the values that still wait. Call it after the last packet.
  fileprivate mutating func finish() {
    for place in changes.indices { changes[place].finish() }
  }

  /// Returns the metadata that is in force at a time in the media.
  package func inForce(at time: MediaTime) -> FrameMetadata {
    var metadata = FrameMetadata()
    func put<Kind: DynamicHDRMetadataKind>(_: Kind.Type, _ payload: [UInt8]) {
      metadata.put(Kind(payload: payload))
    }
    for (kind, changes) in zip(kinds, changes) {
      if let payload = changes.value(at: time) { put(kind, payload) }
    }
    return metadata
  }
}

/// The values of one kind of metadata, each different from the one before. A film may repeat a
/// value in each frame, and the repeats take no memory.
struct MetadataChanges: Sendable {
  private typealias Entry = (time: MediaTime, payload: [UInt8])

  /// The changes, in the order of their times.
  private var entries: [Entry] = []
  /// The latest values, in the order of their times. Frames that come later in the file may be
  /// presented between them.
  private var waiting: [Entry] = []

  /// How many changes are known.
  var count: Int { entries.count }

  /// Adds the value of a frame. Pass frames in decoding order. If frames have the same time, the
  /// last one counts.
  mutating func add(_ payload: [UInt8], at time: MediaTime) {
    let place = waiting.partitioningIndex { $0.time > time }
    waiting.insert((time, payload), at: place)
    // No decoder holds back more frames than this. If more wait, no later frame can be presented
    // before the first of them.
    if waiting.count > VideoDecoder.longestMemory { settle(waiting.removeFirst()) }
  }

  /// Settles the values that still wait, at the end of the track.
  mutating func finish() {
    for entry in waiting { settle(entry) }
    waiting = []
  }

  private mutating func settle(_ entry: Entry) {
    // An entry belongs before settled ones only if times are wrong, because right times go back no
    // further than a decoder reorders.
    let next = entries.partitioningIndex { $0.time > entry.time }
    let before = next > 0 ? entries[next - 1].payload : nil
    if before != entry.payload { entries.insert(entry, at: next) }
  }

  /// Returns the value that is in force at a time; `nil` before the first value.
  func value(at time: MediaTime) -> [UInt8]? {
    let next = entries.partitioningIndex { $0.time > time }
    return next > 0 ? entries[next - 1].payload : nil
  }
}
