// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore
package import Shots
internal import VideoEncoders

/// What is planned for a video track.
package struct VideoPlanReport: Sendable, Encodable {
  /// The track's ID in the source.
  package let track: Int
  /// Whether the source is MV-HEVC, spatial video with a layer for the second eye.
  package let isMVHEVC: Bool
  /// The steps for shape and times, in order. They come before all others.
  package let shape: [String]
  /// The black bars, if they were looked for.
  package let bars: BlackBars?
  /// The composition, if there is one.
  package let composition: Composition?
  /// The encoding, or `nil` if samples are copied.
  package let encoding: Encoding?

  /// The steps of a composition.
  package struct Composition: Sendable, Encodable {
    /// The color space in which frames are composed.
    package let workingSpace: SignalDescription
    /// The steps in order: into the working space, then the compositor's own.
    package let steps: [String]
  }

  /// How frames are encoded.
  package struct Encoding: Sendable, Encodable {
    /// The meaning of the source's signal.
    package let source: SignalDescription
    /// The place that is believed for each declared field: `container`, `bitstream`, `decoder`,
    /// `user`.
    package let evidence: [String: String]
    /// The tagging rule that applies.
    package let rule: String
    /// The rule in words.
    package let explanation: String
    /// Fields that a standard implies although the source does not declare them.
    package let inferred: [String]
    /// Fields that the source declares but that are not used, because the rest is missing.
    package let ignored: [String]
    /// Depth and subsampling of the source's frames.
    package let sourceFormat: String
    /// Subsampling of the source's frames before they are turned: `4:2:2`.
    package let sourceChroma: String
    /// The steps for pixels in order. Empty if pixels stay as they are.
    package let steps: [String]
    /// The shots that tone curves are fitted to. Empty if there is one curve for all.
    package let shots: [ShotReport]
    /// The codec: `hevc` or `h264`.
    package let codec: String
    /// Depth and subsampling of the output's frames.
    package let format: String
    /// Subsampling of the output's frames: `4:2:0`.
    package let chroma: String
    /// Dynamic range of the output as text: `SDR`, `HDR (HLG), Dolby Vision 8.4`.
    package let dynamicRange: String
    /// Dynamic range of the source, in the same words.
    package let sourceDynamicRange: String
    /// The encoder, its speed and its rate control: `x265 medium, rate factor 20`.
    package let rate: String
    /// Width of the output in luma samples.
    package let width: Int
    /// Height of the output in luma rows.
    package let height: Int
    /// The color, range and chroma location that the output's bitstream will declare.
    package let bitstream: SignalDescription
    /// The HDR metadata that will be written, a line each.
    package let hdrMetadata: [String]
    /// The `colr` box that will be written, such as `nclc 9/18/9`, if any.
    package let colr: String?
    /// The `gama` atom that will be written, such as `gamma 1.8`, if the gamma has no number in
    /// H.273.
    package let gamma: String?
  }

  init(_ plan: VideoPlan, container: FileType) {
    track = plan.track.demuxed.id
    isMVHEVC = plan.track.isMVHEVC
    shape = plan.shape?.steps ?? []
    bars = plan.shape?.bars
    composition = plan.composition.map { plan in
      Composition(
        workingSpace: plan.context.signal,
        steps: plan.conversion.steps.map { "\($0)" } + plan.compositor.stepDescriptions)
    }
    encoding = plan.encoding.map { Encoding($0, container: container) }
  }

  var lines: [String] {
    guard let encoding else {
      let kind = isMVHEVC ? ", MV-HEVC, with both eyes" : ""
      return ["  video      track \(track): samples are copied\(kind)"]
    }
    let evidence = SignalField.allCases.compactMap { field in
      encoding.evidence[field.rawValue].map { "\(field.rawValue): \($0)" }
    }
    var lines = shape.map { "  shape      \($0)" }
    if let bars { lines.append("  crop       \(bars.text)") }
    if let composition {
      lines.append("  compose    in \(composition.workingSpace.text)")
      lines += composition.steps.map { "    step       \($0)" }
    }
    lines.append("  source     \(encoding.source.text)")
    if !evidence.isEmpty { lines.append("    by         \(evidence.joined(separator: ", "))") }
    lines.append("  rule       \(encoding.explanation)")
    lines.append(
      "  video      \(encoding.sourceFormat) → \(encoding.codec), \(encoding.format), "
        + "\(encoding.width)×\(encoding.height), \(encoding.rate)")
    lines += encoding.steps.map { "    step       \($0)" }
    lines += ShotReport.lines(encoding.shots).map { "    shot       \($0)" }
    if encoding.steps.isEmpty {
      lines.append("    no step    pixels reach the encoder as they are")
    }
    lines.append("  output     \(encoding.bitstream.text)")
    lines.append("    colr       \(encoding.colr ?? "none")")
    if let gamma = encoding.gamma { lines.append("    gama       \(gamma)") }
    lines += encoding.hdrMetadata.map { "    HDR        \($0)" }
    return lines
  }
}

extension VideoPlanReport.Encoding {
  init(_ plan: EncodingPlan, container: FileType) {
    source = plan.signal.tags.signal
    evidence = Dictionary(
      uniqueKeysWithValues: plan.signal.tags.evidence.map { ($0.key.rawValue, $0.value.rawValue) })
    rule = plan.signal.decision.rule.rawValue
    explanation = plan.signal.decision.explanation
    inferred = plan.signal.decision.inferred.map(\.rawValue)
    ignored = plan.signal.decision.ignored.map(\.rawValue)
    sourceFormat = "\(plan.conversion.source.format)"
    sourceChroma = plan.frameSource.originalFormat.chromaSubsampling.rawValue
    steps =
      plan.geometry.steps
      + plan.conversion.steps.map { "\($0)" }
    shots = plan.shots?.shots.map { ShotReport($0, plan.conversion) } ?? []
    codec = plan.codec.rawValue
    format = "\(plan.encoder.format)"
    chroma = plan.encoder.format.chromaSubsampling.rawValue
    dynamicRange =
      plan.promise.transfer.dynamicRangeText
      + (plan.hdrMetadata.dolbyVision.map { ", \($0.dynamicRange)" } ?? "")
    sourceDynamicRange =
      plan.signal.tags.signal.color.transferCharacteristics.dynamicRangeText
      + (plan.frameSource.facts.hdrMetadata.dolbyVision.map { ", \($0.value.dynamicRange)" } ?? "")
    rate = plan.rateText
    width = plan.encoder.size.width
    height = plan.encoder.size.height
    bitstream = plan.promise.vuiSignal
    hdrMetadata = plan.hdrMetadata.lines
    colr = ColorInformation(plan.encoder.signal, container: container).map { "\($0)" }
    gamma = Box(gammaOf: plan.encoder.signal, container: container).map { _ in
      "\(plan.encoder.signal.color.transferCharacteristics)"
    }
  }
}
