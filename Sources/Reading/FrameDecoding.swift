// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore

/// Decodes the packets of a track to the frames that it presents, and finds out which of them are
/// lost or damaged.
final class FrameDecoding {
  private let track: AssetTrack
  private let tally: ReadingTally
  /// Start time of the first frame that is wanted; nil for all.
  private let firstWanted: MediaTime?
  private let skipsDisposable: Bool

  private var decoder: VideoDecoder?
  private var failures: DecoderFailures
  private var presented: PresentedFrames
  private var lost: LostPictures?
  /// Record of what is damaged; nil where nobody asked.
  private var record: DamageRecord?
  private var clock: DecodingClock
  private var metadata: PictureMetadata?
  /// The metadata for frames that should have some, and have none that can be read; of kinds that
  /// each frame needs.
  private var nearest = FrameMetadata()

  init(
    _ track: AssetTrack, _ tally: ReadingTally,
    needing kinds: [any DynamicHDRMetadataKind.Type], threads: Int, firstWanted: MediaTime?,
    skipsDisposable: Bool
  ) throws {
    (self.track, self.tally) = (track, tally)
    (self.firstWanted, self.skipsDisposable) = (firstWanted, skipsDisposable)
    decoder = try VideoDecoder(track: track.demuxed, threads: threads)
    failures = DecoderFailures(track)
    presented = PresentedFrames(
      timeline: track.timeline, usualDuration: track.usualFrameDuration)
    lost = LostPictures(track.demuxed)
    clock = DecodingClock(track)
    metadata = PictureMetadata(track.demuxed)
    for kind in kinds where kind.isOfEveryFrame { need(kind) }
  }

  /// Decoded frames that no edit presents.
  var hiddenCount: Int { presented.hiddenCount }
  /// Frames whose time was missing or out of order.
  var repairedTimeCount: Int { presented.repairedTimeCount }

  /// Finds out which frames are damaged or depend on damage, from the first one on.
  func traceDamage() { record = DamageRecord(track.demuxed) }

  /// True if a frame before one that was given did not come, which that one may refer to.
  func lacksFrame(before frame: VideoFrame) -> Bool {
    lost?.isLacking(before: frame.presentationTimeStamp) ?? false
  }

  /// Ends decoding before its end.
  ///
  /// - Returns: true if nothing was reported as damaged, or as strange, since `traceDamage()`.
  func stop() -> Bool {
    if let decoder {
      decoder.flush()
      record?.ask(decoder, isEarly: tally.isEarly)
    }
    return record?.isEmpty ?? true
  }

  /// Returns the frames that come out with a packet.
  func decode(_ packet: Packet) throws -> [VideoFrame] {
    guard let decoder, !isSkipped(packet) else { return [] }
    let number = decoder.packetCount + 1
    // To a decoder, a packet without data is the end of the track. AVI repeats a frame by one.
    if packet.isEmpty {
      guard track.box != nil else { return [] }
      record?.addLoss(at: number, isAlone: packet.isDisposable)
      try tally.addDamage("a sample is empty")
      return []
    }
    tally.addReadFrame()
    record?.send(packet, number: number)
    if packet.isCorrupt { record?.addLoss(at: number) }
    if track.demuxed.codec.isDV, packet.bytes.lacksDVBlocks {
      record?.addLoss(at: number)
      try tally.addDamage("blocks of a frame are missing")
    }
    try send(packet, to: decoder)
    lost?.send(packet, number: decoder.packetCount)
    clock.send(packet, number: decoder.packetCount)
    metadata?.read(packet, number: decoder.packetCount)
    return try receive()
  }

  /// Returns the frames that are left at the end of the track.
  func finish() throws -> [VideoFrame] {
    guard let decoder else { return [] }
    try send(nil, to: decoder)
    var frames = try receive()
    let last = presented.finish { time in
      track.sampleDuration(at: time).flatMap { $0.isLast ? $0.duration : nil }
    }
    frames += try last.map { try completed($0) }
    if decoder.takeComplaint() { try tally.addDamage() }
    record?.ask(decoder, isEarly: tally.isEarly)
    self.decoder = nil
    try countLost()
    return frames
  }

