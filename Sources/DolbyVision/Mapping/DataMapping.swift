// SPDX-License-Identifier: GPL-2.0-or-later
/// Maps the base layer to the Dolby Vision signal. It is coded at the end of `rpu_data_header` and
/// in `vdr_rpu_data_payload`, as `rpu_data_mapping` and `rpu_data_nlq` (ETSI GS CCM 001).
package struct DataMapping: Hashable, Sendable {
  /// `vdr_rpu_id`, 0 to 15: the number by which later units refer to this mapping.
  package var vdrRPUID: UInt32
  /// `mapping_color_space`: 0 for YCbCr.
  package var mappingColorSpace: UInt32
  /// `mapping_chroma_format_idc`: 0 for 4:2:0.
  package var mappingChromaFormatIDC: UInt32

  // Only one set of parameters follows, no matter how many partitions there are. libdovi and FFmpeg
  // read the syntax the same way.
  /// `num_x_partitions_minus1`: 0 in valid units.
  package var numXPartitionsMinus1: UInt32
  /// `num_y_partitions_minus1`: 0 in valid units.
  package var numYPartitionsMinus1: UInt32
  /// The curves of the three components Y, Cb, Cr (I, P, T in profile 5).
  package var curves: [ReshapingCurve]
  /// How residuals are dequantized; present if `disable_residual_flag` is 0.
  package var nlq: NonlinearQuantization?

  package init(
    vdrRPUID: UInt32 = 0, mappingColorSpace: UInt32 = 0, mappingChromaFormatIDC: UInt32 = 0,
    numXPartitionsMinus1: UInt32 = 0, numYPartitionsMinus1: UInt32 = 0, curves: [ReshapingCurve],
    nlq: NonlinearQuantization? = nil
  ) {
    self.vdrRPUID = vdrRPUID
    self.mappingColorSpace = mappingColorSpace
    self.mappingChromaFormatIDC = mappingChromaFormatIDC
    self.numXPartitionsMinus1 = numXPartitionsMinus1
    self.numYPartitionsMinus1 = numYPartitionsMinus1
    self.curves = curves
    self.nlq = nlq
  }
}

extension DataMapping {
  mutating func code(
    _ coder: inout some SyntaxCoder, _ header: RPUHeader
  ) throws(DolbyVisionError) {
    try codeHeader(&coder, header)
    for index in curves.indices {
      try curves[index].codePieces(&coder, header.fractionBits)
    }
    try nlq?.codeComponents(&coder, header.fractionBits, bitDepth: header.elBitDepth)
  }

  /// Codes the elements that still belong to `rpu_data_header`.
  private mutating func codeHeader(
    _ coder: inout some SyntaxCoder, _ header: RPUHeader
  ) throws(DolbyVisionError) {
    try coder.ue(&vdrRPUID, "vdr_rpu_id")
    try coder.ue(&mappingColorSpace, "mapping_color_space")
    try coder.ue(&mappingChromaFormatIDC, "mapping_chroma_format_idc")
    let empty = ReshapingCurve(predPivotValue: [], pieces: [])
    try coder.resize(&curves, to: 3, with: empty, "rpu_data_mapping")
    for index in curves.indices {
      try curves[index].codePivots(&coder, bitDepth: header.blBitDepth)
    }
    // When writing, `resize` refuses a list of the wrong length. So put `nlq` into a list of at
    // most one element, to check that the header and `nlq` agree on whether there are residuals.
    var layers = nlq.map { [$0] } ?? []
    try coder.resize(
      &layers, to: header.disableResidualFlag ? 0 : 1, with: NonlinearQuantization(components: []),
      "rpu_data_nlq")
    nlq = layers.first
    try nlq?.codePivots(&coder, bitDepth: header.blBitDepth)
    try coder.ue(&numXPartitionsMinus1, "num_x_partitions_minus1")
    try coder.ue(&numYPartitionsMinus1, "num_y_partitions_minus1")
  }
}
