// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
package import Host
internal import ISOBMFF
package import LibAV
internal import MediaCore
internal import Planning
package import Reading

/// Makes the samples of a track of audio anew: decodes packets, gives them the channels and the
/// sample rate of the output, and encodes those that are presented. Missing samples become silence,
/// so that all other audio stays in its place.
package final class AudioEncodingStage {
  /// Packets that could not be decoded, and audio that its decoder calls damaged.
  package let tally: ReadingTally

  private let track: AssetTrack
  /// True if the output can leave a step of the times without samples.
  private let keepsGaps: Bool
  private let decoder: AudioDecoder
  private let encoder: AudioEncoder
  private let conversion: AudioConversion
  private var clock: AudioClock
  private var presented: PresentedAudio
  /// Samples of priming that are still to come; nil once audio has started.
  private var skip: Int? = 0
  /// Time at which the last packet ends, as the container says it.
  private var end: MediaTime?
  private var silence = MediaTime.zero

  /// Notices of the steps of the times that are not filled with silence, and become empty edits.
  package private(set) var gaps: [Notice] = []

  /// The most silence that is put in the place of audio. A longer step is no loss of packets, but
  /// a clock that was set, and its silence would be as long as the file says: hours.
  private static let longestSilence = MediaTime(value: 600, timescale: 1)
  /// The most silence of a whole track: a small file can state such steps by the thousand.
  private static let mostSilence = MediaTime(value: 86_400, timescale: 1)
  /// Samples of silence that are made at a time.
  private static let chunk = 16_384

  /// Opens decoder and encoder.
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

  /// Samples a second of the output.
  private var sampleRate: Int { encoder.format.sampleRate }

  /// Encodes packets until there are no more.
  ///
  /// - Parameter boxes: their statements but for the edits of the output's media.
  package func run(
    _ packets: BoundedQueue<Packet>, boxes: TrackBoxes, to output: TrackWriter
  ) throws {
    try output.open(
      .encodedAudio(
        encoder.codec, timescale: Int32(clamping: sampleRate), language: track.demuxed.language))
    while let packet = try packets.pop() {
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
    // A decoder that fails gives nothing more of the packet.
    do throws(LibAVError) {
      return try decoder.receive()
    } catch {
      try damaged(error, packet)
      return nil
    }
  }

  /// Counts damage, but for that which was counted when the packet was read.
  private func damaged(_ error: LibAVError?, _ packet: Packet?) throws {
    if let error, error.isOutOfMemory { throw error }
    guard packet?.isCorrupt != true else { return }
    try tally.addDamage(error.map { "\($0)" } ?? "its decoder reports an error")
  }

  private func take(_ audio: DecodedAudio, to output: TrackWriter) throws {
    var buffer = audio.buffer
    guard buffer.sampleCount > 0, buffer.format.sampleRate > 0 else { return }
    if skipsAreBinding, let skip {
      let skip = skip + audio.leadingSkip
      // Of packets that are nothing but priming, times are often made up.
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

  /// Priming and padding of their own count where no edit list says what is presented.
  private var skipsAreBinding: Bool { track.box?.editList == nil }

  private func start(_ audio: DecodedAudio, skipping skip: Int) {
    self.skip = nil
    var time = clock.now ?? .zero
    let skip =
      skip > 0
      ? MediaTime(value: Int64(skip), timescale: Int32(clamping: audio.buffer.format.sampleRate))
      : statedPriming(before: time)
    // Containers round the time of the first packet so that what is heard begins near the start.
    if skip > .zero, let start = track.timeline.mediaStart {
      let off = time + skip - start
      let tick = MediaTime(value: 1, timescale: track.demuxed.timescale)
      if max(off, .zero - off) <= tick { time = start - skip }
    }
    presented.start(
      at: presented.samples(time),
      audible: skip > .zero ? presented.samples(time + skip) : .min)
  }

  /// Priming that Matroska states (RFC 9559, `CodecDelay`) and moves times by, so that it lies
  /// before zero; since 6.0 FFmpeg states it of every codec. Of Opus, the decoder tells it.
  private func statedPriming(before time: MediaTime) -> MediaTime {
    let codec = track.demuxed.codec
    guard track.box == nil, time < .zero, codec.sampleRate > 0 else { return .zero }
    return MediaTime(
      value: Int64(codec.primingSampleCount), timescale: Int32(clamping: codec.sampleRate))
  }

  /// Puts silence in the place of samples that are missing until a time.
  private func fill(to time: MediaTime?, _ output: TrackWriter) throws {
    guard let time else { return }
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
    guard keepsGaps else {
      throw TranscodingError(
        .unusableInput,
        "track \(track.demuxed.id): the times of its audio make a step of "
          + "\(length.roundedSeconds) s to \(time.roundedSeconds) s, which only .mov and .mp4 can "
          + "keep")
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
      if tally.damagedCount > 0 { try fill(to: end, output) }
      // A last packet that is stated to be shorter than it is holds padding.
      if track.demuxed.timescale >= sampleRate, presented.samples(end) < presented.position - 1 {
        presented.end(at: presented.samples(end))
      }
    }
    try write(try encoder.finish(), to: output)
  }

  /// Writes samples, whose times count from the first that was encoded.
  private func write(_ samples: [EncodedSample], to output: TrackWriter) throws {
    let start = presented.start ?? 0
    for var sample in samples {
      sample.presentationTimeStamp.value += start
      sample.decodeTimeStamp.value += start
      try output.write(sample)
    }
  }
}