  private func isSkipped(_ packet: Packet) -> Bool {
    guard skipsDisposable, packet.isDisposable, let firstWanted,
      let time = packet.presentationTimeStamp
    else { return false }
    return time + packet.duration <= firstWanted
  }

  /// Hands a packet, or the end, to the decoder, whose failure is often that of a packet before.
  private func send(_ packet: Packet?, to decoder: VideoDecoder) throws {
    failures.countInARow = 0
    do {
      try decoder.send(packet)
    } catch {
      guard failures.areDamage(error) else { throw error }
      try rejected(error, by: decoder)
    }
    record?.ask(decoder, isEarly: tally.isEarly)
  }

  /// Counts a packet that the decoder rejected.
  private func rejected(_ error: LibAVError, by decoder: VideoDecoder?) throws {
    if let decoder { record?.addLoss(at: decoder.packetCount) }
    _ = decoder?.takeComplaint()
    if failures.isNew() { try tally.addLostFrame("\(error)") }
  }

  private func receive() throws -> [VideoFrame] {
    var frames: [VideoFrame] = []
    while true {
      do {
        guard let frame = try decoder?.receive() else { return frames }
        frames += try take(frame)
      } catch let error as LibAVError where failures.areDamage(error) {
        failures.countInARow += 1
        try rejected(error, by: decoder)
      }
    }
  }

  /// Takes a frame from the decoder; returns those before it that are presented.
  private func take(_ decoded: DecodedFrame) throws -> [VideoFrame] {
    var frame = decoded
    if let own = metadata?.take(frame.packetNumber) { frame.metadata = own }
    let isReported = decoder?.takeComplaint() ?? false
    if let time = frame.presentationTimeStamp, let firstWanted {
      tally.isEarly = time < firstWanted
    }
    if let decoder { record?.ask(decoder, isEarly: tally.isEarly) }
    if frame.isDamaged {
      record?.addComplaint(at: frame.packetNumber, isEarly: tally.isEarly)
      try tally.addLostFrame()
    } else if isReported, failures.isSettled {
      failures.reportedCount += 1
      try tally.addLostFrame("the decoder reports an error")
    }
    failures.succeed()
    lost?.receive(frame)
    frame.followsDamage = record?.reaches(frame) ?? false
    if frame.hasCaptions { tally.addCaptions() }
    frame.presentationTimeStamp = clock.time(of: frame) ?? frame.presentationTimeStamp
    return try presented.add(frame).map { try completed($0) }
  }

  /// Frames that the decoder left out without a failure, and those that have no time, are damage.
  private func countLost() throws {
    let lost =
      lost?.count(
        presentedBy: track.timeline, from: firstWanted, lasting: track.usualFrameDuration) ?? 0
    for _ in 0..<(max(lost - failures.count, 0) + presented.droppedCount) {
      try tally.addLostFrame("a frame is lost")
    }
  }

  private func need<Kind: DynamicHDRMetadataKind>(_ kind: Kind.Type) {
    guard let first = track.video?.hdrMetadata.frames[kind], first.isUsable(beside: first)
    else { return }
    nearest[kind] = first
  }

  /// A frame as it is given: with the metadata that it needs.
  private func completed(_ frame: VideoFrame) throws -> VideoFrame {
    var frame = frame
    for value in nearest.all { try complete(&frame, like: value) }
    return frame
  }

