// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A report on video.
package struct VideoReport: Sendable, Encodable {
  /// Luma samples in a row.
  package let width: Int
  /// Luma rows.
  package let height: Int
  /// Bits a sample, of the decoded frames.
  package let bitDepth: Int?
  /// Chroma subsampling of the decoded frames.
  package let chromaSubsampling: String?
  /// `progressive`, `topFirst` or `bottomFirst`.
  package let fieldOrder: String?
  /// The shape of samples, the part of frames that is meant to be seen, fields, and eyes.
  package let shape: ShapeReport
  /// The angle by which a player turns frames clockwise, in degrees; nil for other transformations.
  package let rotation: Int?
  /// The nine numbers of the transformation matrix.
  package let matrix: [Int32]?
  /// Frames a second on average.
  package let frameRate: Double?
  /// True if the time from one frame to the next differs.
  package let hasVariableFrameRate: Bool?
  /// The number of frames that the edit list presents; nil if unknown.
  package let presentedFrameCount: Int?
  /// True if any sample description is HLG or PQ.
  package let containsHDRVideo: Bool
  /// True if any sample description has primaries wider than BT.709's.
  package let usesWideGamutColorSpace: Bool
  /// The damage of the box with the parameter sets; nil for none.
  package let configurationFault: Notice?
  /// The report on colors; nil if no frame could be decoded.
  package let color: ColorReport?
  /// HDR metadata, by its kind, with the places where it was found.
  package let hdrMetadata: [String: HDRFinding]
  /// Statements of HDR metadata that cannot be read.
  package let hdrMetadataFaults: [Notice]

  /// A piece of HDR metadata.
  package struct HDRFinding: Sendable, Encodable {
    /// The value, for people.
    package let value: String
    /// The places where it was found.
    package let places: [String]
    /// Places that state another value.
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
  /// Findings, by their names.
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
