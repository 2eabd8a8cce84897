// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// The facts about a file that people look for first.
///
/// Encoded with the properties' names as keys. Unknown values are left out.
package struct FileFacts: Sendable, Encodable {
  /// The size of the file in bytes.
  package let size: UInt64
  /// The average bits per second of the whole file, or `nil` if its duration is unknown.
  package let bitRate: Int?
  /// How many frames the first video track presents.
  package let frameCount: Int?
  /// The dynamic range of the first video track, such as `SDR` or `HDR (HLG), Dolby Vision 8.4`.
  package let dynamicRange: String?
  /// The frame size of the first video track as players show it, after rotation.
  package let shownSize: String?
  /// The time code of the first frame.
  package let timeCode: TimeCodeReport?
  /// The recording date, as the file has it.
  package let date: String?
  /// The recording location as the file has it, in ISO 6709.
  package let place: String?
  /// The maker, model and software of the recording device.
  package let device: String?

  /// A time code as data.
  package struct TimeCodeReport: Sendable, Encodable {
    /// The time code, such as `10:00:00:00`. A semicolon marks drop frame.
    package let start: String
    /// The frames per second that the time code counts, or `nil` if it does not fit the frame rate.
    package let framesPerSecond: Double?
    /// Whether it is a drop-frame time code.
    package let isDropFrame: Bool

    fileprivate init?(_ asset: MediaAsset) {
      if let timeCode = asset.timeCode {
        let counting = timeCode.counting
        start = "\(timeCode)"
        framesPerSecond = counting.rate
        isDropFrame = counting.isDropFrame
      } else if let text = asset.statedTimeCode {
        // Without a matching rate, this time code cannot be counted. Its text still says something.
        (start, framesPerSecond, isDropFrame) = (text, nil, text.contains(";"))
      } else {
        return nil
      }
    }

    fileprivate var line: String {
      let rate = framesPerSecond.map { ", \($0) frames/s" } ?? ", which does not fit the frame rate"
      return "  time code  \(start)\(rate)\(isDropFrame ? ", drop frame" : "")"
    }
  }

  /// Returns the dynamic range of frames.
  private static func dynamicRange(_ facts: VideoFacts) -> String {
    // Compatibility 0 means that the base layer alone is not a usable signal, as in profile 5. The
    // tags then say nothing about what is shown.
    let compatibility = facts.hdrMetadata.dolbyVision?.value.baseLayerSignalCompatibilityID
    return compatibility == 0
      ? "HDR" : facts.tags.signal.color.transferCharacteristics.dynamicRangeText
  }

  init(_ asset: MediaAsset) {
    let size = PosixPath.size(of: asset.path)
    self.size = size
    bitRate = asset.duration.flatMap { duration in
      duration.seconds > 0 ? Int(exactly: (Double(size) * 8 / duration.seconds).rounded()) : nil
    }
    let track = asset.tracks.first { $0.demuxed.kind == .video }
    let report = track.map { track in
      TrackReport(track, times: asset.movie?.track(id: UInt32(clamping: track.demuxed.id)))
    }
    frameCount = report?.video?.presentedFrameCount ?? report?.sampleCount
    dynamicRange = track?.video.map { facts in
      Self.dynamicRange(facts)
        + FrameMetadata.kinds.compactMap { $0.dynamicRange(in: facts.hdrMetadata) }
        .map { ", \($0)" }.joined()
    }
    shownSize = report?.video.map { video in
      let isTurned = [90, 270].contains(video.rotation)
      return isTurned ? "\(video.height)×\(video.width)" : "\(video.width)×\(video.height)"
    }
    timeCode = TimeCodeReport(asset)
    let stated = Dictionary(
      ContainerMetadata(asset.metadata).statements.map { ($0.key, $0.text) },
      uniquingKeysWith: { first, _ in first })
    date = stated["creationdate"]
    place = stated["location.ISO6709"]
    let parts = ["make", "model", "software"].compactMap { stated[$0] }
    device = parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns the report's lines.
  ///
  /// - Parameter duration: the duration of the presentation in seconds.
  func lines(_ duration: Double?) -> [String] {
    let frames = frameCount.map { $0.counted("frame") }
    let rate = bitRate.map {
      "\((Double($0) / 1e6).text(decimals: $0 < 10_000_000 ? 2 : 1)) Mbit/s"
    }
    var lines: [String] = []
    if let dynamicRange {
      let video = [dynamicRange, shownSize, frames].compactMap { $0 }.joined(separator: ", ")
      lines.append("  in short   \(video)")
    }
    lines.append(
      "  size       " + [size.byteCountText, rate].compactMap { $0 }.joined(separator: ", "))
    if let timeCode { lines.append(timeCode.line) }
    if let date { lines.append("  date       \(date)") }
    if let place { lines.append("  place      \(place)") }
    if let device { lines.append("  device     \(device)") }
    return lines
  }
}
