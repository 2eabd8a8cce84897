// SPDX-License-Identifier: GPL-2.0-or-later
/// Parameters for dequantizing the residuals of an enhancement layer: `rpu_data_nlq` (ETSI GS CCM
/// 001).
package struct NonlinearQuantization: Hashable, Sendable {
  /// `nlq_method_idc`, 3 bits: 0 for linear with a dead zone. Other methods are not supported.
  package var nlqMethodIDC: UInt8
  /// `nlq_pred_pivot_value`: the first pivot, and the distance from it to the second pivot, in the
  /// base layer's bit depth.
  package var nlqPredPivotValue: [UInt16]
  /// The parameters of Y, Cb and Cr.
  package var components: [Component]

  /// The parameters of one component: `rpu_data_nlq_param`.
  package struct Component: Hashable, Sendable {
    /// `nlq_offset`: a number in the enhancement layer's bit depth.
    package var nlqOffset: UInt16
    package var vdrInMax: Coefficient
    package var linearDeadzoneSlope: Coefficient
    package var linearDeadzoneThreshold: Coefficient

    /// Makes a component's parameters.
    package init(
      nlqOffset: UInt16 = 0, vdrInMax: Coefficient = Coefficient(),
      linearDeadzoneSlope: Coefficient = Coefficient(),
      linearDeadzoneThreshold: Coefficient = Coefficient()
    ) {
      self.nlqOffset = nlqOffset
      self.vdrInMax = vdrInMax
      self.linearDeadzoneSlope = linearDeadzoneSlope
      self.linearDeadzoneThreshold = linearDeadzoneThreshold
    }
  }

  package init(
    nlqMethodIDC: UInt8 = 0, nlqPredPivotValue: [UInt16] = [0, 1023], components: [Component]
  ) {
    self.nlqMethodIDC = nlqMethodIDC
    self.nlqPredPivotValue = nlqPredPivotValue
    self.components = components
  }

  /// Whether the parameters stand for a minimal enhancement layer (MEL), whose residuals are all 0.
  package func isMinimal(fractionBits: Int?) -> Bool {
    // No flag marks a MEL. It is coded like a full layer, but its parameters give 0 for every
    // residual.
    components.allSatisfy {
      $0.nlqOffset == 0 && $0.vdrInMax.value(fractionBits: fractionBits) == 1
        && $0.linearDeadzoneSlope.value(fractionBits: fractionBits) == 0
        && $0.linearDeadzoneThreshold.value(fractionBits: fractionBits) == 0
    }
  }
}

extension NonlinearQuantization {
  mutating func codePivots(
    _ coder: inout some SyntaxCoder, bitDepth: Int
  ) throws(DolbyVisionError) {
    let position = coder.bitPosition
    try coder.u(&nlqMethodIDC, 3, "nlq_method_idc")
    guard nlqMethodIDC == 0 else {
      throw .unsupported(
        element: "nlq_method_idc", bitPosition: position, observed: Int64(nlqMethodIDC))
    }
    try coder.list(&nlqPredPivotValue, of: 2, bits: bitDepth, "nlq_pred_pivot_value")
  }

  mutating func codeComponents(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?, bitDepth: Int
  ) throws(DolbyVisionError) {
    try coder.resize(&components, to: 3, with: Component(), "rpu_data_nlq_param")
    for index in components.indices {
      try coder.u(&components[index].nlqOffset, bitDepth, "nlq_offset")
      try components[index].vdrInMax.codeUnsigned(&coder, fractionBits, "vdr_in_max")
      try components[index].linearDeadzoneSlope.codeUnsigned(
        &coder, fractionBits, "linear_deadzone_slope")
      try components[index].linearDeadzoneThreshold.codeUnsigned(
        &coder, fractionBits, "linear_deadzone_threshold")
    }
  }
}
