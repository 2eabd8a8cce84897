// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Glibc
internal import Host
internal import LibAV

/// How a track's audio differs from its source.
package struct AudioComparison: Sendable {
  /// Whether packets, or at least decoded samples, are the same.
  package private(set) var isIdentical: Bool
  /// How many samples later the output's audio is than the source's, at the source's sample rate.
  /// `nil` if this was not measured.
  package private(set) var offset: Int?
  /// The gain from source to output in dB, or `nil` if it was not measured.
  package private(set) var gain: Double?
  /// The signal-to-noise ratio in dB at ``offset`` and ``gain``. `nil` if it was not measured, or
  /// if it is above 130 dB, which is too high to measure.
  package private(set) var signalToNoise: Double?
  /// The signal-to-noise ratio in dB below 1.5 kHz, like ``signalToNoise``.
  package private(set) var lowSignalToNoise: Double?
  /// How many samples of each channel were compared. `nil` if packets were compared instead, or if
  /// the audio could not be compared.
  package private(set) var sampleCount: Int?
  /// The audible channels, or `nil` if packets were compared or nothing can be decoded.
  package private(set) var channels: AudibleChannels?
  /// Why something was not measured, as text.
  package private(set) var reason: String?
  /// Whether the source is audible, but the output contains nothing of it at ``offset``.
  private var sharesNothing = false

  /// The result for audio whose packets are the same.
  static let identical = AudioComparison(isIdentical: true)

  private init(isIdentical: Bool) { self.isIdentical = isIdentical }

  /// Creates the result for audio that cannot be compared.
  private init(reason: String) {
    isIdentical = false
    self.reason = reason
  }

  // How many samples are decoded and compared at a time, so that memory does not grow with the
  // track.
  private static let chunk = 1 << 14
  // How many samples are used to find the offset, about 1.4 s at 48 kHz.
  private static let window = 1 << 16
  // The largest offset that can be found, about 0.7 s at 48 kHz. It is half the window, so that the
  // windows of source and output overlap by at least half.
  private static let limit = 1 << 15

  /// Decodes two tracks and compares what they present.
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
      return AudioComparison(reason: "audio cannot be decoded: \(error)")
    }
    var result = try measured(&signals, again: open)
    // Whether a channel is audible is known only at the end, so decode the rest as well.
    try signals.0.finish()
    try signals.1.finish()
    result.channels = AudibleChannels(signals.0, signals.1)
    return result
  }

  /// Measures what can be measured of two signals.
  ///
  /// - Parameters:
  ///   - signals: two signals at their beginning. They are replaced by the signals that were read
  ///     last.
  ///   - open: opens the same signals again, at their beginning.
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
      return AudioComparison(
        reason: "either the source is silent throughout, or the output is silent or has ended "
          + "where the source becomes audible")
    }
    var result = AudioComparison(isIdentical: false)
    result.offset = offset
    if one.channelCount != other.channelCount {
      result.reason = "channel counts differ: \(one.channelCount) and \(other.channelCount)"
      return result
    }
    signals = try open()
    let loudest = try result.measure(signals.0, signals.1, offset)
    guard result.isUnlike else { return result }
    // A faint beginning resembles anything, so the offset may be wrong. Try the offset of the
    // loudest part, and 0, and keep the best result.
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

  /// Whether the output seems to have different audio: the noise is louder than the signal.
  var isUnlike: Bool { similarity < 0 }

  /// How much the signals resemble each other, in dB: +∞ if the noise is too low to measure or was
  /// not measured, −∞ if the output contains nothing of the source.
  private var similarity: Double {
    // Codecs replace high frequency noise with other noise of the same level, which sounds the
    // same. Low frequencies keep their waveform, so the better of the two ratios counts.
    sharesNothing
      ? -.infinity : max(signalToNoise ?? .infinity, lowSignalToNoise ?? -.infinity)
  }

  /// Returns the output's delay in samples, measured where the source becomes audible. Returns
  /// `nil` if the output is silent or has ended there, or if the source is silent everywhere.
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
      return delay(second, behind: first)
    }
    return nil
  }

  /// Returns the delay at which two signals match best, or `nil` if one of them is silent.
  static func delay(_ second: [[Float]], behind first: [[Float]]) -> Int? {
    // Channels in antiphase cancel in the mix. If a mix is silent, use the first channel that is
    // silent in neither signal.
    mixed(second).delay(behind: mixed(first), limit: limit)
      ?? zip(first, second).lazy.compactMap { mixed([$1]).delay(behind: mixed([$0]), limit: limit) }
      .first
  }

  /// Returns the mean of all channels, padded to the length of a window.
  private static func mixed(_ channels: [[Float]]) -> [Float] {
    var sum = [Float](repeating: 0, count: window)
    for channel in channels {
      for index in channel.indices { sum[index] += channel[index] / Float(channels.count) }
    }
    return sum
  }

  /// Measures all samples at an offset.
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
      // Skip silence in both signals, because a file may declare years of it.
      guard let first = try one.nextSound(from: position),
        let second = try other.nextSound(from: position + Int64(offset))
      else { continue }
      let next = min(first, second - Int64(offset))
      count += Int(max(next - position, 0))
      position = max(position, next)
    }
    sampleCount = count
    isIdentical = isSame && offset == 0 && one.end == other.end
    // A negative factor means that the audio is inverted, or different. Its sign is not part of the
    // gain.
    guard let factor = whole.factor else {
      sharesNothing = whole.energy > 0
      return loudest.position
    }
    gain = Self.rounded(20 * log10(abs(factor)))
    guard !isSame else { return loudest.position }
    signalToNoise = whole.signalToNoise.map(Self.rounded)
    lowSignalToNoise = low.signalToNoise.map(Self.rounded)
    return loudest.position
  }

  // −0 would look like a difference. Adding 0 turns it into 0.
  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 + 0 }

  /// The comparison as text.
  package var text: String {
    if isIdentical { return "identical" }
    var parts = offset.map { ["offset \($0.counted("sample"))"] } ?? []
    if let gain { parts.append("gain \(gain) dB") }
    if let signalToNoise { parts.append("SNR \(signalToNoise) dB") }
    return (parts + (reason.map { ["not measured: \($0)"] } ?? [])).joined(separator: ", ")
  }
}
