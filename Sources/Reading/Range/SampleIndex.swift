// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
package import ISOBMFF
internal import LibAV
package import MediaCore

/// The samples of a track in decoding order, with presentation times and the places where decoding
/// can start.
package struct SampleIndex: Sendable {
  let times: [Int64]
  /// For each sample, whether decoding can start there.
  private(set) var isSync: [Bool]
  /// For each sample, whether it contains a new frame that is shown, rather than a second field or
  /// a hidden frame. `nil` if every sample contains one.
  private(set) var isFrame: [Bool]?
  /// The samples at the beginning that give no frame: samples before the first clean start, and
  /// samples that refer to something before that start.
  private(set) var undecodable: Set<Int> = []
  /// The duration of the sample presented last, in ticks.
  let lastDuration: Int64
  /// The timescale of all times here, in ticks a second.
  package let timescale: Int32
  /// Whether frames after a sync sample may refer to its leading frames, which then cannot be left
  /// out.
  let needsLeading: Bool
  /// Whether the times are decoding times, which do not show when a frame is presented.
  package private(set) var isOfDecoding: Bool

  /// Finds the sync samples of H.264, HEVC and AV1 at which decoding can really begin.
  private(set) var starts: DecodingStarts?

  /// How many packets of a track are compared with its tables. libavformat may drop a whole table
  /// because a single entry is out of range. The first packets show whether it did.
  fileprivate static let witnesses = 64

  /// Reads the samples from a movie's tables. Returns `nil` if there are no tables, or if they
  /// contradict each other.
  package init?(_ box: Movie.Track) {
    guard let samples = SampleTimes(box),
      let sync = box.syncSamples(samples.timesInDecodingOrder.count)
    else { return nil }
    times = samples.timesInDecodingOrder
    isSync = sync
    // A last sample without a duration is shown until something else ends it, so make it long.
    lastDuration = samples.lastDuration > 0 ? samples.lastDuration : Int64(Int32.max)
    timescale = Int32(clamping: max(box.mediaTimescale, 1))
    needsLeading = box.sampleEntries.contains {
      VideoSampleEntry($0.format)?.codec.mayReferToLeadingFrames == true
    }
    isOfDecoding = false
  }

  /// Reads the samples of a video track as the demuxer gives them, from tables or else from all
  /// packets.
  ///
  /// - Returns: `nil` if packets have no times.
  package init?(
    _ track: AssetTrack, checkpoint: Pipeline.Checkpoint
  ) throws {
    if let tabled = try Self.tabled([track])[track.demuxed.index] {
      self = tabled
    } else if let read = try Self.read([track], checkpoint)[track.demuxed.index] {
      self = read
    } else {
      return nil
    }
  }

  /// Reads the samples of several video tracks, by track index. Tracks whose packets have no times
  /// are left out.
  static func all(
    of tracks: [AssetTrack], checkpoint: Pipeline.Checkpoint
  ) throws -> [Int: SampleIndex] {
    let found = try tabled(tracks)
    let rest = tracks.filter { found[$0.demuxed.index] == nil }
    return found.merging(try read(rest, checkpoint)) { tabled, _ in tabled }
  }

  /// Reads the samples of a raw stream, with the times that they get when they are copied.
  ///
  /// - Returns: `nil` for other files, and if a sample gets no time.
  init?(rawStream track: AssetTrack, checkpoint: Pipeline.Checkpoint) throws {
    var packets = try TrackPackets(track, decodes: false)
    var times = PacketTimes(track, nil)
    while let packet = try packets.next() {
      try checkpoint()
      guard try times.add(packet) else { return nil }
    }
    self.init(times)
    // The times come from the order in which pictures are shown.
    isOfDecoding = false
  }

  /// Makes an index of packets that were read. Returns `nil` if any of them had no time.
  fileprivate init?(_ packets: PacketTimes) {
    guard packets.isTimed, !packets.times.isEmpty else { return nil }
    let track = packets.track
    let scale = track.demuxed.timescale
    times = packets.times.map { $0.converted(to: scale).value }
    (isSync, isFrame) = (packets.isSync, packets.isFrame)
    timescale = scale
    let last = packets.duration > .zero ? packets.duration : track.usualFrameDuration
    lastDuration = max(last.converted(to: scale).value, 1)
    needsLeading = track.demuxed.codec.nalCodec?.mayReferToLeadingFrames == true
    // If the codec reorders frames but no packet shows it, the container stored decoding times.
    isOfDecoding = !packets.isReordered && track.demuxed.codec.reorderingDelay > 0
    starts = packets.starts
    begin(packets.leading)
  }

  /// Marks where decoding can begin.
  private mutating func begin(_ leading: LeadingFrames) {
    guard let first = leading.first ?? isSync.firstIndex(of: true) else { return }
    // Some files list no sync samples, or do not list the first IDR picture.
    isSync[first] = true
    undecodable = Set(
      times.indices.filter { index in
        index < first || times[index] < times[first] && !leading.decodable.contains(index)
      })
  }

  /// Reads all packets of some tracks, in one pass over the file.
  private static func read(
    _ tracks: [AssetTrack], _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Int: SampleIndex] {
    guard let path = tracks.first?.path else { return [:] }
    let clocks = try FragmentClock.clocks(path: path)
    var open: [Int: PacketTimes] = [:]
    for track in tracks {
      open[track.demuxed.index] = PacketTimes(track, clocks[track.demuxed.id])
    }
    var packets = try DemuxedPackets(path: path, of: Set(open.keys))
    while let packet = try packets.next() {
      try checkpoint()
      let place = packet.trackIndex
      // A packet without a time means that the track gets no index, so stop reading the track's
      // packets.
      guard !packet.isEmpty, try open[place]?.add(packet) == false else { continue }
      open[place] = nil
      packets.end(place)
    }
    return open.compactMapValues { SampleIndex($0) }
  }

  /// Returns the tables of movie tracks, if the first packets agree with them. Reads the file once
  /// for all tracks.
  private static func tabled(
    _ tracks: [AssetTrack]
  ) throws -> [Int: SampleIndex] {
    var found: [Int: SampleIndex] = [:]
    var open: [Int: (leading: LeadingFrames, count: Int)] = [:]
    for track in tracks {
      guard let index = track.box.flatMap({ SampleIndex($0) }) else { continue }
      found[track.demuxed.index] = index
      open[track.demuxed.index] = (LeadingFrames(track.demuxed), 0)
    }
    guard let path = tracks.first?.path, !open.isEmpty else { return [:] }
    var packets = try DemuxedPackets(path: path, of: Set(open.keys), probing: false)
    var seen: [Int: LeadingFrames] = [:]
    while let packet = try packets.next() {
      let place = packet.trackIndex
      guard var (leading, count) = open[place], let index = found[place], !packet.isEmpty else {
        continue
      }
      // Candela works with packets, so a table counts only if the demuxer gives the same times.
      let isSame = packet.presentationTimeStamp == index.time(count)
      if isSame { leading.add(packet, number: count) }
      seen[place] = isSame ? leading : nil
      count += 1
      let goesOn = isSame && count < min(witnesses, index.times.count)
      open[place] = goesOn ? (leading, count) : nil
      if !goesOn { packets.end(place) }
    }
    for track in tracks {
      found[track.demuxed.index]?.begin(seen[track.demuxed.index], of: track)
    }
    return found.filter { seen[$0.key] != nil }
  }

  private mutating func begin(_ leading: LeadingFrames?, of track: AssetTrack) {
    guard let leading else { return }
    begin(leading)
    starts = DecodingStarts(track)
  }

  /// Returns the presentation time of a sample, in the media.
  package func time(_ index: Int) -> MediaTime {
    MediaTime(value: times[index], timescale: timescale)
  }
}

