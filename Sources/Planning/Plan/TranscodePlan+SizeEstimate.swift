// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Glibc
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// Estimates the output's size in bytes before it is made.
extension TranscodePlan {
  /// Returns how many bytes a run takes on its output's disk, or `nil` if that is unknown.
  ///
  /// - Parameter source: the size of the input in bytes.
  package func peakDiskUse(from source: UInt64) -> UInt64? {
    // Samples are first collected in a separate file and then copied into the finished one, so they
    // take twice their size on the disk. The estimate errs on the low side, so that no output that
    // would fit is refused.
    estimatedSize(from: source).flatMap { UInt64(exactly: (2 * $0).rounded(.down)) }
  }

  /// Returns the size of all tracks together in bytes, or `nil` if the video's size is unknown.
  /// Audio of unknown size counts as 0 bytes.
  private func estimatedSize(from source: UInt64) -> Double? {
    var total = 0.0
    if let video {
      let copied = video.track.dataSize.map { min($0, Double(source)) }
      guard let size = video.estimatedSize(from: source) ?? copied else { return nil }
      total += size
    }
    total += Double(carried.dataSize)
    for plan in audio {
      // Damaged tables may list more bytes than the file has.
      let copied = min(plan.track.dataSize ?? 0, Double(source))
      total += plan.encoding == nil ? copied : plan.estimatedSize
    }
    return total
  }
}

extension AudioPlan {
  /// The size of encoded audio in bytes, or 0 if its bit rate is unknown or its duration is wrong.
  fileprivate var estimatedSize: Double {
    let seconds = track.presentedDuration?.seconds ?? 0
    guard let bitRate = encoding?.bitRate, seconds < VideoPlan.longest else { return 0 }
    // Quiet audio needs fewer bits than the bit rate allows.
    return Double(bitRate) / 8 * seconds * 0.5
  }
}

extension VideoPlan {
  /// A month, in seconds.
  fileprivate static let longest = 2_678_400.0

  /// Returns the size of encoded frames in bytes, or `nil` if frames are copied or if their size
  /// cannot be estimated.
  ///
  /// - Parameter source: the size of the input in bytes.
  fileprivate func estimatedSize(from source: UInt64) -> Double? {
    guard let encoder = encoding?.encoder, let duration = track.presentedDuration?.seconds else {
      return nil
    }
    let rate = encoder.frameRate.framesPerSecond
    // In damaged files and after long pauses, the declared duration may be far too long. There
    // cannot be more frames than samples, and each sample takes some bytes of the input.
    let stated = track.demuxed.sampleCount
    let most = stated > 0 ? Double(stated) : Double(source) / Self.smallestSample
    let frameCount = min(rate * duration, most)
    let seconds = rate > 0 ? frameCount / rate : duration
    // No source plays for longer than a month, so such a duration is wrong.
    guard seconds < Self.longest else { return nil }
    let pixels = Double(encoder.size.width * encoder.size.height) * frameCount
    switch encoder.rateControl {
    case .averageBitRate(let bits): return Double(bits) * seconds / 8 * 0.8
    // At the usual factor, clips with little motion take about as many bytes as estimated here, and
    // other clips take several times as many. Raising the factor by 6 halves the data.
    case .constantRateFactor(let factor):
      let usual = encoding?.codec.encoder.usualRateFactor ?? factor
      return pixels * 0.02 / 8 * exp2((usual - factor) / 6)
    case .quality: return nil
    // Lossless coding hardly ever saves more than nine tenths.
    case .lossless: return pixels * 1.5 * Double(encoder.format.bitDepth) / 8 * 0.1
    }
  }

  /// The bytes of a frame in which nothing moves, including what the container adds.
  private static let smallestSample = 16.0
}
