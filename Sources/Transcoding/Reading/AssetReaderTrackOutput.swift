// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import LibAV
internal import MediaCore
internal import Settings

/// A reader's output for one track: decoded frames, or packets as they are.
public final class AssetReaderTrackOutput {
  /// The track.
  public let track: AssetTrack

  /// The asset of the reader that has the output; nil before one has.
  var asset: MediaAsset?
  /// Reading for this output alone, or that of a reader that has no other; nil before the first
  /// sample.
  var reading: SampleReading?
  /// True if the output gave samples without its reader.
  var isReadForItself = false

  private var decoder: VideoDecoder?
  private var presented: PresentedFrames
  private var lost: LostPictures?
  /// Record of what is damaged; nil where nobody asked.
  private var record: DamageRecord?
  private var clock: DecodingClock
  /// Clock that corrects times of fragments that contradict others; nil where none do.
  var fragmentClock: FragmentClock?
  /// Finds the samples that are needed of a part of the presentation; nil where all are read.
  private var cursor: SampleSpan.Cursor?
  /// The time of the last packet.
  private var lastTime: MediaTime?
  /// Start time of the first frame that is wanted; nil for all. Errors of frames before are no
  /// damage: they may refer to samples that were not read.
  private let firstWanted: MediaTime?
  private let skipsDisposable: Bool
  /// True until that frame comes.
  private var isEarly: Bool
  /// Frames to come of which complaints of a decoder that did not begin at the beginning are no
  /// damage: those of H.264 may take frames out of its memory that it never had.
  private var unsettledCount: Int
  /// Amount of the track that was read.
  private(set) var extent = ReadExtent()
  /// Packets that the decoder rejected, all and since the last packet.
  private var failureCount = 0
  private var failuresInARow = 0
  /// Errors that were counted because the decoder reported them: of frames that it gave, or of
  /// packets that it is going to reject.
  private var complaintCount = 0
  private let concealsDamage: Bool

  private var converter: OutputConverter?
  private var metadata: PictureMetadata?
  /// The RPU for frames that should have one, and have none that can be read; nil where none is
  /// needed.
  private var nearestRPU: [UInt8]?
  /// The end of the last packet of audio, by its time and its duration, and this duration.
  private var lastAudio: (end: MediaTime, duration: MediaTime)?
  private var audioDelay = MediaTime.zero
  private var repairedAudioCount = 0

  /// The number of packets, frames and RPUs that were damaged, and were concealed or left out.
  public private(set) var damagedCount = 0

  /// Frames that were lost or damaged, of those that were read.
  private(set) var losses = FrameLosses()

  /// Decoded frames that hold captions.
  private(set) var captionCount = 0

  /// Audio is needed from this long before an edit begins, because decoders of audio have to warm
  /// up; longer than the priming of any common encoder.
  static let preroll = MediaTime(value: 1, timescale: 4)

  /// An output for a track.
  ///
  /// - Parameters:
  ///   - decodes: true for frames, false for packets.
  ///   - concealsDamage: true if damage is counted and passed over; false if it is an error.
  ///   - needsRPUs: true if a frame without a Dolby Vision RPU is damage, where the track has
  ///     RPUs.
  package convenience init(
    track: AssetTrack, decodes: Bool, concealsDamage: Bool = true, needsRPUs: Bool = false
  ) throws {
    try self.init(
      track: track, decodes: decodes, concealsDamage: concealsDamage, needsRPUs: needsRPUs,
      threads: 0)
  }

