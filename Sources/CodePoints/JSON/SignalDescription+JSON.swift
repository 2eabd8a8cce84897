// SPDX-License-Identifier: GPL-2.0-or-later

/// Code points with their names. Undeclared parts are left out.
extension SignalDescription: JSONObject {
  package static let meaning =
    "What a video signal means. Parts that are not declared are absent."
  package static let fields: [JSONField<SignalDescription>] = [
    .init("colorPrimaries", "The color primaries (H.273, 8.1).") {
      $0.color.colorPrimaries.isSpecified ? NamedCode($0.color.colorPrimaries) : nil
    },
    .init("transferFunction", "The transfer function (H.273, 8.2).") {
      let transfer = $0.color.transferCharacteristics
      return transfer.isSpecified ? NamedCode(transfer) : nil
    },
    .init("yCbCrMatrix", "The matrix (H.273, 8.3).") {
      $0.color.matrixCoefficients.isSpecified ? NamedCode($0.color.matrixCoefficients) : nil
    },
    .init(
      "range", "The range of code values.", JSONSchema(.words(["limited", "full"]))
    ) { $0.videoFullRangeFlag.map { $0 ? "full" : "limited" } },
    .init("chromaLocation", "Where chroma samples lie (H.273, 8.7).") {
      $0.chromaLocation.map { NamedCode($0) }
    },
  ]
}
