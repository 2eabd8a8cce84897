internal import LibAV
internal import MediaCore

/// What a reader gives of one track: decoded pictures, or packets as they are.
public final class AssetReaderTrackOutput {
  /// The track.
  public let track: AssetTrack

  private var decoder: VideoDecoder?
  private var presented: PresentedFrames
  private let concealsDamage: Bool

  private var converter: OutputConverter?
  private var hdr10Plus: HDR10PlusMessages?
  private var soundEnd: MediaTime?
  private var soundDelay = MediaTime.zero
  private var repairedSoundCount = 0

  /// Packets or pictures that were damaged and concealed or left out.
  public private(set) var damagedCount = 0

  /// Sound is needed from this long before an edit begins, because decoders of sound have to warm
  /// up; longer than the priming of any common encoder.
  static let preroll = MediaTime(value: 1, timescale: 4)

  /// An output for a track.
  ///
  /// - Parameters:
  ///   - decodes: whether pictures are given; packets otherwise.
  ///   - concealsDamage: whether damage is counted and passed over; it is an error otherwise.
  public init(track: AssetTrack, decodes: Bool, concealsDamage: Bool = true) throws {
    self.track = track
    self.concealsDamage = concealsDamage
    decoder = decodes ? try VideoDecoder(track: track.demuxed) : nil
    hdr10Plus = decodes ? HDR10PlusMessages(track) : nil
    presented = PresentedFrames(
      timeline: track.timeline, usualDuration: track.usualFrameDuration)
  }

  /// An output as AVFoundation's: pictures by settings, or packets as they are in the file.
  ///
  /// - Parameter outputSettings: what pictures are to be; nil for packets.
  /// - Throws: ``TranscodingError`` where pictures cannot be decoded or converted so.
  public convenience init(track: AssetTrack, outputSettings: VideoOutputSettings?) throws {
    do {
      try self.init(track: track, decodes: outputSettings != nil)
      if let outputSettings, let facts = track.video {
        converter = try OutputConverter(outputSettings, track: track, facts: facts)
      }
    } catch {
      throw TranscodingError(error, input: "track \(track.demuxed.id)")
    }
  }

  /// Decoded frames that no edit presents, and that were left out.
  public var hiddenFrameCount: Int { presented.hiddenCount }
  /// Frames whose time was missing or out of order, and places where sound steps back in time.
  public var repairedTimeCount: Int { presented.repairedTimeCount + repairedSoundCount }

  /// What a packet of the track gives.
  func samples(from packet: Packet) throws -> [SampleBuffer] {
    if packet.isCorrupt { try damaged(nil) }
    guard decoder != nil else {
      if packet.isEmpty {
        try damaged(nil)
        return []
      }
      return isNeeded(packet) ? [.packet(try inOrder(packet))] : []
    }
    hdr10Plus?.read(packet)
    do {
      try decoder?.send(packet)
    } catch {
      try damaged(error)
    }
    return try receive()
  }

  /// What is left at the end of the track.
  func finish() throws -> [SampleBuffer] {
    guard let decoder else { return [] }
    try decoder.send(nil)
    var samples = try receive()
    if let last = presented.finish() { samples.append(.frame(try converted(last))) }
    self.decoder = nil
    return samples
  }

  /// Sound whose times step back, as in files that were joined, goes on where it was.
  private func inOrder(_ packet: Packet) throws -> Packet {
    guard track.demuxed.kind == .audio, let time = packet.decodeTime ?? packet.presentationTime
    else { return packet }
    if let soundEnd, time + soundDelay < soundEnd - Self.overlap {
      soundDelay = soundEnd - time
      repairedSoundCount += 1
    }
    let moved = soundDelay > .zero ? try packet.moved(by: soundDelay) : packet
    soundEnd = time + soundDelay + packet.duration
    return moved
  }

  /// Rounded timestamps of one container may overlap a little.
  private static let overlap = MediaTime(value: 1, timescale: 500)

  private func receive() throws -> [SampleBuffer] {
    var samples: [SampleBuffer] = []
    while true {
      do {
        guard var frame = try decoder?.receive() else { return samples }
        frame.hdr10Plus = hdr10Plus?.take(frame.presentationTime)
        if frame.isDamaged { try damaged(nil) }
        if let next = presented.add(frame) { samples.append(.frame(try converted(next))) }
      } catch let error as LibAVError where error.kind == .invalidData {
        try damaged(error)
      }
    }
  }

  private func converted(_ frame: VideoFrame) throws -> VideoFrame {
    try converter?.convert(frame) ?? frame
  }

  private func damaged(_ error: LibAVError?) throws {
    damagedCount += 1
    guard !concealsDamage else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(track.demuxed.id) is damaged: \(error?.description ?? "a picture is incomplete"); "
        + "use --on-error continue to conceal what is damaged")
  }

  /// Packets of sound and copied pictures: those that an edit presents, those just before it, and,
  /// for pictures, all of them, since others may refer to them.
  private func isNeeded(_ packet: Packet) -> Bool {
    guard track.demuxed.kind == .audio, let time = packet.presentationTime else { return true }
    return track.timeline.presents(
      from: time, to: time + packet.duration + Self.preroll)
  }
}
