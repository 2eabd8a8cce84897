// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// Decodes the packets of a track into the frames that the track presents, and finds lost and
/// damaged frames.
final class FrameDecoding {
  private let track: AssetTrack
  private let tally: ReadingTally
  /// Start time of the first requested frame, or `nil` if all frames are wanted.
  private let firstWanted: MediaTime?
  private let skipsDisposable: Bool

  private var decoder: VideoDecoder?
  private var failures: DecoderFailures
  private var presented: PresentedFrames
  private var lost: LostFrames?
  /// Which frames are damaged; `nil` unless ``traceDamage()`` was called.
  private var record: DamageRecord?
  private var clock: DecodingClock
  private var metadata: (reader: FrameMetadataReader, pending: PendingFrameMetadata)?
  private var completion: FrameCompletion

  init(
    _ track: AssetTrack, _ tally: ReadingTally,
    needing kinds: [any DynamicHDRMetadataKind.Type], leavesReshaping: Bool, threads: Int,
    firstWanted: MediaTime?, skipsDisposable: Bool, checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    (self.track, self.tally) = (track, tally)
    (self.firstWanted, self.skipsDisposable) = (firstWanted, skipsDisposable)
    decoder = try VideoDecoder(track: track.demuxed, threads: threads)
    failures = DecoderFailures(track)
    presented = PresentedFrames(
      timeline: track.timeline, usualDuration: track.usualFrameDuration)
    lost = LostFrames(track.demuxed)
    clock = DecodingClock(track)
    metadata = FrameMetadataReader(track, checkpoint: checkpoint).flatMap { reader in
      reader.carriesDolbyVision || track.containsHDRVideo
        ? (reader: reader, pending: PendingFrameMetadata()) : nil
    }
    completion = try FrameCompletion(
      track, needing: kinds, leavesReshaping: leavesReshaping, checkpoint: checkpoint)
  }

  /// Number of decoded frames that no edit presents.
  var hiddenCount: Int { presented.hiddenCount }
  /// Number of frames whose time was missing or contradicted other times, plus the number of places
  /// where the clock was set back.
  var repairedTimeCount: Int { presented.repairedTimeCount }

  /// Starts to record which frames are damaged or depend on damage. Call this before the first
  /// packet is decoded.
  func traceDamage() { record = DamageRecord(track.demuxed) }

  /// Returns whether the given frame may refer to a missing frame.
  func lacksFrame(before frame: VideoFrame) -> Bool {
    lost?.isLacking(before: frame.presentationTimeStamp) ?? false
  }

  /// Stops before the end of the track.
  ///
  /// - Returns: whether nothing was reported as damaged or strange since `traceDamage()`.
  func stop() -> Bool {
    if let decoder {
      // Other threads may still be decoding. Flushing waits for them, so that their complaints
      // count.
      decoder.flush()
      record?.ask(decoder, isEarly: tally.isEarly)
    }
    return record?.isEmpty ?? true
  }

  /// Decodes a packet and returns the frames that became ready.
  func decode(_ packet: Packet) throws -> [VideoFrame] {
    guard let decoder else { return [] }
    if isSkipped(packet) {
      metadata?.reader.pass(packet)
      return []
    }
    let number = decoder.packetCount + 1
    // To the decoder, an empty packet would mean the end of the track. In AVI, an empty packet
    // repeats a frame, which is not damage. In a movie, an empty packet is damage.
    if packet.isEmpty {
      guard track.box != nil else { return [] }
      record?.addLoss(at: number, isAlone: packet.isDisposable)
      try tally.addDamage("a sample is empty")
      return []
    }
    tally.addReadFrame()
    record?.send(packet, number: number)
    if packet.isCorrupt { record?.addLoss(at: number) }
    // Decoders look only at the content of blocks, and report nothing if a block is missing.
    if track.demuxed.codec.isDV, packet.bytes.lacksDVBlocks {
      record?.addLoss(at: number)
      try tally.addDamage("blocks of a frame are missing")
    }
    try send(packet, to: decoder)
    lost?.send(packet, number: decoder.packetCount)
    clock.send(packet, number: decoder.packetCount)
    if let found = try metadata?.reader.read(packet) {
      metadata?.pending.add(found, number: decoder.packetCount)
    }
    return try receive()
  }

  /// Returns the remaining frames at the end of the track.
  func finish() throws -> [VideoFrame] {
    guard let decoder else { return [] }
    try send(nil, to: decoder)
    var frames = try receive()
    // The demuxer guesses the last duration if frames are reordered, but the tables state it.
    let last = presented.finish { time in
      track.sampleDuration(at: time).flatMap { $0.isLast ? $0.duration : nil }
    }
    frames += try completed(last)
    if decoder.takeComplaint() { try tally.addDamage() }
    record?.ask(decoder, isEarly: tally.isEarly)
    self.decoder = nil
    // Only after the flush is it certain which frames never came.
    try countLost()
    return frames
  }

