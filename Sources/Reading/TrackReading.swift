// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
package import LibAV
public import MediaCore

/// Reads one track of an asset: decoded frames, or packets as the file has them.
package final class TrackReading {
  package let track: AssetTrack
  /// The counts of damage, frames and captions so far.
  package let tally: ReadingTally

  /// Corrects fragments with wrong times, if the file has any.
  var fragmentClock: FragmentClock? {
    get { filter.clock }
    set { filter.clock = newValue }
  }
  private var filter: PacketFilter
  /// Number of packets read.
  private(set) var readCount = 0
  // The latest end of a packet. It shows whether audio is complete even if the file lists more
  // samples than there were packets.
  private(set) var readEnd: MediaTime?
  private let frames: FrameDecoding?
  private var order = AudioOrder()
  private lazy var formatDescription = track.onlyFormatDescription

  // Audio decoders have to warm up. A quarter of a second is longer than the priming of any common
  // encoder.
  /// How much of the audio before the beginning of an edit is read, too.
  package static let preroll = MediaTime(value: 1, timescale: 4)
  /// Audio packets are out of order by less than this.
  private static let margin = MediaTime(value: 1, timescale: 1)
  /// Texts are hardly ever shown for longer than this. A text that began before the part may still
  /// be shown in it, so it has to be read.
  private static let longestText = MediaTime(value: 20, timescale: 1)

  /// Opens a decoder if frames are wanted.
  ///
  /// - Parameters:
  ///   - decodes: whether to return frames rather than packets.
  ///   - concealsDamage: whether damage is counted and skipped rather than thrown.
  ///   - kinds: the kinds of metadata that frames need. For kinds that every frame must have, a
  ///     missing value is damage.
  ///   - leavesReshaping: whether a conversion reshapes frames of Dolby Vision profile 5 or 10.0
  ///     later; see `FrameMetadata.pendingReshaping`.
  ///   - threads: number of decoding threads; 0 for as many as there are cores.
  ///   - firstWanted: start time of the first requested frame, or `nil` if all are wanted.
  ///   - skipsDisposable: whether disposable frames before the first requested one are skipped.
  ///   - checkpoint: called while other samples are read for metadata that frames need.
  package init(
    track: AssetTrack, decodes: Bool, concealsDamage: Bool = true,
    needing kinds: [any DynamicHDRMetadataKind.Type] = [], leavesReshaping: Bool = false,
    threads: Int = 0, firstWanted: MediaTime? = nil, skipsDisposable: Bool = false,
    checkpoint: @escaping Pipeline.Checkpoint = {}
  ) throws {
    self.track = track
    if decodes { try track.refuseUndecodable() }
    // If reading starts at the first sample, every frame can be decoded, so errors before the first
    // presented frame count as damage, too.
    let span = track.span.flatMap { decodes && $0.samples.lowerBound > 0 ? $0 : nil }
    let first = firstWanted ?? span?.firstShown
    tally = ReadingTally(of: track, concealsDamage: concealsDamage, isEarly: first != nil)
    filter = try PacketFilter(track, decodes: decodes)
    frames =
      decodes
      ? try FrameDecoding(
        track, tally, needing: kinds, leavesReshaping: leavesReshaping, threads: threads,
        firstWanted: first, skipsDisposable: skipsDisposable, checkpoint: checkpoint) : nil
  }

  /// Starts to record which frames are damaged or depend on damage. Call it before the first
  /// packet.
  package func traceDamage() { frames?.traceDamage() }

  /// Stops before the end of the track.
  ///
  /// - Returns: whether nothing was reported as damaged or strange since `traceDamage()`.
  package func stop() -> Bool { frames?.stop() ?? true }

  /// Returns whether the given frame may refer to a missing frame.
  package func lacksFrame(before frame: VideoFrame) -> Bool {
    frames?.lacksFrame(before: frame) ?? false
  }

  /// Number of decoded frames that no edit presents.
  package var hiddenFrameCount: Int { frames?.hiddenCount ?? 0 }

  /// Number of repairs: for frames with a missing or wrong time, for places where audio steps back
  /// in time, and for fragments with wrong times.
  package var repairedTimeCount: Int {
    (frames?.repairedTimeCount ?? 0) + order.repairedCount + (filter.clock?.correctionCount ?? 0)
  }

  /// Counts samples that the file lists but that could not be read.
  func countMissing() throws {
    if filter.isPart {
      if !filter.isAtEnd { try tally.addDamage("the end of the requested part cannot be read") }
      return
    }
    guard let missing else { return }
    let seconds = (missing.seconds * 100).rounded() / 100
    try tally.addDamage(
      "\(missing.samples.counted("sample")) (\(seconds) s) cannot be read", count: missing.samples)
  }

  /// Whether nothing that comes later in the file is needed.
  var isDone: Bool {
    if filter.isPart { return filter.isAtEnd }
    // Tracks of kind `other` are no reason to read on, because their packets may be minutes apart.
    guard track.demuxed.kind == .audio, let end = track.timeline.mediaEnd else {
      return track.demuxed.kind == .other
    }
    return filter.lastTime.map { end + Self.margin < $0 } ?? track.timeline.edits.isEmpty
  }

  /// The time in the media at which reading starts for a part, or `nil` if the part presents
  /// nothing of the track.
  var readingStart: MediaTime? {
    if let span = track.span { return span.start }
    guard track.demuxed.kind != .video else { return .zero }
    // Audio that is out of order, and texts that are shown for a long time, may start before the
    // part.
    let lead = track.demuxed.kind == .audio ? Self.preroll + Self.margin : Self.longestText
    return track.timeline.mediaStart.map { $0 - lead }
  }

  /// Returns the samples of a packet, decoded or as the file has them.
  func samples(from packet: Packet) throws -> [SampleBuffer] {
    guard let packet = try filter.wanted(packet) else { return [] }
    count(packet)
    if packet.isCorrupt { try tally.addDamage() }
    if let frames { return try frames.decode(packet).map { .frame($0) } }
    if packet.isEmpty {
      try tally.addDamage()
      return []
    }
    guard track.needsForCopy(packet) else { return [] }
    let isAudio = track.demuxed.kind == .audio
    let sample = CompressedSample(
      isAudio ? try order.inOrder(packet) : packet, formatDescription: formatDescription)
    return [.packet(sample)]
  }

  private func count(_ packet: Packet) {
    guard !packet.isCorrupt else { return }
    readCount += 1
    guard let time = packet.presentationTimeStamp ?? packet.decodeTimeStamp else { return }
    let end = time + packet.duration
    readEnd = readEnd.map { max($0, end) } ?? end
  }

  /// Returns the remaining samples at the end of the track.
  func finish() throws -> [SampleBuffer] { try frames?.finish().map { .frame($0) } ?? [] }
}