  /// - Parameters:
  ///   - threads: number of threads that decode; 0 for as many as there are cores.
  ///   - firstWanted: when the first frame begins that is wanted; nil for all of the track's
  ///     presentation.
  ///   - skipsDisposable: true if frames before that one are not decoded where the file states that
  ///     no other depends on them.
  init(
    track: AssetTrack, decodes: Bool, concealsDamage: Bool, needsRPUs: Bool, threads: Int,
    firstWanted: MediaTime? = nil, skipsDisposable: Bool = false
  ) throws {
    if decodes { try track.refuseUndecodable() }
    self.skipsDisposable = skipsDisposable
    let span = track.span.flatMap { decodes && $0.samples.lowerBound > 0 ? $0 : nil }
    self.firstWanted = firstWanted ?? span?.firstShown
    isEarly = self.firstWanted != nil
    unsettledCount =
      span != nil && track.demuxed.codec.videoCodec == .h264 ? VideoDecoder.longestMemory : 0
    self.track = track
    self.concealsDamage = concealsDamage
    decoder = decodes ? try VideoDecoder(track: track.demuxed, threads: threads) : nil
    metadata = decodes ? PictureMetadata(track.demuxed) : nil
    lost = decodes ? LostPictures(track.demuxed) : nil
    clock = DecodingClock(track)
    cursor = track.span.map { SampleSpan.Cursor($0, decodes: decodes) }
    if needsRPUs, let first = track.video?.hdrMetadata.dolbyVisionRPU, first.profile == 8 {
      nearestRPU = Array(try first.hevcNALUnit().dropFirst(2))
    }
    presented = PresentedFrames(
      timeline: track.timeline, usualDuration: track.usualFrameDuration)
  }

  /// Finds out which frames are damaged or depend on damage, from the first one on.
  func traceDamage() { record = DamageRecord(track.demuxed) }

  /// An output as AVFoundation's: frames by settings, or packets as they are in the file.
  ///
  /// - Parameter outputSettings: the format of frames; nil for packets.
  /// - Throws: ``TranscodingError`` where frames cannot be decoded or converted so; of kind
  ///   `invalidSettings` for settings of a track that has no pictures, and for options of a
  ///   conversion that are out of their ranges.
  public convenience init(track: AssetTrack, outputSettings: VideoOutputSettings?) throws {
    do {
      try outputSettings?.conversion.refuseImpossibleValues()
      if outputSettings != nil { try track.refuseVideoSettings() }
      try self.init(track: track, decodes: outputSettings != nil)
      if let outputSettings, let facts = track.video {
        converter = try OutputConverter(outputSettings, track: track, facts: facts)
      }
    } catch {
      throw TranscodingError.meaning(of: error, at: "track \(track.demuxed.id)")
    }
  }

  /// Counts samples that the file lists and that could not be read.
  func countMissing() throws {
    if let cursor {
      if !cursor.isAtEnd { try damaged("the end of what is wanted of it cannot be read") }
      return
    }
    guard let missing = extent.missing(of: track) else { return }
    let seconds = (missing.seconds * 100).rounded() / 100
    try damaged(
      "\(missing.samples) samples, \(seconds) s, cannot be read", count: missing.samples)
  }

  /// Decoded frames that no edit presents, and that were left out.
  package var hiddenFrameCount: Int { presented.hiddenCount }
  /// Frames whose time was missing or out of order, places where audio steps back in time, and
  /// fragments whose time contradicts the others.
  package var repairedTimeCount: Int {
    presented.repairedTimeCount + repairedAudioCount + (fragmentClock?.correctionCount ?? 0)
  }

  /// True if nothing that comes later in the file is needed of a part of the presentation.
  var isDone: Bool {
    if let cursor { return cursor.isAtEnd }
    guard track.demuxed.kind == .audio, let end = track.timeline.mediaEnd else {
      return track.demuxed.kind == .other
    }
    return lastTime.map { end + Self.margin < $0 } ?? track.timeline.edits.isEmpty
  }

  /// Presentation time of the first sample that a part needs, in the media, or a little before; nil
  /// where all samples are read.
  var readingStart: MediaTime? {
    if let span = track.span { return span.start }
    guard track.demuxed.kind != .video else { return .zero }
    let lead = track.demuxed.kind == .audio ? Self.preroll + Self.margin : Self.longestText
    return track.timeline.mediaStart.map { $0 - lead }
  }

  /// Packets of audio may be out of order by less than that.
  private static let margin = MediaTime(value: 1, timescale: 1)
  /// Texts are hardly ever shown for a longer time.
  private static let longestText = MediaTime(value: 20, timescale: 1)