  /// - Parameter before: the value that stands in for one that is missing or wrong.
  private func complete<Kind: DynamicHDRMetadataKind>(
    _ frame: inout VideoFrame, like before: Kind
  ) throws {
    let first = track.video?.hdrMetadata.frames[Kind.self] ?? before
    if let own = frame.metadata[Kind.self], own.isUsable(beside: first) {
      nearest[Kind.self] = own
    } else {
      try tally.addDamage("the \(Kind.item) of a frame is missing or wrong")
    }
    frame.metadata[Kind.self] = nearest[Kind.self]
  }
}

/// The metadata that frames of an HEVC track have for themselves, taken from their packets and
/// found again by the packet's number.
private struct PictureMetadata {
  private let units: PacketUnits
  private var metadata: [Int: FrameMetadata] = [:]

  /// - Returns: nil for codecs other than HEVC.
  init?(_ track: DemuxedTrack) {
    guard let units = PacketUnits(track), units.codec.carriesHDRMetadata else { return nil }
    self.units = units
  }

  /// Takes the metadata of a packet.
  mutating func read(_ packet: Packet, number: Int) {
    let (late, own) = units.split(packet)
    if !late.isEmpty { metadata[max(number - 1, 1), default: FrameMetadata()].take(late) }
    metadata[number, default: FrameMetadata()].take(own)
  }

  /// Removes the metadata of the frame of a packet, by the packet's number, and returns it.
  mutating func take(_ number: Int) -> FrameMetadata {
    metadata.removeValue(forKey: number) ?? FrameMetadata()
  }
}

/// Packets that a decoder rejected, and what it reported before.
private struct DecoderFailures {
  /// Packets that were rejected.
  private(set) var count = 0
  /// Number of those among them that were rejected since the last packet, or the last frame.
  var countInARow = 0
  /// Errors that were counted because the decoder reported them: of frames that it gave, or of
  /// packets that it is going to reject.
  var reportedCount = 0
  /// Frames to come of which complaints of a decoder that did not begin at the beginning are no
  /// damage: those of H.264 may take frames out of its memory that it never had.
  private var unsettledCount: Int

  /// After so many failures in a row, without a packet between them, a decoder has failed for good.
  private static let patience = 1000

  init(_ track: AssetTrack) {
    let beginsInside = track.span.map { $0.samples.lowerBound > 0 } ?? false
    unsettledCount =
      beginsInside && track.demuxed.codec.nalCodec?.startsUnsettled == true
      ? VideoDecoder.longestMemory : 0
  }

  var isSettled: Bool { unsettledCount == 0 }

  /// True if a decoder's failure is the packet's fault: every failure is, unless memory is short or
  /// the decoder never gets on.
  func areDamage(_ error: LibAVError) -> Bool {
    !error.isOutOfMemory && countInARow < Self.patience
  }

  /// Counts a packet that was rejected.
  ///
  /// - Returns: false if it was reported before.
  mutating func isNew() -> Bool {
    count += 1
    guard reportedCount > 0 else { return true }
    reportedCount -= 1
    return false
  }

  /// Takes note of a frame that came out.
  mutating func succeed() {
    countInARow = 0
    unsettledCount = max(unsettledCount - 1, 0)
  }
}

/// The blocks that a frame of DV consists of (SMPTE ST 314, 3.3; IEC 61834-2).
extension [UInt8] {
  private static var blockSize: Int { 80 }
  private static var blocksInSequence: Int { 150 }

  /// True if blocks of a frame are not the ones that belong in their place. Decoders look only at
  /// their content.
  fileprivate var lacksDVBlocks: Bool {
    stride(from: 0, to: count - Self.blockSize + 1, by: Self.blockSize).contains { start in
      self[start] >> 5 != Self.section(start / Self.blockSize % Self.blocksInSequence)
    }
  }

  /// The type of a sequence's n-th block: a header, two of subcode, three of video auxiliary data,
  /// and nine times one of audio and fifteen of video.
  private static func section(_ index: Int) -> UInt8 {
    switch index {
    case 0: 0
    case 1...2: 1
    case 3...5: 2
    default: (index - 6) % 16 == 0 ? 3 : 4
    }
  }
}
