// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
package import ISOBMFF
internal import LibAV
package import MediaCore

/// Presentation times of a track's samples, in the order of decoding, and the samples at which
/// decoding can start.
package struct SampleIndex: Sendable {
  /// Presentation times, in ticks of the media.
  let times: [Int64]
  /// For each sample, true if decoding can start there.
  private(set) var isSync: [Bool]
  /// For each sample, true if it is a frame of its own, and false for the second field of one. If
  /// nil, each sample is a frame.
  private(set) var isFrame: [Bool]?
  /// The samples at the beginning that give no frame: decoding cannot begin at them, or they refer
  /// to what is before it.
  private(set) var undecodable: Set<Int> = []
  /// The duration of the last in the order of presentation, in ticks.
  let lastDuration: Int64
  /// Ticks a second.
  package let timescale: Int32
  /// True if frames that lead a sync sample may be referred to by those behind it, so that they
  /// cannot be left out.
  let needsLeading: Bool
  /// True if the order of the times is that of decoding, whichever frame is presented when.
  package let isOfDecoding: Bool

  /// Statements of sync samples of H.264 and HEVC about themselves; nil for other codecs.
  private(set) var starts: DecodingStarts?

  /// Number of packets that are looked at: libavformat drops some of a table for a single entry
  /// out of range.
  fileprivate static let witnesses = 64

  /// The samples as a movie's tables list them; nil where they list none, or contradict each other.
  package init?(_ box: Movie.Track) {
    guard let samples = SampleTimes(box),
      let sync = box.syncSamples(samples.timesInDecodingOrder.count)
    else { return nil }
    times = samples.timesInDecodingOrder
    isSync = sync
    // Of a last sample without a duration, nobody says that it ends.
    lastDuration = samples.lastDuration > 0 ? samples.lastDuration : Int64(Int32.max)
    timescale = Int32(clamping: max(box.mediaTimescale, 1))
    needsLeading = box.sampleEntries.contains {
      VideoSampleEntry($0.format)?.codec.mayReferToLeadingFrames == true
    }
    isOfDecoding = false
  }

  /// The samples of a track of video as the demuxer gives them. Where no table lists them, the file
  /// is read.
  ///
  /// - Parameter probing: as for `Demuxer`, where tables are compared with packets.
  /// - Returns: nil for packets without times.
  package init?(
    _ track: AssetTrack, probing: Bool = true, checkpoint: Pipeline.Checkpoint
  ) throws {
    if let tabled = try Self.tabled([track], probing: probing)[track.demuxed.index] {
      self = tabled
    } else if let read = try Self.read([track], checkpoint)[track.demuxed.index] {
      self = read
    } else {
      return nil
    }
  }

  /// The samples of tracks of video, by the track's index, but for packets without times.
  static func all(
    of tracks: [AssetTrack], checkpoint: Pipeline.Checkpoint
  ) throws -> [Int: SampleIndex] {
    let found = try tabled(tracks)
    let rest = tracks.filter { found[$0.demuxed.index] == nil }
    return found.merging(try read(rest, checkpoint)) { tabled, _ in tabled }
  }

  /// The samples that the packets of a track stated.
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
    isOfDecoding = !packets.isReordered && track.demuxed.codec.reorderingDelay > 0
    starts = packets.starts
    begin(packets.leading)
  }

  /// Takes note of where decoding can begin.
  private mutating func begin(_ leading: LeadingFrames) {
    guard let first = leading.first ?? isSync.firstIndex(of: true) else { return }
    isSync[first] = true
    undecodable = Set(
      times.indices.filter { index in
        index < first || times[index] < times[first] && !leading.decodable.contains(index)
      })
  }

  /// The samples that the packets of tracks state. The file is read once for all of them.
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
      guard !packet.isEmpty, try open[place]?.add(packet) == false else { continue }
      open[place] = nil
      packets.end(place)
    }
    return open.compactMapValues { SampleIndex($0) }
  }

  /// The samples of tracks of a movie as its tables list them, with facts out of the first packets;
  /// without those whose packets have other times. The file is read once for all of them.
  private static func tabled(
    _ tracks: [AssetTrack], probing: Bool = true
  ) throws -> [Int: SampleIndex] {
    var found: [Int: SampleIndex] = [:]
    var open: [Int: (leading: LeadingFrames, count: Int)] = [:]
    for track in tracks {
      guard let index = track.box.flatMap({ SampleIndex($0) }) else { continue }
      found[track.demuxed.index] = index
      open[track.demuxed.index] = (LeadingFrames(track.demuxed), 0)
    }
    guard let path = tracks.first?.path, !open.isEmpty else { return [:] }
    var packets = try DemuxedPackets(path: path, of: Set(open.keys), probing: probing)
    var seen: [Int: LeadingFrames] = [:]
    while let packet = try packets.next() {
      let place = packet.trackIndex
      guard var (leading, count) = open[place], let index = found[place], !packet.isEmpty else {
        continue
      }
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

  /// Presentation time of a sample, in the media.
  package func time(_ index: Int) -> MediaTime {
    MediaTime(value: times[index], timescale: timescale)
  }
}

/// Statements of a track's packets about its samples, in their order.
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
  private var pictures: PicturePackets?

  init(_ track: AssetTrack, _ clock: FragmentClock?) {
    (self.track, self.clock) = (track, clock)
    pictures = PicturePackets(track.demuxed)
    (leading, starts) = (LeadingFrames(track.demuxed), DecodingStarts(track))
  }

  /// - Returns: false where the packet has no time, and the track no index.
  mutating func add(_ packet: Packet) throws -> Bool {
    let packet = try clock?.corrected(packet) ?? packet
    isTimed = packet.presentationTimeStamp != nil
    if times.count < SampleIndex.witnesses { leading.add(packet, number: times.count) }
    starts?.add(packet, number: times.count)
    times.append(packet.presentationTimeStamp ?? .zero)
    isSync.append(packet.isSync)
    isFrame.append(
      pictures?.holdPicture(packet, number: times.count, isFirst: times.count == 1) ?? true)
    isReordered = isReordered || packet.decodeTimeStamp != packet.presentationTimeStamp
    duration = packet.duration
    return isTimed
  }
}
