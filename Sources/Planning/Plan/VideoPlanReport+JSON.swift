// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ISOBMFF
package import MediaCore
internal import VideoEncoders

extension VideoPlanReport: JSONObject {
  package static let fields: [JSONField<VideoPlanReport>] = [
    .init("track", "The track's ID in the source.") { $0.track },
    .init("isMVHEVC", "Whether the source is MV-HEVC, with a layer for each eye.") { $0.isMVHEVC },
    .init("shape", "The steps for shape and times, in order; they come before all others.") {
      $0.shape
    },
    .init("bars", "The black bars; absent if they were not looked for.") { $0.bars },
    .init("composition", "The composition; absent if there is none.") { $0.composition },
    .init("encoding", "How frames are encoded; absent if samples are copied.") { $0.encoding },
    .init(
      "copiedMetadata", "The HDR metadata of copied samples; absent if none of it is replaced."
    ) { $0.copiedMetadata },
  ]
}

extension VideoPlanReport.Composition: JSONObject {
  package static let fields: [JSONField<VideoPlanReport.Composition>] = [
    .init("workingSpace", "The color space in which frames are composed.") { $0.workingSpace },
    .init("steps", "The steps: first the conversion to the working space, then the compositor's.") {
      $0.steps
    },
  ]
}

extension VideoPlanReport.Encoding: JSONObject {
  package static let fields: [JSONField<VideoPlanReport.Encoding>] = ofSource + ofOutput

  private static let ofSource: [JSONField<VideoPlanReport.Encoding>] = [
    .init("source", "What the source's signal means.") { $0.source },
    .init(
      "evidence",
      "For each declared field, the place whose statement is used, such as container, bitstream "
        + "or user."
    ) { $0.evidence },
    .init("rule", "The tagging rule that applies.") { $0.rule },
    .init("explanation", "The rule in words.") { $0.explanation },
    .init("inferred", "Fields that a standard implies although the source does not declare them.") {
      $0.inferred
    },
    .init(
      "ignored", "Fields that the source declares but that are not used because others are missing."
    ) { $0.ignored },
    .init("sourceFormat", "The pixel format of the source's frames.") { $0.sourceFormat },
    .init("sourceChroma", "Chroma subsampling of the source's frames before they are turned.") {
      $0.sourceChroma
    },
    .init("sourceDynamicRange", "The source's dynamic range, in words.") {
      $0.sourceDynamicRange
    },
  ]

  private static let ofOutput: [JSONField<VideoPlanReport.Encoding>] = [
    .init("steps", "The steps for pixels, in order; empty if pixels do not change.") {
      $0.steps
    },
    .init("shots", "The shots that tone curves are fitted to; empty if none is fitted.") {
      $0.shots
    },
    .init("codec", "The codec: hevc, h264 or av1.") { $0.codec },
    .init("format", "The pixel format of the output's frames.") { $0.format },
    .init("dynamicRange", "The output's dynamic range, in words.") { $0.dynamicRange },
    .init("encoder", "The encoder, its speed and its rate control.") { $0.encoder },
    .init("width", "The output's width, in luma samples.", .count) { $0.width },
    .init("height", "The output's height, in luma rows.", .count) { $0.height },
    .init("bitstream", "What the output's bitstream will declare.") { $0.bitstream },
    .init("hdrMetadata", "The HDR metadata that will be written.") { $0.hdrMetadata },
    .init("colr", "The colr box that will be written; absent if there will be none.") { $0.colr },
    .init(
      "gamma", "The exponent in the gama atom that will be written; absent if there will be none."
    ) { $0.gamma?.gamma },
  ]
}

/// The encoder of a plan, with its speed and its rate control.
package struct EncoderChoice: Sendable, JSONObject {
  private let name: String
  private let speed: String?
  private var constantRateFactor: Double?
  private var averageBitRate: Int?
  private var isLossless: Bool?
  /// The choice in a few words: `x265 medium, rate factor 20`.
  package let text: String

  init(_ plan: EncodingPlan) {
    let library = plan.codec.encoder
    name = library.name
    speed = library.speeds.isEmpty ? nil : plan.encoder.speed
    text = plan.rateText
    guard library.rateFactors != nil else { return }
    switch plan.encoder.rateControl {
    case .constantRateFactor(let factor): constantRateFactor = factor
    case .averageBitRate(let rate): averageBitRate = rate
    case .lossless: isLossless = true
    // Plans have a rate factor instead of a quality.
    case .quality: break
    }
  }

  package static let fields: [JSONField<EncoderChoice>] = [
    .init("name", "The encoder's name.") { $0.name },
    .init("speed", "The encoder's own name for its speed; absent if it has only one.") { $0.speed },
    .init(
      "constantRateFactor",
      "The rate factor; lower is better. Absent if another rate control is used.",
      JSONSchema(.number(0...63))
    ) { $0.constantRateFactor },
    .init(
      "averageBitRate", "The average rate, in bits a second; absent for another rate control.",
      .count
    ) { $0.averageBitRate },
    .init(
      "isLossless",
      "Whether decoders return exactly the samples that went in; absent for another rate control."
    ) { $0.isLossless },
  ]
}

extension PixelFormat: JSONObject {
  package static let meaning = "How samples are stored."
  package static let fields: [JSONField<PixelFormat>] = [
    .init("name", "The format in words: 10 bit 4:2:0.") { "\($0)" },
    .init("bitDepth", "Bits of a sample.", .count) { $0.bitDepth },
    .init("chromaSubsampling", "The chroma subsampling, such as 4:2:0.") { $0.chromaSubsampling },
  ]
}

extension ChromaSubsampling: JSONDescribed {}

extension ColorInformation: JSONObject {
  package static let meaning = "A colr box."
  package static let fields: [JSONField<ColorInformation>] = [
    .init("type", "The kind of the box: nclx, or nclc in QuickTime files.") { $0.type },
    .init("colorPrimaries", "The color primaries.") { box in
      box.color.map { NamedCode($0.colorPrimaries) }
    },
    .init("transferFunction", "The transfer function.") { box in
      box.color.map { NamedCode($0.transferCharacteristics) }
    },
    .init("yCbCrMatrix", "The matrix.") { box in
      box.color.map { NamedCode($0.matrixCoefficients) }
    },
    .init(
      "range", "The range; absent in a box that has none.",
      JSONSchema(.words(["limited", "full"]))
    ) { $0.range },
  ]

  private var type: String {
    switch self {
    case .nclx: "nclx"
    case .nclc: "nclc"
    case .profile: "prof"
    case .other(let type, _): "\(type)"
    }
  }

  private var range: String? {
    guard case .nclx(_, let isFull?) = self else { return nil }
    return isFull ? "full" : "limited"
  }

  private var color: ColorDescription? {
    switch self {
    case .nclx(let color, _), .nclc(let color): color
    case .profile, .other: nil
    }
  }
}
