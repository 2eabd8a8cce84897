// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc
internal import Host
internal import LibAV

/// Differences of a track's audio from that of its source.
package struct AudioComparison: Sendable, Encodable {
  /// True if packets, or else decoded samples, are the same.
  package private(set) var isIdentical: Bool
  /// Number of samples by which the output's audio is later, at the source's sample rate; nil where
  /// that was not measured.
  package private(set) var offset: Int?
  /// Gain of the output over the source, in dB; nil where that was not measured.
  package private(set) var gain: Double?
  /// Ratio of the output's audio to its difference from the source's, in dB, at that offset and
  /// gain; nil where there is no difference above the limit of measuring (130 dB), or where it was
  /// not measured.
  package private(set) var signalToNoise: Double?
  /// The same ratio of what lies below 1.5 kHz.
  package private(set) var lowSignalToNoise: Double?
  /// Samples of each channel that were compared; nil for packets.
  package private(set) var sampleCount: Int?
  /// Channels that are heard; nil for packets, and for what cannot be decoded.
  package private(set) var channels: AudibleChannels?
  /// Reason for which something was not measured, for people; nil where all was.
  package private(set) var reason: String?

  /// Audio whose packets are the same.
  static let identical = AudioComparison(isIdentical: true)

  private init(isIdentical: Bool) { self.isIdentical = isIdentical }

  /// Audio that cannot be compared, and why.
  private init(reason: String) {
    isIdentical = false
    self.reason = reason
  }

  /// The samples of a chunk of audio.
  private static let chunk = 1 << 14
  /// The samples that are looked at for the offset.
  private static let window = 1 << 16
  /// The largest offset that is found.
  private static let limit = 1 << 15

  /// Decodes two tracks and compares the audio that they present.
  static func compare(
    _ source: (asset: MediaAsset, track: AssetTrack),
    _ output: (asset: MediaAsset, track: AssetTrack), checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> AudioComparison {
    func open() throws -> (AudioSignal, AudioSignal) {
      (
        try AudioSignal(source.asset, source.track, checkpoint: checkpoint),
        try AudioSignal(output.asset, output.track, checkpoint: checkpoint)
      )
    }
    var signals: (AudioSignal, AudioSignal)
    do {
      signals = try open()
    } catch let error as LibAVError {
      return AudioComparison(reason: "it cannot be decoded: \(error)")
    }
    var result = try measured(&signals, again: open)
    try signals.0.finish()
    try signals.1.finish()
    result.channels = AudibleChannels(signals.0, signals.1)
    return result
  }

  /// Measures what is possible of two signals.
  ///
  /// - Parameters:
  ///   - signals: two signals at their beginning; then those that were read last.
  ///   - open: opens the same ones at their beginning.
  private static func measured(
    _ signals: inout (AudioSignal, AudioSignal),
    again open: () throws -> (AudioSignal, AudioSignal)
  ) throws -> AudioComparison {
    let (one, other) = signals
    guard one.sampleRate == other.sampleRate else {
      return AudioComparison(
        reason: "sample rates differ: \(one.sampleRate) and \(other.sampleRate) Hz")
    }
    guard let offset = try offset(one, other) else {
      return AudioComparison(reason: "there is silence alone where the source begins to be heard")
    }
    var result = AudioComparison(isIdentical: false)
    result.offset = offset
    if one.channelCount != other.channelCount {
      result.reason = "channels differ: \(one.channelCount) and \(other.channelCount)"
      return result
    }
    signals = try open()
    let loudest = try result.measure(signals.0, signals.1, offset)
    guard result.isUnlike else { return result }
    // What is faint at the beginning may be like anything: the loudest part tells better.
    signals = try open()
    let others = Set([try Self.offset(signals.0, signals.1, from: loudest), 0].compactMap(\.self))
    for other in others where other != offset {
      signals = try open()
      var again = AudioComparison(isIdentical: false)
      again.offset = other
      try again.measure(signals.0, signals.1, other)
      if again.similarity > result.similarity { result = again }
    }
    return result
  }

  /// True if the output is not of the source: the difference is louder than the source itself.
  var isUnlike: Bool { similarity < 0 }

  /// The ratio of signal and noise, without an end for what has no noise. Codecs put other noise in
  /// the place of high noise, of which only the level is heard; low sounds keep their wave.
  private var similarity: Double {
    max(signalToNoise ?? .infinity, lowSignalToNoise ?? -.infinity)
  }

  /// Delay of the output, in samples, measured where the source begins to be heard; nil for
  /// silence.
  private static func offset(
    _ one: AudioSignal, _ other: AudioSignal, from start: Int64 = 0
  ) throws -> Int? {
    var start = start
    while var first = try one.read(from: start, count: chunk) {
      let isSilent = first.allSatisfy { $0.allSatisfy { abs($0) < 1e-3 } }
      guard !isSilent else {
        start += Int64(chunk)
        start = try one.nextSound(from: start) ?? start
        continue
      }
      let rest = try one.read(from: start + Int64(chunk), count: window - chunk)
      for index in first.indices { first[index] += rest?[index] ?? [] }
      guard let second = try other.read(from: start, count: window) else { return nil }
      return mixed(second).delay(behind: mixed(first), limit: limit)
    }
    return nil
  }

  /// The mean of all channels, as long as a window.
  private static func mixed(_ channels: [[Float]]) -> [Float] {
    var sum = [Float](repeating: 0, count: window)
    for channel in channels {
      for index in channel.indices { sum[index] += channel[index] / Float(channels.count) }
    }
    return sum
  }

  /// Sums over all samples at an offset.
  ///
  /// - Returns: where the loudest chunk of the source begins.
  @discardableResult private mutating func measure(
    _ one: AudioSignal, _ other: AudioSignal, _ offset: Int
  ) throws -> Int64 {
    var position = Int64(max(-offset, 0))
    var (whole, low, count) = (Likeness(), Likeness(), 0)
    var filters = [LowPass](
      repeating: LowPass(sampleRate: one.sampleRate), count: one.channelCount)
    var (isSame, loudest) = (true, (position: Int64(0), energy: 0.0))
    while let a = try one.read(from: position, count: Self.chunk),
      let b = try other.read(from: position + Int64(offset), count: Self.chunk)
    {
      let length = Int(
        min(Int64(Self.chunk), one.end - position, other.end - position - Int64(offset)))
      let before = whole.energy
      for (channel, (first, second)) in zip(a, b).enumerated() {
        for index in 0..<length {
          let pair = SIMD2(Double(first[index]), Double(second[index]))
          whole.add(pair)
          low.add(filters[channel].next(pair))
          isSame = isSame && first[index] == second[index]
        }
      }
      if whole.energy - before > loudest.energy { loudest = (position, whole.energy - before) }
      count += length
      position += Int64(Self.chunk)
      // Silence in both is the same.
      guard let first = try one.nextSound(from: position),
        let second = try other.nextSound(from: position + Int64(offset))
      else { continue }
      let next = min(first, second - Int64(offset))
      count += Int(max(next - position, 0))
      position = max(position, next)
    }
    sampleCount = count
    isIdentical = isSame && offset == 0 && one.end == other.end
    // A product below 0 is that of audio that is upside down, or of another.
    guard let factor = whole.factor else { return loudest.position }
    gain = Self.rounded(20 * log10(abs(factor)))
    guard !isSame else { return loudest.position }
    signalToNoise = whole.signalToNoise.map(Self.rounded)
    lowSignalToNoise = low.signalToNoise.map(Self.rounded)
    return loudest.position
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 + 0 }

  /// Text of the comparison, for people.
  var text: String {
    if isIdentical { return "identical" }
    var parts = offset.map { ["offset \($0) samples"] } ?? []
    if let gain { parts.append("gain \(gain) dB") }
    if let signalToNoise { parts.append("SNR \(signalToNoise) dB") }
    return (parts + (reason.map { ["not measured: \($0)"] } ?? [])).joined(separator: ", ")
  }
}
