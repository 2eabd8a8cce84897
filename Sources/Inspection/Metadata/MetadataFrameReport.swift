// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import Host
internal import MediaCore
package import NALUnits

/// The dynamic HDR metadata of one frame. Unknown values are `nil`.
package struct MetadataFrameReport: Sendable {
  /// The frame's position in presentation order, from 0.
  package let frame: Int
  /// The presentation time on the media's timeline, in seconds; `nil` if the file has no times.
  package let time: Double?
  /// The frame's Dolby Vision RPU.
  package let dolbyVision: RPUFrameReport?
  /// The light of the frame according to HDR10+.
  package let hdr10Plus: Light?
  /// The headroom-adaptive gain curves of the frame.
  package let headroomAdaptiveGain: GainReport?
  /// The names of user data that Candela does not know and only copies.
  package let otherUserData: [String]

  /// The light of a frame's first window in HDR10+, in cd/m².
  package struct Light: Sendable {
    /// The largest R, G and B.
    package let maximum: [Double]
    /// The average of each pixel's largest component.
    package let average: Double
    let percentiles: [HDR10PlusMetadata.Percentile]
    /// The share of pixels that are as bright as the brightest, 0…1.
    let brightShare: Double
    let hasToneCurve: Bool
    let windowCount: Int
  }

  /// Reads all frames of a file's first video track, in presentation order.
  static func all(
    in path: String, _ checkpoint: Pipeline.Checkpoint
  ) throws -> JSONList<MetadataFrameReport> {
    all(try CodedFrames(path: path, checkpoint: checkpoint).frames)
  }

  static func all(_ coded: [CodedFrame]) -> JSONList<MetadataFrameReport> {
    JSONList(coded.indices) { MetadataFrameReport(coded[$0], number: $0) }
  }

  init(_ coded: CodedFrame, number: Int) {
    frame = number
    time = coded.time?.seconds
    dolbyVision = coded.rpu.map { RPUFrameReport(frame: number, time: nil, $0) }
    hdr10Plus = coded.metadata[HDR10Plus.self]?.metadata.flatMap(Light.init)
    headroomAdaptiveGain = coded.metadata[HeadroomAdaptiveGain.self].map(GainReport.init)
    otherUserData = coded.otherUserData
  }
}

/// Converts a value of HDR10+ to cd/m².
private func luminance(_ value: UInt32) -> Double { Double(value) / 10 }

extension MetadataFrameReport.Light {
  /// - Returns: `nil` for metadata without a window.
  fileprivate init?(_ metadata: HDR10PlusMetadata) {
    guard let window = metadata.windows.first else { return nil }
    maximum = window.maxSCL.map(luminance)
    average = luminance(window.averageMaxRGB)
    percentiles = window.distribution
    brightShare = Double(window.fractionBrightPixels) / 1000
    hasToneCurve = window.toneCurve != nil
    windowCount = metadata.windows.count
  }
}

extension MetadataFrameReport: JSONObject {
  package static let fields: [JSONField<MetadataFrameReport>] = [
    .init("frame", "The frame's place in the order of presentation, from 0.", .count) {
      $0.frame
    },
    .init(
      "time",
      "When the frame is presented on the media's timeline, in seconds; absent if the file has no "
        + "times."
    ) { $0.time },
    .init("dolbyVision", "The frame's Dolby Vision RPU; absent if there is none.") {
      $0.dolbyVision
    },
    .init("hdr10Plus", "The frame's light according to HDR10+; absent if it has no HDR10+.") {
      $0.hdr10Plus
    },
    .init(
      "st2094_50",
      "The frame's headroom-adaptive gain curves (ST 2094-50); absent if there are none."
    ) { $0.headroomAdaptiveGain },
    .init("otherUserData", "The names of user data that Candela does not know and only copies.") {
      $0.otherUserData
    },
  ]
}

extension MetadataFrameReport.Light: JSONObject {
  package static let fields: [JSONField<MetadataFrameReport.Light>] = [
    .init("maximum", "The largest R, G and B, in cd/m².") { $0.maximum },
    .init("average", "The average of each pixel's largest component, in cd/m².") { $0.average },
    .init(
      "percentiles",
      "The distribution of light. If it has nine entries, two are usually special: the luminance "
        + "of the second is the 99 % value; that of the third is not light, but a tenth of the "
        + "percentage of dark pixels."
    ) { $0.percentiles },
    .init("brightShare", "The share of pixels that are as bright as the brightest.", .share) {
      $0.brightShare
    },
    .init("hasToneCurve", "Whether the HDR10+ has a tone curve.") { $0.hasToneCurve },
    .init("windowCount", "The number of windows.", .count) { $0.windowCount },
  ]
}

extension HDR10PlusMetadata.Percentile: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("percentage", "The percentage of pixels that are at most this bright.") {
      Int($0.percentage)
    },
    .init("luminance", "The light, in cd/m².") { luminance($0.value) },
  ]
}
