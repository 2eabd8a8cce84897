// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import LibAV
public import MediaCore

/// Reads one track of an asset: decoded frames, or packets as they are.
package final class TrackReading {
  /// The track.
  package let track: AssetTrack
  /// Counts of damage, frames and captions so far.
  package let tally: ReadingTally

  /// Clock that corrects times of fragments that contradict others; nil where none do.
  var fragmentClock: FragmentClock? {
    get { filter.clock }
    set { filter.clock = newValue }
  }
  private var filter: WantedPackets
  /// Packets of the track that were read, and the end of what they hold; nil before the first.
  private(set) var readCount = 0
  private(set) var readEnd: MediaTime?
  private let frames: FrameDecoding?
  private var order = AudioOrder()

  /// Audio is needed from this long before an edit begins, because decoders of audio have to warm
  /// up; longer than the priming of any common encoder.
  package static let preroll = MediaTime(value: 1, timescale: 4)
  /// Packets of audio may be out of order by less than that.
  private static let margin = MediaTime(value: 1, timescale: 1)
  /// Texts are hardly ever shown for a longer time.
  private static let longestText = MediaTime(value: 20, timescale: 1)

  /// Opens a decoder where frames are wanted.
  ///
  /// - Parameters:
  ///   - decodes: true for frames, false for packets.
  ///   - concealsDamage: true if damage is counted and passed over; false if it is an error.
  ///   - kinds: the kinds of metadata of which frames need their own. Of those that each frame
  ///     has, one that is missing is damage, where the track has them.
  ///   - threads: number of threads that decode; 0 for as many as there are cores.
  ///   - firstWanted: when the first frame begins that is wanted; nil for all of the track's
  ///     presentation.
  ///   - skipsDisposable: true if frames before that one are not decoded where the file states that
  ///     no other depends on them.
  package init(
    track: AssetTrack, decodes: Bool, concealsDamage: Bool = true,
    needing kinds: [any DynamicHDRMetadataKind.Type] = [], threads: Int = 0,
    firstWanted: MediaTime? = nil, skipsDisposable: Bool = false
  ) throws {
    self.track = track
    if decodes { try track.refuseUndecodable() }
    let span = track.span.flatMap { decodes && $0.samples.lowerBound > 0 ? $0 : nil }
    let first = firstWanted ?? span?.firstShown
    tally = ReadingTally(of: track, concealsDamage: concealsDamage, isEarly: first != nil)
    filter = WantedPackets(track, decodes: decodes)
    frames =
      decodes
      ? try FrameDecoding(
        track, tally, needing: kinds, threads: threads, firstWanted: first,
        skipsDisposable: skipsDisposable) : nil
  }

  /// Finds out which frames are damaged or depend on damage, from the first one on.
  package func traceDamage() { frames?.traceDamage() }

  /// Ends decoding before its end.
  ///
  /// - Returns: true if nothing of what was read was reported as damaged, or as strange, since
  ///   `traceDamage()`.
  package func stop() -> Bool { frames?.stop() ?? true }

  /// True if the decoder left out a frame before one that it gave, which may refer to it.
  package func lacksFrame(before frame: VideoFrame) -> Bool {
    frames?.lacksFrame(before: frame) ?? false
  }

  /// Decoded frames that no edit presents, and that were left out.
  package var hiddenFrameCount: Int { frames?.hiddenCount ?? 0 }

  /// Frames whose time was missing or out of order, places where audio steps back in time, and
  /// fragments whose time contradicts the others.
  package var repairedTimeCount: Int {
    (frames?.repairedTimeCount ?? 0) + order.repairedCount + (filter.clock?.correctionCount ?? 0)
  }

  /// Counts samples that the file lists and that could not be read.
  func countMissing() throws {
    if filter.isPart {
      if !filter.isAtEnd { try tally.addDamage("the end of what is wanted of it cannot be read") }
      return
    }
    guard let missing else { return }
    let seconds = (missing.seconds * 100).rounded() / 100
    try tally.addDamage(
      "\(missing.samples) samples, \(seconds) s, cannot be read", count: missing.samples)
  }

  /// True if nothing that comes later in the file is needed of a part of the presentation.
  var isDone: Bool {
    if filter.isPart { return filter.isAtEnd }
    guard track.demuxed.kind == .audio, let end = track.timeline.mediaEnd else {
      return track.demuxed.kind == .other
    }
    return filter.lastTime.map { end + Self.margin < $0 } ?? track.timeline.edits.isEmpty
  }

  /// Presentation time of the first sample that a part needs, in the media, or a little before; nil
  /// where all samples are read.
  var readingStart: MediaTime? {
    if let span = track.span { return span.start }
    guard track.demuxed.kind != .video else { return .zero }
    let lead = track.demuxed.kind == .audio ? Self.preroll + Self.margin : Self.longestText
    return track.timeline.mediaStart.map { $0 - lead }
  }

  /// Returns the samples of a packet of the track: decoded, or as they are.
  func samples(from packet: Packet) throws -> [SampleBuffer] {
    guard let packet = try filter.wanted(packet) else { return [] }
    count(packet)
    if packet.isCorrupt { try tally.addDamage() }
    if let frames { return try frames.decode(packet).map { .frame($0) } }
    if packet.isEmpty {
      try tally.addDamage()
      return []
    }
    guard isNeeded(packet) else { return [] }
    let isAudio = track.demuxed.kind == .audio
    return [.packet(CompressedSample(isAudio ? try order.inOrder(packet) : packet))]
  }

  private func count(_ packet: Packet) {
    guard !packet.isCorrupt else { return }
    readCount += 1
    guard let time = packet.presentationTimeStamp ?? packet.decodeTimeStamp else { return }
    let end = time + packet.duration
    readEnd = readEnd.map { max($0, end) } ?? end
  }

  /// Returns the samples that are left at the end of the track.
  func finish() throws -> [SampleBuffer] { try frames?.finish().map { .frame($0) } ?? [] }

  /// Packets of audio and copied frames: those that an edit presents, those just before it, and,
  /// for frames, all of them, since others may refer to them.
  private func isNeeded(_ packet: Packet) -> Bool {
    guard track.demuxed.kind == .audio, let time = packet.presentationTimeStamp else { return true }
    let end = time + packet.duration + Self.preroll
    guard track.demuxed.codec.isPCM else { return track.timeline.presents(from: time, to: end) }
    // Tables of PCM cannot leave out what lies between two edits.
    let start = track.timeline.edits.compactMap(\.mediaStart).min()
    return start.map { $0 < end } ?? false && track.timeline.mediaEnd.map { time < $0 } ?? true
  }
}

