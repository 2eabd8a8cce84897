// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
public import MediaCore

/// Properties that `AVAssetTrack` has.
extension AssetTrack {
  /// The track's number in the file: the track ID of a movie.
  public var trackID: Int { demuxed.id }

  /// The size of what is meant to be seen, in square samples, before ``preferredTransform``; 0 × 0
  /// for other media than video.
  public var naturalSize: VideoDimensions {
    guard mediaType == .video else { return VideoDimensions(width: 0, height: 0) }
    let size = video?.size ?? demuxed.size
    let width = cleanAperture?.width.value ?? Double(size.width)
    let height = cleanAperture?.height.value ?? Double(size.height)
    let shape = demuxed.sampleAspectRatio ?? .square
    let ratio = Double(shape.horizontalSpacing) / Double(shape.verticalSpacing)
    let longest = Double(Int32.max)
    return VideoDimensions(
      width: Int(min((width * ratio).rounded(), longest)),
      height: Int(min(height.rounded(), longest)))
  }

  /// Frames a second, on average; nil for other media than video, and if unknown.
  public var nominalFrameRate: Double? {
    mediaType == .video ? demuxed.averageFrameRate?.framesPerSecond : nil
  }

  /// The transform to show frames by, such as a quarter turn of a phone's clip; the identity where
  /// the container states none.
  public var preferredTransform: TrackTransform {
    statedMatrix.flatMap(TrackTransform.init(matrix:)) ?? .identity
  }

  /// The time of the track in the asset's presentation; `nil` if unknown.
  public var timeRange: MediaTimeRange? {
    guard let end = presentedDuration else { return nil }
    let start = timeline.edits.prefix { $0.mediaStart == nil }.compactMap(\.duration)
      .reduce(.zero, +)
    return MediaTimeRange(start: min(start, end), end: end)
  }

  /// Bits a second of the track's samples, on average; nil where no table of a movie tells.
  public var estimatedDataRate: Double? {
    guard let size = dataSize, let seconds = presentedDuration?.seconds, seconds > 0 else {
      return nil
    }
    return size * 8 / seconds
  }
}

extension AssetTrack {
  /// Refuses settings for frames, of a track that has none.
  package func refuseVideoSettings() throws(TranscodingError) {
    guard mediaType != .video, mediaType != .artwork else { return }
    throw TranscodingError(
      .invalidSettings,
      "track \(demuxed.id) (\(demuxed.codec.codecName)) has no frames: settings for video do not "
        + "apply to it; nil in their place gives its packets")
  }
}