  /// Returns the samples of a packet of the track: decoded, or as they are.
  func samples(from packet: Packet) throws -> [SampleBuffer] {
    let packet = try fragmentClock?.corrected(packet) ?? packet
    lastTime = packet.presentationTime ?? packet.decodeTime ?? lastTime
    guard cursor?.takes(packet) ?? true else { return [] }
    extent.add(packet)
    if packet.isCorrupt { try damaged() }
    guard let decoder else {
      if packet.isEmpty {
        try damaged()
        return []
      }
      return isNeeded(packet) ? [.packet(CompressedSample(try inOrder(packet)))] : []
    }
    if isSkipped(packet) { return [] }
    let number = decoder.packetCount + 1
    // To a decoder, a packet without data is the end of the track. AVI repeats a frame by one.
    if packet.isEmpty {
      guard track.box != nil else { return [] }
      record?.add(.loss, at: number, isAlone: packet.isDisposable)
      try damaged("a sample is empty")
      return []
    }
    losses.readCount += 1
    record?.send(packet, number: number)
    if packet.isCorrupt { record?.add(.loss, at: number) }
    if track.demuxed.codec.isDV, DVBlocks.areDamaged(in: packet.bytes) {
      record?.add(.loss, at: number)
      try damaged("blocks of a frame are missing")
    }
    try send(packet, to: decoder)
    lost?.send(packet, number: decoder.packetCount)
    clock.send(packet, number: decoder.packetCount)
    metadata?.read(packet, number: decoder.packetCount)
    return try receive()
  }

  private func isSkipped(_ packet: Packet) -> Bool {
    guard skipsDisposable, packet.isDisposable, let firstWanted, let time = packet.presentationTime
    else { return false }
    return time + packet.duration <= firstWanted
  }

  /// Hands a packet, or the end, to the decoder, whose failure is often that of a packet before.
  private func send(_ packet: Packet?, to decoder: VideoDecoder) throws {
    failuresInARow = 0
    do {
      try decoder.send(packet)
    } catch {
      guard isDamage(error) else { throw error }
      try rejected(error, by: decoder)
    }
    record?.ask(decoder, isEarly: isEarly)
  }

  /// Ends decoding before its end.
  ///
  /// - Returns: true if nothing of what was read was reported as damaged, or as strange, since
  ///   `traceDamage()`.
  func stop() -> Bool {
    if let decoder {
      decoder.flush()
      record?.ask(decoder, isEarly: isEarly)
    }
    return record?.isEmpty ?? true
  }

  /// Counts a packet that the decoder rejected.
  private func rejected(_ error: any Error, by decoder: VideoDecoder?) throws {
    if let decoder { record?.add(.loss, at: decoder.packetCount) }
    failureCount += 1
    _ = decoder?.takeComplaint()
    if complaintCount > 0 {
      complaintCount -= 1
    } else {
      try frameLost("\(error)")
    }
  }

  /// Returns the samples that are left at the end of the track.
  func finish() throws -> [SampleBuffer] {
    guard let decoder else { return [] }
    try send(nil, to: decoder)
    var samples = try receive()
    let last = presented.finish { time in
      track.sampleDuration(at: time).flatMap { $0.isLast ? $0.duration : nil }
    }
    samples += try last.map { .frame(try completed($0)) }
    if decoder.takeComplaint() { try damaged() }
    record?.ask(decoder, isEarly: isEarly)
    self.decoder = nil
    try countLostPictures()
    return samples
  }

  /// Audio whose times step back, as in files that were joined, goes on where it was.
  private func inOrder(_ packet: Packet) throws -> Packet {
    guard track.demuxed.kind == .audio, let time = packet.decodeTime ?? packet.presentationTime
    else { return packet }
    if let last = lastAudio {
      // Where times are ends, a packet begins early by as much as it is shorter than the last.
      let earliest =
        last.end + Swift.min(packet.duration - last.duration, .zero) - Self.overlap
      if time + audioDelay < earliest {
        audioDelay = last.end - time
        repairedAudioCount += 1
      }
    }
    let moved = audioDelay > .zero ? try packet.moved(by: audioDelay) : packet
    lastAudio = (time + audioDelay + packet.duration, packet.duration)
    return moved
  }

  /// Rounded timestamps of one container may overlap a little.
  private static let overlap = MediaTime(value: 1, timescale: 500)

