// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Facts about a file that people look for first.
///
/// Encoded, the keys are the properties' names; what is unknown or unstated is left out.
package struct FileFacts: Sendable, Encodable {
  /// The bytes of the file.
  package let size: UInt64
  /// Bits a second of all of the file, on average; nil where the duration is unknown.
  package let bitRate: Int?
  /// The frames that the first video track presents; nil if unknown.
  package let frameCount: Int?
  /// Dynamic range of the first video track: `SDR`, `HDR (HLG), Dolby Vision 8.4`; nil without
  /// video.
  package let dynamicRange: String?
  /// Size of the first video track's frames as players show them, turned; nil without video.
  package let shownSize: String?
  /// The time code of the first frame; nil where there is none.
  package let timeCode: TimeCodeReport?
  /// The time of recording, as the file states it.
  package let date: String?
  /// The place of recording, as the file states it: ISO 6709.
  package let place: String?
  /// Maker, model and software of the device.
  package let device: String?

  /// A time code as data.
  package struct TimeCodeReport: Sendable, Encodable {
    /// The time code: `10:00:00:00`, with a semicolon where numbers are dropped.
    package let start: String
    /// Frames a second; nil where the time code does not fit the frame rate.
    package let framesPerSecond: Double?
    /// True if numbers are dropped.
    package let isDropFrame: Bool

    fileprivate init?(_ asset: MediaAsset) {
      if let timeCode = asset.timeCode {
        let counting = timeCode.counting
        start = "\(timeCode)"
        framesPerSecond = counting.rate
        isDropFrame = counting.isDropFrame
      } else if let text = asset.statedTimeCode {
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

  /// The dynamic range of frames. Those of Dolby Vision that are no signal without it, as in
  /// profile 5, are HDR whatever the tags say.
  private static func dynamicRange(_ facts: VideoFacts) -> String {
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

  /// Lines for people.
  ///
  /// - Parameter duration: duration of the presentation in seconds.
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
