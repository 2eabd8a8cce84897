// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorTagging
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import MediaCore

/// The facts about a file that people look for first.
///
/// Encoded with the properties' names as keys. Unknown values are left out.
package struct FileSummary: Sendable, Encodable {
  /// The size of the file in bytes.
  package let size: UInt64
  /// The average bits per second of the whole file, or `nil` if its duration is unknown.
  package let bitRate: Int?
  /// How many frames the first video track presents.
  package let frameCount: Int?
  /// The dynamic range of the first video track, such as `SDR` or `HDR (HLG), Dolby Vision 8.4`.
  package let dynamicRange: String?
  /// The frame size of the first video track as players show it, after rotation, in samples.
  package let shownSize: Size?
  /// The recording date, as the file has it.
  package let date: String?
  /// The recording location as the file has it, in ISO 6709.
  package let place: String?
  /// The maker, model and software of the recording device.
  package let device: String?

  package struct Size: Sendable, Encodable {
    package let width: Int
    package let height: Int
  }

  init(_ asset: MediaAsset, _ reports: [TrackReport]) {
    let size = PosixPath.size(of: asset.path)
    self.size = size
    bitRate = asset.duration.flatMap { duration in
      duration.seconds > 0 ? Int(exactly: (Double(size) * 8 / duration.seconds).rounded()) : nil
    }
    let index = asset.tracks.firstIndex { $0.mediaType == .video }
    let video = index.flatMap { asset.tracks[$0].video }
    let facts = index.map { reports[$0].facts } ?? []
    frameCount = (facts[.frameCount] ?? facts[.sampleCount])?.value.number.map { Int($0) }
    dynamicRange = video.map { facts in
      Self.dynamicRange(facts)
        + FrameMetadata.kinds.compactMap { $0.dynamicRange(in: facts.hdrMetadata) }
        .map { ", \($0)" }.joined()
    }
    let rotation = facts[.matrix]?.value["rotation"]?.number
    let sides = ["width", "height"].compactMap { facts[.size]?.value[$0]?.number.map { Int($0) } }
    let shown = [90, 270].contains(rotation) ? sides.reversed() : sides
    shownSize = shown.count == 2 ? Size(width: shown[0], height: shown[1]) : nil
    let stated = Dictionary(
      asset.facts.filter { $0.key == .statement }.map { ($0.name, $0.text) },
      uniquingKeysWith: { first, _ in first })
    date = stated["creationdate"]
    place = stated["location.ISO6709"]
    let parts = ["make", "model", "software"].compactMap { stated[$0] }
    device = parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns the dynamic range of frames.
  private static func dynamicRange(_ facts: VideoFacts) -> String {
    // Compatibility 0 means that the base layer alone is not a usable signal, as in profile 5. The
    // tags then say nothing about what is shown.
    let compatibility = facts.hdrMetadata.dolbyVision?.value.baseLayerSignalCompatibilityID
    return compatibility == 0
      ? "HDR" : facts.tags.signal.color.transferCharacteristics.dynamicRangeText
  }
}
