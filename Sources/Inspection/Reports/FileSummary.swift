// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorTagging
package import Assets
package import CodePoints
internal import DolbyVision
internal import Host
internal import LibAV
internal import MediaCore

/// The facts about a file that people look for first.
///
/// Unknown values are `nil`.
package struct FileSummary: Sendable {
  /// The size of the file in bytes.
  package let size: UInt64
  /// The average bits per second of the whole file, or `nil` if its duration is unknown.
  package let bitRate: Int?
  /// How many frames the first video track presents.
  package let frameCount: Int?
  /// The dynamic range of the first video track, such as `SDR` or `HDR (HLG), Dolby Vision 8.4`.
  package let dynamicRange: String?
  /// The frame size of the first video track in samples, as players show it after rotation.
  package let shownSize: VideoDimensions?
  /// The recording date, as the file writes it.
  package let date: String?
  /// The recording location in ISO 6709, as the file writes it.
  package let place: String?
  /// The maker, model and software of the recording device.
  package let device: String?

  init(_ asset: MediaAsset, _ reports: [TrackReport]) {
    let size = PosixPath.size(of: asset.path)
    self.size = size
    bitRate = asset.duration.flatMap { duration in
      duration.seconds > 0 ? Int(exactly: (Double(size) * 8 / duration.seconds).rounded()) : nil
    }
    let track = asset.videoTrack
    let index = asset.tracks.firstIndex { $0.demuxed.index == track?.demuxed.index }
    let video = track?.video
    let facts = index.map { reports[$0].facts } ?? []
    frameCount = (facts[.frameCount] ?? facts[.sampleCount])?.value as? Int
    dynamicRange = video.map { facts in
      Self.dynamicRange(facts)
        + FrameMetadata.kinds.compactMap { facts.dynamicRange(of: $0) }
        .map { ", \($0)" }.joined()
    }
    let isTurned = [90, 270].contains((facts[.matrix]?.value as? DisplayMatrix)?.rotation)
    shownSize = (facts[.size]?.value as? VideoDimensions).map { size in
      isTurned ? VideoDimensions(width: size.height, height: size.width) : size
    }
    let stated = Dictionary(
      asset.facts.filter { $0.key == .statement }.map { ($0.name, $0.text) },
      uniquingKeysWith: { first, _ in first })
    date = stated["creationdate"]
    place = stated["location.ISO6709"]
    let parts = ["make", "model", "software"].compactMap { stated[$0] }
    device = parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns the dynamic range without the dynamic metadata, such as `SDR` or `HDR (HLG)`.
  private static func dynamicRange(_ facts: VideoFacts) -> String {
    hasOwnSignal(facts) ? "HDR" : facts.tags.signal.color.transferCharacteristics.dynamicRangeText
  }

  /// Returns whether frames are HDR.
  package static func isHDR(_ facts: VideoFacts) -> Bool {
    hasOwnSignal(facts) || facts.tags.signal.color.transferCharacteristics.isHDR
  }

  /// Whether the base layer alone is not a usable signal, as in profile 5. The tags then say
  /// nothing about what is shown.
  private static func hasOwnSignal(_ facts: VideoFacts) -> Bool {
    let record = facts.hdrMetadata.dolbyVision?.value
    return facts.reshaped != nil || record?.baseLayerSignalCompatibilityID == 0
  }
}

extension FileSummary: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("size", "The size of the file, in bytes.") { $0.size },
    .init("bitRate", "The average bit rate of the whole file, in bits a second.", .count) {
      $0.bitRate
    },
    .init("frameCount", "The number of frames that the first video track presents.", .count) {
      $0.frameCount
    },
    .init(
      "dynamicRange",
      "The dynamic range of the first video track, such as 'SDR' or 'HDR (HLG), Dolby Vision 8.4'."
    ) { $0.dynamicRange },
    .init("shownSize", "The size of the video's frames as players show them, after rotation.") {
      $0.shownSize
    },
    .init("date", "The recording date, as the file writes it.") { $0.date },
    .init("place", "The recording location in ISO 6709, as the file writes it.") { $0.place },
    .init("device", "The maker, model and software of the camera.") { $0.device },
  ]
}
