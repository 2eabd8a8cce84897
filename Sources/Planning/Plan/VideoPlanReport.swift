// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
package import ISOBMFF
internal import LibAV
package import MediaCore
package import Shots
internal import VideoEncoders

/// What is planned for a video track.
package struct VideoPlanReport: Sendable, Encodable {
  /// The track's ID in the source.
  package let track: Int
  /// Whether the source is MV-HEVC, spatial video with a layer for each eye.
  package let isMVHEVC: Bool
  /// The steps for shape and times, in order. They come before all others.
  package let shape: [String]
  /// The black bars, or `nil` if they were not looked for.
  package let bars: BlackBars?
  /// The composition, if there is one.
  package let composition: Composition?
  /// The encoding, or `nil` if samples are copied.
  package let encoding: Encoding?
  /// The HDR metadata of copied samples, if any of it is replaced.
  package let copiedMetadata: HDRMetadataPlan?

  /// The steps of a composition.
  package struct Composition: Sendable, Encodable {
    package let workingSpace: SignalDescription
    package let steps: [String]
  }

  /// How frames are encoded.
  package struct Encoding: Sendable, Encodable {
    package let source: SignalDescription
    package let evidence: [String: String]
    package let rule: String
    package let explanation: String
    package let inferred: [String]
    package let ignored: [String]
    package let sourceFormat: PixelFormat
    /// Subsampling of the source's frames before they are turned.
    package let sourceChroma: ChromaSubsampling
    package let steps: [String]
    package let shots: [ShotReport]
    package let codec: String
    package let format: PixelFormat
    package let dynamicRange: String
    package let sourceDynamicRange: String
    package let encoder: EncoderChoice
    package let width: Int
    package let height: Int
    package let bitstream: SignalDescription
    package let hdrMetadata: HDRMetadataPlan
    package let colr: ColorInformation?
    /// The transfer function in the `gama` atom, if there will be one. H.273 has no number for it.
    package let gamma: TransferCharacteristics?

    package var chroma: ChromaSubsampling { format.chromaSubsampling }
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
    copiedMetadata = plan.copiedMetadata.flatMap { $0.replaced.isEmpty ? nil : $0 }
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
    sourceFormat = plan.conversion.source.format
    sourceChroma = plan.frameSource.originalFormat.chromaSubsampling
    steps =
      (plan.frameSource.facts.isReshaped ? ["reshape to PQ of BT.2020 by each frame's RPU"] : [])
      + plan.geometry.steps
      + plan.conversion.steps.map { "\($0)" }
    let curves = plan.conversion.measuresLight ? plan.shots?.shots : nil
    shots = curves?.map { ShotReport($0, plan.conversion) } ?? []
    codec = plan.codec.rawValue
    format = plan.encoder.format
    dynamicRange =
      plan.promise.transfer.dynamicRangeText
      + (plan.hdrMetadata.dolbyVision.map { ", \($0.dynamicRange)" } ?? "")
    sourceDynamicRange =
      plan.signal.tags.signal.color.transferCharacteristics.dynamicRangeText
      + (plan.frameSource.dolbyVision.map { ", \($0)" } ?? "")
    encoder = EncoderChoice(plan)
    width = plan.encoder.size.width
    height = plan.encoder.size.height
    bitstream = plan.promise.vuiSignal
    hdrMetadata = plan.hdrMetadata
    colr = ColorInformation(plan.encoder.signal, container: container)
    gamma = Box(gammaOf: plan.encoder.signal, container: container).map { _ in
      plan.encoder.signal.color.transferCharacteristics
    }
  }
}