  private func receive() throws -> [SampleBuffer] {
    var samples: [SampleBuffer] = []
    while true {
      do {
        guard var frame = try decoder?.receive() else { return samples }
        if let content = metadata?.take(frame.packetNumber) { frame.take(content) }
        let isReported = decoder?.takeComplaint() ?? false
        if let time = frame.presentationTime, let firstWanted { isEarly = time < firstWanted }
        if let decoder { record?.ask(decoder, isEarly: isEarly) }
        if frame.isDamaged {
          record?.add(.complaint, at: frame.packetNumber, isEarly: isEarly)
          try frameLost()
        } else if isReported, unsettledCount == 0 {
          complaintCount += 1
          try frameLost("the decoder reports an error")
        }
        failuresInARow = 0
        unsettledCount = Swift.max(unsettledCount - 1, 0)
        lost?.receive(frame)
        frame.followsDamage = record?.reaches(frame) ?? false
        if frame.hasCaptions { captionCount += 1 }
        frame.presentationTime = clock.time(of: frame) ?? frame.presentationTime
        samples += try presented.add(frame).map { .frame(try completed($0)) }
      } catch let error as LibAVError where isDamage(error) {
        failuresInARow += 1
        try rejected(error, by: decoder)
      }
    }
  }

  /// True if a decoder's failure is the packet's fault: every failure is, unless memory is short or
  /// the decoder never gets on.
  private func isDamage(_ error: LibAVError) -> Bool {
    error.kind != .system(errno: 12) && failuresInARow < Self.patience
  }

  /// After so many failures in a row, without a packet between them, a decoder has failed for good.
  private static let patience = 1000

  /// True if the decoder left out a frame before one that it gave, which may refer to it.
  func lacksFrame(before frame: VideoFrame) -> Bool {
    lost?.isLacking(before: frame.presentationTime) ?? false
  }

  /// Frames that the decoder left out without a failure, and those that have no time, are damage.
  private func countLostPictures() throws {
    let lost =
      lost?.count(
        presentedBy: track.timeline, from: firstWanted, lasting: track.usualFrameDuration) ?? 0
    for _ in 0..<(Swift.max(lost - failureCount, 0) + presented.droppedCount) {
      try frameLost("a frame is lost")
    }
  }

  /// A frame as it is given: with an RPU if it needs one, and as the settings want it.
  private func completed(_ frame: VideoFrame) throws -> VideoFrame {
    var frame = frame
    if nearestRPU != nil {
      if let rpu = frame.sourceRPU, isRight(rpu) {
        nearestRPU = rpu
      } else {
        try damaged("the Dolby Vision RPU of a frame is missing or wrong")
      }
      frame.sourceRPU = nearestRPU
    }
    return try converter?.convert(frame) ?? frame
  }

  /// True if an RPU is of profile 8, and valid where those of the track's beginning are.
  private func isRight(_ rpu: [UInt8]) -> Bool {
    guard let unit = try? ReferenceProcessingUnit(dolbyVisionRPU: rpu), unit.profile == 8 else {
      return false
    }
    return unit.issues.isEmpty || track.video?.hdrMetadata.dolbyVisionRPU?.issues.isEmpty == false
  }

  /// Counts damage, or throws where it is not to be concealed.
  func damaged(
    _ reason: String = "a frame is incomplete", count: Int = 1
  ) throws {
    guard !isEarly else { return }
    damagedCount += count
    guard !concealsDamage else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(track.demuxed.id) is damaged: \(reason)", code: .damagedInput)
  }

  /// Counts a frame that is damaged, and not only what belongs to it.
  private func frameLost(_ reason: String = "a frame is incomplete") throws {
    if !isEarly { losses.count += 1 }
    try damaged(reason)
  }

  /// Packets of audio and copied frames: those that an edit presents, those just before it, and,
  /// for frames, all of them, since others may refer to them.
  private func isNeeded(_ packet: Packet) -> Bool {
    guard track.demuxed.kind == .audio, let time = packet.presentationTime else { return true }
    let end = time + packet.duration + Self.preroll
    guard track.demuxed.codec.isPCM else { return track.timeline.presents(from: time, to: end) }
    // Tables of PCM cannot leave out what lies between two edits.
    let start = track.timeline.edits.compactMap(\.mediaStart).min()
    return start.map { $0 < end } ?? false && track.timeline.mediaEnd.map { time < $0 } ?? true
  }
}
