// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// Audio as ffmpeg decodes it and places it in time. With it, tests check Candela's outputs without
/// using Candela's own code.
public struct PlayedAudio {
  /// The samples of each channel, from −1 to 1.
  public let channels: [[Float]]
  /// Samples per second in each channel.
  public let sampleRate: Int
  /// The time at which the first sample is presented, in seconds.
  public let start: Double
  /// How many seconds of audio the track's edits present.
  public let duration: Double
  /// The number of priming samples that the container states outside its packets.
  private let priming: Int

  /// Decodes a file's first audio track.
  ///
  /// - Parameter options: ffmpeg's options for the input.
  public init(_ path: String, options: [String] = []) throws {
    let folder = try TemporaryFolder()
    let raw = folder.path("audio.raw")
    try Tool.ffmpeg(options + ["-i", path, "-map", "0:a:0", "-f", "f32le", raw])
    let facts = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a:0", "-show_entries",
        "stream=channels,sample_rate,duration,initial_padding:frame=pts_time", "-read_intervals",
        "%+#4", "-of",
        "json", path,
      ]
    ).json()
    let stream = try #require((facts["streams"] as? [[String: Any]])?.first)
    let count = try #require(stream["channels"] as? Int)
    sampleRate = try #require((stream["sample_rate"] as? String).flatMap { Int($0) })
    let frame = (facts["frames"] as? [[String: Any]])?.first
    start = (frame?["pts_time"] as? String).flatMap { Double($0) } ?? 0
    priming = stream["initial_padding"] as? Int ?? 0
    duration = (stream["duration"] as? String).flatMap { Double($0) } ?? 0
    let samples = try FileBytes.read(raw).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    channels = (0..<count).map { channel in
      stride(from: channel, to: samples.count, by: count).map { samples[$0] }
    }
  }

  private init(dropping other: PlayedAudio) {
    channels = other.channels.map { Array($0.dropFirst(other.priming)) }
    (sampleRate, duration) = (other.sampleRate, other.duration)
    (start, priming) = (other.start + Double(other.priming) / Double(other.sampleRate), 0)
  }

  /// The same audio without any priming that is before time zero. ffmpeg decodes such priming
  /// together with the rest. Since version 6.0, ffmpeg states priming in the Matroska files that it
  /// writes (`CodecDelay`) for AAC and MP3, too.
  public var withoutPriming: PlayedAudio {
    let isBeforeZero = start < -0.5 * Double(priming) / Double(sampleRate)
    return priming > 0 && isBeforeZero ? PlayedAudio(dropping: self) : self
  }

  /// The number of samples that the track's edits present.
  public var presentedCount: Int { Int((duration * Double(sampleRate)).rounded()) }

  /// The mean of all channels.
  public var mono: [Float] {
    guard let first = channels.first else { return [] }
    return first.indices.map { index in
      channels.reduce(0) { $0 + $1[index] } / Float(channels.count)
    }
  }

  /// Returns the power of a channel.
  public static func power(_ channel: some Collection<Float>) -> Double {
    channel.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(channel.count, 1))
  }

  /// Returns how many samples this audio lags behind other audio, up to `reach` in either
  /// direction, and how alike the two are with that shift (1 if they are the same).
  public func lag(behind other: PlayedAudio, reach: Int = 3) -> (lag: Int, likeness: Double) {
    let (mine, others) = (mono, other.mono)
    let count = min(mine.count, others.count) - 2 * reach
    guard count > 0 else { return (.max, 0) }
    let all = (-reach...reach).map { lag in
      var (product, own, its) = (0.0, 0.0, 0.0)
      for index in reach..<reach + count {
        let (a, b) = (Double(mine[index + lag]), Double(others[index]))
        product += a * b
        own += a * a
        its += b * b
      }
      return (lag: lag, likeness: product / (own * its).squareRoot())
    }
    return all.max { $0.likeness < $1.likeness } ?? (.max, 0)
  }

  /// Returns by how many samples, beyond `shift`, the audio `mine` lags behind `others`. The result
  /// is at most `reach` in either direction. Up to 4096 samples from `start` on are compared.
  public static func lag(
    of mine: [Float], behind others: [Float], at start: Int, shifted shift: Int, reach: Int
  ) -> Int {
    let count = min(4096, others.count - start)
    let likenesses = (-reach...reach).map { lag in
      var sum: Float = 0
      for index in start..<start + count where mine.indices.contains(index + shift + lag) {
        sum += mine[index + shift + lag] * others[index]
      }
      return sum
    }
    return likenesses.indices.max { likenesses[$0] < likenesses[$1] }.map { $0 - reach } ?? .max
  }
}
