// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Glibc
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// Estimate of an output's size in bytes, before it is made: rather too few than too many, so that
/// nothing is refused that would fit.
extension TranscodePlan {
  /// The bytes that a run takes on its output's disk; nil where that is unknown.
  ///
  /// - Parameter source: the bytes of the input.
  package func bytesOnTheWay(from source: UInt64) -> UInt64? {
    // Samples are gathered in a file of their own, and copied into the finished one.
    estimatedSize(from: source).flatMap { UInt64(exactly: (2 * $0).rounded(.down)) }
  }

  /// The bytes of all tracks together; nil where nothing is known of one.
  private func estimatedSize(from source: UInt64) -> Double? {
    var total = 0.0
    if let video {
      let copied = video.track.dataSize.map { min($0, Double(source)) }
      guard let size = video.estimatedSize(from: source) ?? copied else { return nil }
      total += size
    }
    total += Double(carried.dataSize)
    for plan in audio {
      // Damaged tables tell of more than there is.
      let copied = min(plan.track.dataSize ?? 0, Double(source))
      total += plan.encoding == nil ? copied : plan.estimatedSize
    }
    return total
  }
}

extension AudioPlan {
  /// The bytes of audio that is encoded with a bit rate; 0 where that is unknown.
  fileprivate var estimatedSize: Double {
    let seconds = track.presentedDuration?.seconds ?? 0
    guard let bitRate = encoding?.bitRate, seconds < VideoPlan.longest else { return 0 }
    // Quiet audio takes less.
    return Double(bitRate) / 8 * seconds * 0.5
  }
}

extension VideoPlan {
  /// A month, in seconds.
  fileprivate static let longest = 2_678_400.0

  /// The bytes of the frames when they are encoded; nil where they are copied, or where their
  /// duration is unknown.
  ///
  /// - Parameter source: the bytes of the input.
  fileprivate func estimatedSize(from source: UInt64) -> Double? {
    guard let encoder = encoding?.encoder, let duration = track.presentedDuration?.seconds else {
      return nil
    }
    let rate = encoder.frameRate.framesPerSecond
    // A duration may be far too long, in damaged files and in those with long pauses; as many
    // frames as samples are written, and a sample takes some bytes.
    let stated = track.demuxed.sampleCount
    let most = stated > 0 ? Double(stated) : Double(source) / Self.smallestSample
    let pictures = min(rate * duration, most)
    let seconds = rate > 0 ? pictures / rate : duration
    // A file that states a longer time states a wrong one.
    guard seconds < Self.longest else { return nil }
    let pixels = Double(encoder.size.width * encoder.size.height) * pictures
    switch encoder.rateControl {
    case .averageBitRate(let bits): return Double(bits) * seconds / 8 * 0.8
    // Quiet clips take about this at a factor of 20, others several times as much; six steps of the
    // factor halve the data.
    case .constantRateFactor(let factor): return pixels * 0.02 / 8 * exp2((20 - factor) / 6)
    // A tenth of the samples as they are.
    case .lossless: return pixels * 1.5 * Double(encoder.format.bitDepth) / 8 * 0.1
    }
  }

  /// The bytes of a frame in which nothing moves, with those that a container adds.
  private static let smallestSample = 16.0
}
