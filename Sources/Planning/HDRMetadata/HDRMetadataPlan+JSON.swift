// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import DolbyVision

/// The planned metadata with its values. Values that are known only when the output is finished are
/// listed by their keys.
extension HDRMetadataPlan: JSONObject {
  package static let meaning = "The HDR metadata of an output."
  package static let fields: [JSONField<HDRMetadataPlan>] =
    StaticHDRMetadata.fields.of { (plan: HDRMetadataPlan) in plan.staticMetadata } + others

  private static let others: [JSONField<HDRMetadataPlan>] = [
    .init("dolbyVision", "The Dolby Vision of the output; absent if it has none.") {
      $0.dolbyVisionPlan
    },
    .init("preferredTransferFunction", "The transfer function that SEI 147 prefers.") {
      $0.preferredTransfer.map { NamedCode($0) }
    },
    .init(
      "kept",
      "The keys of the dynamic metadata that frames keep from the source, such as hdr10Plus."
    ) {
      $0.carried.map(\.key)
    },
    .init("assumed", "The keys of values that the source lacks and that are assumed.") {
      $0.assumesAmbientViewingEnvironment ? [AmbientViewingEnvironment.key] : []
    },
    .init("measured", "The keys of values that are measured in the frames.") {
      ($0.measuresContentLightLevel ? [ContentLightLevel.key] : [])
        + $0.measuredKinds.map { $0.key }
    },
  ]
}

extension DolbyVisionPlan: JSONObject {
  static let fields: [JSONField<DolbyVisionPlan>] = [
    .init(
      "profile",
      "The profile. Profile 8 has one layer, which players without Dolby Vision also show."
    ) { $0.record.profile },
    .init(
      "compatibilityID",
      "The signal for players without Dolby Vision: 0 is none, 1 and 6 HDR10, 2 SDR, 4 HLG."
    ) { $0.record.baseLayerSignalCompatibilityID },
    .init("level", "The level, which bounds size and frame rate.") { $0.record.level },
    .init(
      "rpus", "Whether RPUs are the source's or computed from the output's frames.",
      JSONSchema(.words(["source", "computed"]))
    ) { $0.computesRPUs ? "computed" : "source" },
  ]
}