  private func isSkipped(_ packet: Packet) -> Bool {
    // A disposable frame before the first requested one is neither shown nor referred to.
    guard skipsDisposable, packet.isDisposable, let firstWanted,
      let time = packet.presentationTimeStamp
    else { return false }
    return time + packet.duration <= firstWanted
  }

  /// Sends a packet, or the end, to the decoder.
  private func send(_ packet: Packet?, to decoder: VideoDecoder) throws {
    failures.countInARow = 0
    do {
      try decoder.send(packet)
    } catch {
      // With several threads, the failure often belongs to an earlier packet. One bad packet must
      // not end the reading.
      guard failures.areDamage(error) else { throw error }
      try rejected(error, by: decoder)
    }
    record?.ask(decoder, isEarly: tally.isEarly)
  }

  /// Counts a packet that the decoder rejected.
  private func rejected(_ error: LibAVError, by decoder: VideoDecoder?) throws {
    if let decoder { record?.addLoss(at: decoder.packetCount) }
    // The complaint is about the same packet. Take it here, so that it is not counted again.
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

  /// Takes a frame from the decoder and returns the earlier frames that are now complete.
  private func take(_ decoded: DecodedFrame) throws -> [VideoFrame] {
    var frame = decoded
    if let own = metadata?.pending.take(frame.packetNumber) { frame.metadata = own }
    let isReported = decoder?.takeComplaint() ?? false
    if let time = frame.presentationTimeStamp, let firstWanted {
      tally.isEarly = time < firstWanted
    }
    if let decoder { record?.ask(decoder, isEarly: tally.isEarly) }
    // An H.264 decoder that starts inside the track may at first complain about frames that are
    // whole. So its complaints about the first frames do not count.
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
    return try completed(presented.add(frame))
  }

  private func completed(_ frames: [PresentedFrames.Settled]) throws -> [VideoFrame] {
    try frames.compactMap { settled in
      switch settled {
      case .presented(let frame): return try completion(frame, tally)
      case .hidden(let metadata):
        completion.follow(metadata)
        return nil
      }
    }
  }

  /// Counts frames that the decoder dropped silently, and frames that had no time left between
  /// their neighbors.
  private func countLost() throws {
    // The lost frames include those of rejected packets, which were counted when rejected.
    let lost =
      lost?.count(
        presentedBy: track.timeline, from: firstWanted, lasting: track.usualFrameDuration) ?? 0
    for _ in 0..<(max(lost - failures.count, 0) + presented.droppedCount) {
      try tally.addLostFrame("a frame is lost")
    }
  }
}

/// Counts of rejected packets, and of what the decoder reported before it rejected them.
private struct DecoderFailures {
  private(set) var count = 0
  /// Number of rejections since the last packet or the last frame.
  var countInARow = 0
  /// Number of complaints for which a frame was already counted as damaged. Each was about the
  /// frame that the decoder returned at that time, or about a packet that the decoder rejects only
  /// later.
  var reportedCount = 0
  /// The number of coming frames for which complaints do not count as damage. If an H.264
  /// decoder starts inside the track, its first frames may refer to others that it never had.
  private var unsettledCount: Int

  /// After this many failures in a row, the decoder counts as failed for good. Without a bound, a
  /// decoder that fails on every call would keep the loop running forever.
  private static let patience = 1000

  init(_ track: AssetTrack) {
    let beginsInside = track.span.map { $0.samples.lowerBound > 0 } ?? false
    unsettledCount =
      beginsInside && track.demuxed.codec.nalCodec?.startsUnsettled == true
      ? VideoDecoder.longestMemory : 0
  }

  var isSettled: Bool { unsettledCount == 0 }

  /// Returns whether a failure is the packet's fault. If so, reading can go on.
  func areDamage(_ error: LibAVError) -> Bool {
    !error.isOutOfMemory && countInARow < Self.patience
  }

  /// Counts a rejected packet.
  ///
  /// - Returns: whether nothing had been reported about the packet before.
  mutating func isNew() -> Bool {
    count += 1
    guard reportedCount > 0 else { return true }
    reportedCount -= 1
    return false
  }

  mutating func succeed() {
    countInARow = 0
    unsettledCount = max(unsettledCount - 1, 0)
  }
}

/// The blocks of a DV frame (SMPTE ST 314, 3.3; IEC 61834-2).
extension [UInt8] {
  private static var blockSize: Int { 80 }
  private static var blocksInSequence: Int { 150 }

  /// Whether some blocks are not where they belong.
  fileprivate var lacksDVBlocks: Bool {
    // The section type is in the top three bits of a block's first byte.
    stride(from: 0, to: count - Self.blockSize + 1, by: Self.blockSize).contains { start in
      self[start] >> 5 != Self.section(start / Self.blockSize % Self.blocksInSequence)
    }
  }

  /// Returns the type of the n-th block of a sequence. The sequence has a header block, two subcode
  /// blocks, three blocks of video auxiliary data, and then nine groups of one audio block and 15
  /// video blocks.
  private static func section(_ index: Int) -> UInt8 {
    switch index {
    case 0: 0
    case 1...2: 1
    case 3...5: 2
    default: (index - 6) % 16 == 0 ? 3 : 4
    }
  }
}
