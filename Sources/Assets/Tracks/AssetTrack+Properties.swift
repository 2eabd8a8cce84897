// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
public import MediaCore

/// The properties that `AVAssetTrack` also has.
extension AssetTrack {
  /// The track's number in the file. In a movie this is the track ID.
  public var trackID: Int { demuxed.id }

  /// The size of the visible part in square samples, before ``preferredTransform``; 0 × 0 unless
  /// the track is video.
  public var naturalSize: VideoDimensions {
    guard mediaType == .video else { return VideoDimensions(width: 0, height: 0) }
    let size = video?.size ?? demuxed.size
    let width = cleanAperture?.width.value ?? Double(size.width)
    let height = cleanAperture?.height.value ?? Double(size.height)
    let shape = demuxed.sampleAspectRatio ?? .square
    let ratio = Double(shape.horizontalSpacing) / Double(shape.verticalSpacing)
    // In a damaged file, the shape of a sample may be 4294967295:1. The limit keeps later products
    // of width and height from overflowing.
    let longest = Double(Int32.max)
    return VideoDimensions(
      width: Int(min((width * ratio).rounded(), longest)),
      height: Int(min(height.rounded(), longest)))
  }

  /// The language in three letters (ISO 639-2), such as `eng`; `nil` if none is stated.
  public var languageCode: String? { demuxed.language }

  /// The average frame rate; `nil` if it is unknown or the track is not video.
  public var nominalFrameRate: Double? {
    mediaType == .video ? demuxed.averageFrameRate?.framesPerSecond : nil
  }

  /// The transform with which frames are shown, such as a quarter turn for a phone's clip; the
  /// identity if the container declares none.
  public var preferredTransform: TrackTransform {
    statedMatrix.flatMap(TrackTransform.init(matrix:)) ?? .identity
  }

  /// When the track is presented in the asset; `nil` if unknown.
  public var timeRange: MediaTimeRange? {
    guard let end = presentedDuration else { return nil }
    let start = timeline.edits.prefix { $0.mediaStart == nil }.compactMap(\.duration)
      .reduce(.zero, +)
    return MediaTimeRange(start: min(start, end), end: end)
  }

  /// The average data rate in bits a second; `nil` if the file has no table of sample sizes, or if
  /// the track's duration is 0 or unknown.
  public var estimatedDataRate: Double? {
    guard let size = dataSize, let seconds = presentedDuration?.seconds, seconds > 0 else {
      return nil
    }
    return size * 8 / seconds
  }
}

extension AssetTrack {
  /// Throws if the track has no frames to which video settings could apply.
  package func refuseVideoSettings() throws(TranscodingError) {
    guard mediaType != .video, mediaType != .artwork else { return }
    throw TranscodingError(
      .invalidSettings,
      "track \(demuxed.id) (\(demuxed.codec.codecName)) has no frames, so video settings do not "
        + "apply; pass nil to read its packets")
  }
}
