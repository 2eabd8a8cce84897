internal import CodePoints
internal import Foundation
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// How many bytes an output will have, before it is made: rather too few than too many, so that
/// nothing is refused that would fit.
extension TranscodePlan {
  /// The bytes of all tracks together; nil where nothing is known of one.
  var estimatedSize: UInt64? {
    var total = 0.0
    if let video {
      guard let size = video.estimatedSize ?? video.track.box?.dataSize.map(Double.init)
      else {
        return nil
      }
      total += size
    }
    for track in sound { total += Double(track.box?.dataSize ?? 0) }
    return UInt64(exactly: total.rounded(.down))
  }
}

extension VideoPlan {
  /// A month, in seconds.
  private static let longest = 2_678_400.0

  /// The bytes of the pictures when they are encoded; nil where they are copied, or where nobody
  /// knows how long they last.
  fileprivate var estimatedSize: Double? {
    guard let encoder = encoding?.encoder, var seconds = track.presentedDuration?.seconds else {
      return nil
    }
    let rate = encoder.frameRate.framesPerSecond
    let count = Double(track.demuxed.sampleCount)
    if count > 0, rate > 0 { seconds = min(seconds, count / rate) }
    // A file that states a longer time states a wrong one.
    guard seconds < Self.longest else { return nil }
    let pixels = Double(encoder.size.width * encoder.size.height) * rate * seconds
    switch encoder.rateControl {
    case .averageBitRate(let bits): return Double(bits) * seconds / 8 * 0.8
    // Quiet clips take about this at a factor of 20, others several times as much; six steps of the
    // factor halve the data.
    case .constantRateFactor(let factor): return pixels * 0.02 / 8 * exp2((20 - factor) / 6)
    // A tenth of the samples as they are.
    case .lossless: return pixels * 1.5 * Double(encoder.format.bitDepth) / 8 * 0.1
    }
  }
}
