// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import LibAV
internal import MediaCore
internal import Reading

/// The audio that a track presents. It is decoded, and cut to the exact sample by the edit list.
final class AudioSignal {
  /// The number of samples per second.
  let sampleRate: Int
  let channelCount: Int

  /// The positions of the channels, as the file declares them.
  var layout: ChannelLayout { track.demuxed.codec.channelLayout }
  /// Whether the codec keeps all samples exactly.
  var isLossless: Bool {
    track.demuxed.codec.isPCM || ["flac", "alac"].contains(track.demuxed.codec.codecName)
  }

  private let track: AssetTrack
  private let reader: AssetReading
  private let decoder: AudioDecoder
  private let checkpoint: Pipeline.Checkpoint
  /// Gives decoded audio its time, by the rules that also apply when audio is encoded.
  private var clock: AudioClock
  /// Pieces of decoded audio that have not been read yet. Each has its start in the presentation
  /// (in samples) and its channels.
  private var waiting: [(start: Int64, channels: [[Float]])] = []
  private var isAtEnd = false
  /// The position after the last sample so far.
  private(set) var end: Int64 = 0
  /// For each channel, the mean square of its loudest decoded piece. 1 is full scale.
  private(set) var loudest: [Double]

  init(_ asset: MediaAsset, _ track: AssetTrack, checkpoint: @escaping Pipeline.Checkpoint) throws {
    self.track = track
    self.checkpoint = checkpoint
    sampleRate = track.demuxed.codec.sampleRate
    channelCount = track.demuxed.codec.channelCount
    loudest = [Double](repeating: 0, count: channelCount)
    clock = AudioClock(track.demuxed)
    decoder = try AudioDecoder(track: track.demuxed)
    reader = try AssetReading(asset, for: [try TrackReading(track: track, decodes: false)])
  }

  /// Returns samples from a position on. Positions must ascend from call to call.
  ///
  /// - Returns: the channels, with silence in gaps, or `nil` after the end.
  func read(from position: Int64, count: Int) throws -> [[Float]]? {
    let limit = position + Int64(count)
    while !isAtEnd, end < limit { try decode() }
    guard position < end else { return nil }
    var channels = [[Float]](
      repeating: [Float](repeating: 0, count: count), count: channelCount)
    for (start, samples) in waiting {
      let length = Int64(samples.first?.count ?? 0)
      let (first, last) = (max(start, position), min(start + length, limit))
      guard first < last else { continue }
      for channel in 0..<min(channelCount, samples.count) {
        channels[channel].replaceSubrange(
          Int(first - position)..<Int(last - position),
          with: samples[channel][Int(first - start)..<Int(last - start)])
      }
    }
    waiting.removeAll { $0.start + Int64($0.channels.first?.count ?? 0) <= limit }
    return channels
  }

  /// Returns where audio continues, at or after a position, or `nil` at the end.
  func nextSound(from position: Int64) throws -> Int64? {
    func isHeard(_ part: (start: Int64, channels: [[Float]])) -> Bool {
      part.start + Int64(part.channels.first?.count ?? 0) > position
    }
    // In a damaged file, times may put years of silence between two packets. Skip to the next
    // packet instead of producing that silence.
    while !isAtEnd, !waiting.contains(where: isHeard) { try decode() }
    return waiting.filter(isHeard).map { max($0.start, position) }.min()
  }

  private func decode() throws {
    try checkpoint()
    let sample = try reader.next()?.sample
    do {
      if case .packet(let packet) = sample {
        try decoder.send(packet.packet)
      } else {
        isAtEnd = true
        try decoder.send(nil)
      }
      while let audio = try decoder.receive() { try take(audio) }
    } catch {
      // The packet is damaged, and leaves a gap. Packets after it can still be decoded.
    }
  }

  /// Places audio in the presentation, edit by edit.
  private func take(_ audio: DecodedAudio) throws {
    let channels = try audio.buffer.floatChannels()
    let count = Int64(channels.first?.count ?? 0)
    // If times step back, the new audio replaces the older audio at the same times.
    let back = min(clock.step(before: audio), 0)
    let start = samples(clock.now ?? .zero) + back
    clock.advance(Int(count + back))
    var begin = Int64(0)
    for edit in track.timeline.edits {
      let length = edit.duration.map(samples)
      if let mediaStart = edit.mediaStart.map(samples), !edit.isDwell {
        let first = max(start, mediaStart)
        let last = min(
          start + count - Int64(audio.trailingSkip), length.map { mediaStart + $0 } ?? .max)
        if first < last {
          append(
            channels.map { Array($0[Int(first - start)..<Int(last - start)]) },
            at: begin + first - mediaStart)
        }
      }
      guard let length else { break }
      // Files can declare edits whose sum overflows. Nothing audible is that far away.
      begin = min(begin + length, MediaTime.mostTicks)
    }
  }

  /// Decodes the rest, so that ``loudest`` covers the whole track. Nothing can be read after that.
  func finish() throws {
    while !isAtEnd {
      waiting = []
      try decode()
    }
  }

  private func append(_ channels: [[Float]], at position: Int64) {
    waiting.append((position, channels))
    for (index, samples) in channels.prefix(channelCount).enumerated() {
      let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
      loudest[index] = max(loudest[index], energy / Double(max(samples.count, 1)))
    }
    end = max(end, position + Int64(channels.first?.count ?? 0))
  }

  private func samples(_ time: MediaTime) -> Int64 {
    time.converted(to: Int32(clamping: max(sampleRate, 1))).value
  }
}