/// Moves audio whose times step back, as in joined files, to where the audio before it ends.
private struct AudioOrder {
  /// The end of the last packet, and its duration.
  private var last: (end: MediaTime, duration: MediaTime)?
  private var delay = MediaTime.zero
  /// Number of places where the times stepped back.
  private(set) var repairedCount = 0

  /// Rounded timestamps may overlap by this much.
  private static let overlap = MediaTime(value: 1, timescale: 500)

  mutating func inOrder(_ packet: Packet) throws -> Packet {
    guard let time = packet.decodeTimeStamp ?? packet.presentationTimeStamp else { return packet }
    if let last {
      // If times mark the ends of packets, a packet that is shorter than the previous one seems to
      // overlap it by the difference between their durations.
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

/// A sample of a track, decoded or compressed.
public enum SampleBuffer: Sendable {
  /// A decoded frame with its presentation time.
  case frame(VideoFrame)
  /// Compressed data as stored in the file.
  case packet(CompressedSample)

  /// The presentation time, in the track's media timeline; invalid if the file has none.
  public var presentationTimeStamp: MediaTime {
    switch self {
    case .frame(let frame): frame.presentationTimeStamp
    case .packet(let sample): sample.presentationTimeStamp ?? .invalid
    }
  }

  /// How long the sample lasts; zero if unknown.
  public var duration: MediaTime {
    switch self {
    case .frame(let frame): frame.duration
    case .packet(let sample): sample.duration
    }
  }

  /// The format of a frame or of compressed video; `nil` for other tracks, and for compressed video
  /// whose format changes in the middle of its track.
  public var formatDescription: FormatDescription? {
    switch self {
    case .frame(let frame): FormatDescription(frame.pixelBuffer)
    case .packet(let sample): sample.formatDescription
    }
  }

  /// The frame's pixels, or `nil` for compressed data.
  public var imageBuffer: PixelBuffer? {
    if case .frame(let frame) = self { frame.pixelBuffer } else { nil }
  }
}

/// The compressed data of one sample, with its times in the track's media timeline.
public struct CompressedSample: Sendable {
  package let packet: Packet
  fileprivate let formatDescription: FormatDescription?

  package init(_ packet: Packet, formatDescription: FormatDescription? = nil) {
    self.packet = packet
    self.formatDescription = formatDescription
  }

  /// Presentation time, or `nil` if the file has none.
  public var presentationTimeStamp: MediaTime? { packet.presentationTimeStamp }
  /// Decode time, or `nil` if the file has none.
  public var decodeTimeStamp: MediaTime? { packet.decodeTimeStamp }
  /// How long the sample lasts; zero if unknown.
  public var duration: MediaTime { packet.duration }
  /// Whether decoding can start at this sample.
  public var isSync: Bool { packet.isSync }
  /// The compressed bytes, copied on each call.
  public var bytes: [UInt8] { packet.bytes }
}
