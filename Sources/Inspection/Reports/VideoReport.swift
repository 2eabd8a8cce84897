// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Details of a video track.
package struct VideoReport: Sendable, Encodable {
  /// The number of luma samples in a row.
  package let width: Int
  /// The number of luma rows.
  package let height: Int
  /// Bits per sample in decoded frames.
  package let bitDepth: Int?
  /// The chroma subsampling of decoded frames, such as `4:2:0`.
  package let chromaSubsampling: String?
  /// `progressive`, `topFirst` or `bottomFirst`.
  package let fieldOrder: String?
  /// The shape of samples and frames, fields, and eyes.
  package let shape: ShapeReport
  /// The clockwise rotation for display, in degrees, or `nil` if the matrix does something else.
  package let rotation: Int?
  /// The nine numbers of the display matrix.
  package let matrix: [Int32]?
  /// The average frames per second.
  package let frameRate: Double?
  /// Whether the time between frames varies.
  package let hasVariableFrameRate: Bool?
  /// How many frames the edit list presents, or `nil` if unknown.
  package let presentedFrameCount: Int?
  /// Whether any sample description is HLG or PQ.
  package let containsHDRVideo: Bool
  /// Whether any sample description has wider primaries than BT.709.
  package let usesWideGamutColorSpace: Bool
  /// What is wrong with the box that holds the parameter sets.
  package let configurationFault: Notice?
  /// The colors, or `nil` if no frame could be decoded.
  package let color: ColorReport?
  /// HDR metadata by kind, and where each was found.
  package let hdrMetadata: [String: HDRFinding]
  /// HDR metadata that cannot be read.
  package let hdrMetadataFaults: [Notice]

  /// A piece of HDR metadata.
  package struct HDRFinding: Sendable, Encodable {
    /// The value as text.
    package let value: String
    /// Where it was found.
    package let places: [String]
    /// Places with another value.
    package let conflicts: [Notice]
  }

  init(_ track: AssetTrack, samples: SampleTimes?) {
    let demuxed = track.demuxed
    width = track.video?.size.width ?? demuxed.size.width
    height = track.video?.size.height ?? demuxed.size.height
    bitDepth = track.video?.format.bitDepth
    chromaSubsampling = track.video?.format.chromaSubsampling.rawValue
    fieldOrder = track.video?.fieldOrder.rawValue
    shape = ShapeReport(track)
    matrix = track.matrix ?? demuxed.displayMatrix
    rotation = matrix.flatMap { DisplayMatrix($0)?.rotation }
    let times = samples?.compositionTimes ?? []
    let gaps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
    hasVariableFrameRate = times.count > 1 ? gaps.count > 1 : nil
    presentedFrameCount = samples.map {
      Self.presentedCount($0, track.timeline, timescale: demuxed.timescale)
    }
    frameRate = demuxed.averageFrameRate?.framesPerSecond
    containsHDRVideo = track.containsHDRVideo
    usesWideGamutColorSpace = track.usesWideGamutColorSpace
    configurationFault = track.configurationFault
    color = track.video.map { ColorReport($0) }
    hdrMetadata = track.video?.hdrMetadata.findings ?? [:]
    hdrMetadataFaults = track.video?.hdrMetadata.unreadable.map(\.notice) ?? []
  }

  private static func presentedCount(
    _ samples: SampleTimes, _ timeline: EditTimeline, timescale: Int32
  ) -> Int {
    let times = samples.compositionTimes
    return times.indices.count { index in
      // The last frame has no successor, so its own duration says where it ends.
      let end = index + 1 < times.count ? times[index + 1] : times[index] + samples.lastDuration
      return timeline.presents(
        from: MediaTime(value: times[index], timescale: timescale),
        to: MediaTime(value: end, timescale: timescale))
    }
  }

  var rateText: String? {
    frameRate.map { rate in
      let text = "\((rate * 1000).rounded() / 1000) frames/s"
      return hasVariableFrameRate == true ? "\(text) on average (variable)" : text
    }
  }

  var lines: [String] {
    var format = "\(width)×\(height)"
    if let bitDepth, let chromaSubsampling { format += ", \(bitDepth) bit \(chromaSubsampling)" }
    if let fieldOrder, fieldOrder != "progressive" { format += ", interlaced (\(fieldOrder))" }
    if rotation != 0 && matrix != nil {
      format += rotation.map { ", shown turned by \($0)°" } ?? ", shown transformed"
    }
    var lines = ["  video      \(format)"] + shape.lines
    lines += color?.lines ?? ["  color      unknown: no frame could be decoded"]
    if let configurationFault { lines.append("    NOTE       \(configurationFault)") }
    for (name, finding) in hdrMetadata.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "  HDR        \(name): \(finding.value) (\(finding.places.joined(separator: ", ")))")
      lines += finding.conflicts.map { "    CONFLICT   \($0)" }
    }
    lines += hdrMetadataFaults.map { "    NOTE       \($0)" }
    return lines
  }
}

extension HDRMetadata {
  /// The findings by their names.
  fileprivate var findings: [String: VideoReport.HDRFinding] {
    var result: [String: VideoReport.HDRFinding] = [:]
    func add<Value: StatedMetadata>(_ kind: Kind, _ finding: Finding<Value>?) {
      guard let finding else { return }
      result[kind.key] = .init(
        value: finding.value.text, places: finding.places.map(\.description),
        conflicts: finding.conflicts(on: kind))
    }
    func add(_ name: String, _ isPresent: Bool) {
      guard isPresent else { return }
      result[name] = .init(value: "present", places: ["\(StatementPlace.samples)"], conflicts: [])
    }
    func add(_ kind: (some StaticHDRMetadataKind).Type) { add(Kind(kind), self[kind]) }
    for kind in StaticHDRMetadata.kinds { add(kind) }
    add(Kind(DolbyVisionRPU.self), dolbyVision)
    for kind in FrameMetadata.kinds { add(kind.sampleKey, frames.has(kind)) }
    add("dolbyVisionEnhancementLayer", hasDolbyVisionEnhancementLayer)
    return result
  }
}