/// Audio whose times step back, as in files that were joined: it goes on where it was.
private struct AudioOrder {
  /// The end of the last packet, by its time and its duration, and this duration.
  private var last: (end: MediaTime, duration: MediaTime)?
  private var delay = MediaTime.zero
  /// Places where the times stepped back.
  private(set) var repairedCount = 0

  /// Rounded timestamps of one container may overlap a little.
  private static let overlap = MediaTime(value: 1, timescale: 500)

  mutating func inOrder(_ packet: Packet) throws -> Packet {
    guard let time = packet.decodeTimeStamp ?? packet.presentationTimeStamp else { return packet }
    if let last {
      // Where times are ends, a packet begins early by as much as it is shorter than the last.
      let earliest = last.end + min(packet.duration - last.duration, .zero) - Self.overlap
      if time + delay < earliest {
        delay = last.end - time
        repairedCount += 1
      }
    }
    last = (time + delay + packet.duration, packet.duration)
    return delay > .zero ? try packet.moved(by: delay) : packet
  }
}

/// One sample that a track of an asset gives.
public enum SampleBuffer: Sendable {
  /// A decoded frame.
  case frame(VideoFrame)
  /// Compressed data as it is in the file.
  case packet(CompressedSample)
}

/// The compressed data of one sample, with its times in the track's media timeline.
public struct CompressedSample: Sendable {
  package let packet: Packet

  package init(_ packet: Packet) { self.packet = packet }

  /// The presentation time; nil if the file does not state it.
  public var presentationTimeStamp: MediaTime? { packet.presentationTimeStamp }
  /// The decode time; nil if the file does not state it.
  public var decodeTimeStamp: MediaTime? { packet.decodeTimeStamp }
  /// The duration; zero if unknown.
  public var duration: MediaTime { packet.duration }
  /// True if decoding can start here.
  public var isSync: Bool { packet.isSync }
  /// A copy of the data.
  public var bytes: [UInt8] { packet.bytes }
}
