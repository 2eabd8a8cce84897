// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
package import Host
internal import ISOBMFF
package import LibAV
internal import MediaCore
internal import Planning
package import Reading

/// Re-encodes an audio track: decodes packets, converts them to the output's channels and sample
/// rate, and encodes the samples that are presented.
package final class AudioEncodingStage {
  /// Counts packets that failed to decode, and audio that the decoder reports as damaged.
  package let tally: ReadingTally

  private let track: AssetTrack
  /// Whether an output's track can have gaps, which are spans of time without samples.
  private let keepsGaps: Bool
  private let decoder: AudioDecoder
  private let encoder: AudioEncoder
  private let conversion: AudioConversion
  private var clock: AudioClock
  private var presented: PresentedAudio
  /// How many priming samples are left to skip, or `nil` once audio has started.
  private var skip: Int? = 0
  /// The end of the last packet, according to the container.
  private var end: MediaTime?
  private var silence = MediaTime.zero

  /// Notices about gaps that became empty edits because they were too long to fill with silence.
  package private(set) var gaps: [Notice] = []

  // A gap of more than ten minutes does not come from lost packets: somebody set the recorder's
  // clock. If such long gaps were filled, a small file could ask for hours of silence.
  private static let longestSilence = MediaTime(value: 600, timescale: 1)
  // A small file can declare thousands of gaps, so all silence together is limited to one day.
  private static let mostSilence = MediaTime(value: 86_400, timescale: 1)
  // Fill long gaps piece by piece, so that memory does not grow with them.
  private static let chunk = 16_384

  /// Opens the decoder and the encoder.
  package init(
    _ settings: AudioEncoderSettings, of track: AssetTrack, concealsDamage: Bool, keepsGaps: Bool
  ) throws {
    self.track = track
    tally = ReadingTally(of: track, concealsDamage: concealsDamage)
    self.keepsGaps = keepsGaps
    decoder = try AudioDecoder(track: track.demuxed)
    encoder = try AudioEncoder(settings)
    conversion = AudioConversion(to: encoder.format)
    clock = AudioClock(track.demuxed)
    presented = PresentedAudio(track.timeline, sampleRate: settings.sampleRate)
  }

  /// The output's samples per second.
  private var sampleRate: Int { encoder.format.sampleRate }

  /// Encodes packets until the queue is finished.
  ///
  /// - Parameter boxes: what the boxes of the output's track say. Their edits are replaced with
  ///   those of the encoded audio.
  package func run(
    _ packets: BoundedQueue<Packet>, boxes: TrackBoxes, to output: TrackWriter
  ) throws {
    try output.open(
      .encodedAudio(
        encoder.codec, timescale: Int32(clamping: sampleRate), language: track.demuxed.language))
    while let packet = try packets.pop() {
      // The decoder holds back the audio of the last packets. The `nil` after the loop makes it
      // return that audio.
      try decode(packet, to: output)
      end = packet.presentationTimeStamp.map { $0 + packet.duration } ?? end
    }
    try decode(nil, to: output)
    try finish(output)
    var boxes = boxes
    boxes.timeline = presented.timeline(of: track.timeline)
    try output.end(boxes)
  }

  private func decode(_ packet: Packet?, to output: TrackWriter) throws {
    do throws(LibAVError) {
      try decoder.send(packet)
    } catch {
      try damaged(error, packet)
    }
    while let audio = try receive(packet) {
      if audio.isDamaged { try damaged(nil, packet) }
      try take(audio, to: output)
    }
  }

  private func receive(_ packet: Packet?) throws -> DecodedAudio? {
    // After an error, the decoder returns nothing more from this packet. The next packet may be
    // fine.
    do throws(LibAVError) {
      return try decoder.receive()
    } catch {
      try damaged(error, packet)
      return nil
    }
  }

  /// Counts a damaged packet, unless it was already counted as damaged when it was read.
  private func damaged(_ error: LibAVError?, _ packet: Packet?) throws {
    // A lack of memory says nothing about the file, and must not be concealed like damage.
    if let error, error.isOutOfMemory { throw error }
    guard packet?.isCorrupt != true else { return }
    try tally.addDamage(error.map { "\($0)" } ?? "its decoder reports an error")
  }

  private func take(_ audio: DecodedAudio, to output: TrackWriter) throws {
    var buffer = audio.buffer
    guard buffer.sampleCount > 0, buffer.format.sampleRate > 0 else { return }
    if skipsAreBinding, let skip {
      let skip = skip + audio.leadingSkip
      // Packets that contain only priming often have made-up times, so drop them before looking at
      // the clock.
      let isSkipped = skip >= buffer.sampleCount
      self.skip = isSkipped ? skip - buffer.sampleCount : skip
      if isSkipped { return }
    }
    let step = clock.step(before: audio)
    if let skip {
      start(audio, skipping: skip)
    } else if step > 0 {
      try fill(to: clock.now, output)
    } else if step < 0 {
      // Two packets overlap. Drop the beginning of the second, because the first was already
      // written.
      let surplus = Int(min(step.magnitude, UInt64(buffer.sampleCount)))
      buffer = try buffer.part(surplus..<buffer.sampleCount)
    }
    if skipsAreBinding, audio.trailingSkip > 0 {
      buffer = try buffer.part(0..<max(buffer.sampleCount - audio.trailingSkip, 0))
    }
    guard buffer.sampleCount > 0 else { return }
    clock.advance(buffer.sampleCount)
    for converted in try conversion.convert(buffer) { try encode(converted, to: output) }
  }

  // An edit list says what is presented, and already leaves out the priming. If this class skipped
  // the priming as well, it would be removed twice.
  /// Whether the codec's own counts of priming and padding apply.
  private var skipsAreBinding: Bool { track.box?.editList == nil }

  private func start(_ audio: DecodedAudio, skipping skip: Int) {
    self.skip = nil
    var time = clock.now ?? .zero
    let skip =
      skip > 0
      ? MediaTime(value: Int64(skip), timescale: Int32(clamping: audio.buffer.format.sampleRate))
      : statedPriming(before: time)
    // Containers round the first packet's time, so the end of the priming may differ from the start
    // of the presentation by up to a tick. In that case, trust the start of the presentation.
    if skip > .zero, let start = track.timeline.mediaStart {
      let off = time + skip - start
      let tick = MediaTime(value: 1, timescale: track.demuxed.timescale)
      if max(off, .zero - off) <= tick { time = start - skip }
    }
    presented.start(
      at: presented.samples(time),
      audible: skip > .zero ? presented.samples(time + skip) : .min)
  }

  /// Returns the priming that Matroska declares (`CodecDelay`, RFC 9559).
  private func statedPriming(before time: MediaTime) -> MediaTime {
    // Matroska shifts times by `CodecDelay`, so the times of priming are negative. FFmpeg 6.0 and
    // later report the length of the priming for every codec. Opus does not depend on this report,
    // because its decoder reports the priming, too.
    let codec = track.demuxed.codec
    guard track.box == nil, time < .zero, codec.sampleRate > 0 else { return .zero }
    return MediaTime(
      value: Int64(codec.primingSampleCount), timescale: Int32(clamping: codec.sampleRate))
  }

  /// Encodes silence in place of missing samples, up to a time.
  private func fill(to time: MediaTime?, _ output: TrackWriter) throws {
    guard let time else { return }
    // The resampler still holds samples from before the gap. Write them before the silence.
    for converted in try conversion.finish() { try encode(converted, to: output) }
    let count = presented.samples(time) - presented.position
    guard count > 0 else { return }
    let length = MediaTime(
      value: presented.count(ofNext: count), timescale: Int32(clamping: sampleRate))
    guard length <= Self.longestSilence, silence + length <= Self.mostSilence else {
      return try leaveGap(until: time, length)
    }
    silence = silence + length
    var rest = presented.take(count).reduce(0) { $0 + $1.count }
    while rest > 0 {
      let silence = try AudioBuffer.silence(encoder.format, count: min(rest, Self.chunk))
      try write(try encoder.append(silence), to: output)
      rest -= silence.sampleCount
    }
  }

  private func leaveGap(until time: MediaTime, _ length: MediaTime) throws {
    // In a movie, the gap becomes an empty edit. Matroska has no edits, so the audio after the gap
    // would be played too early.
    guard keepsGaps else {
      throw TranscodingError(
        .unusableInput,
        "track \(track.demuxed.id): the times of its audio jump by \(length.roundedSeconds) s, to "
          + "\(time.roundedSeconds) s; only .mov and .mp4 can keep such a gap")
    }
    gaps.append(.audioGap(track.demuxed.id, from: time - length, lasting: length))
    presented.pass(presented.samples(time) - presented.position)
  }

  private func encode(_ buffer: AudioBuffer, to output: TrackWriter) throws {
    for part in presented.take(Int64(buffer.sampleCount)) {
      let samples = try buffer.part(Int(part.lowerBound)..<Int(part.upperBound))
      try write(try encoder.append(samples), to: output)
    }
  }

  private func finish(_ output: TrackWriter) throws {
    for converted in try conversion.finish() { try encode(converted, to: output) }
    if let end, skip == nil {
      // Damaged packets at the end leave a gap as well.
      if tally.damagedCount > 0 { try fill(to: end, output) }
      // If the last packet's declared duration is shorter than its samples, the rest is padding.
      // But if a tick is longer than a sample, the difference may come only from rounding the
      // duration to ticks.
      if track.demuxed.timescale >= sampleRate, presented.samples(end) < presented.position - 1 {
        presented.end(at: presented.samples(end))
      }
    }
    try write(try encoder.finish(), to: output)
  }

  /// Writes samples. The encoder counts their times from the first sample that it got, so the
  /// start of the track is added.
  private func write(_ samples: [EncodedSample], to output: TrackWriter) throws {
    let start = presented.start ?? 0
    for var sample in samples {
      sample.presentationTimeStamp.value += start
      sample.decodeTimeStamp.value += start
      try output.write(sample)
    }
  }
}