/// What the packets of a track say about its samples, in file order.
private struct PacketTimes {
  let track: AssetTrack
  private(set) var times: [MediaTime] = []
  private(set) var isSync: [Bool] = []
  private(set) var isFrame: [Bool] = []
  private(set) var leading: LeadingFrames
  private(set) var starts: DecodingStarts?
  private(set) var isTimed = true
  private(set) var isReordered = false
  private(set) var duration = MediaTime.zero

  private let clock: FragmentClock?
  private var framePackets: FramePackets?

  init(_ track: AssetTrack, _ clock: FragmentClock?) {
    (self.track, self.clock) = (track, clock)
    framePackets = FramePackets(track.demuxed)
    (leading, starts) = (LeadingFrames(track.demuxed), DecodingStarts(track))
  }

  /// Adds a packet.
  ///
  /// - Returns: whether the packet had a time. If not, the track gets no index.
  mutating func add(_ packet: Packet) throws -> Bool {
    let packet = try clock?.corrected(packet) ?? packet
    isTimed = packet.presentationTimeStamp != nil
    // The first packets show where decoding begins. Parsing the others would only cost time.
    if times.count < SampleIndex.witnesses { leading.add(packet, number: times.count) }
    starts?.add(packet, number: times.count)
    times.append(packet.presentationTimeStamp ?? .zero)
    isSync.append(packet.isSync)
    isFrame.append(
      framePackets?.holdsFrame(packet, number: times.count, isFirst: times.count == 1) ?? true)
    isReordered = isReordered || packet.decodeTimeStamp != packet.presentationTimeStamp
    duration = packet.duration
    return isTimed
  }
}
