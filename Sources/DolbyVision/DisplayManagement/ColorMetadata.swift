// SPDX-License-Identifier: GPL-2.0-or-later
/// The static part of `vdr_dm_data_payload` (ETSI GS CCM 001): the kind of the mapped signal and
/// its conversion to light.
package struct ColorMetadata: Hashable, Sendable {
  /// `YCCtoRGB_coef`: the 9 numbers of a matrix, row by row, in units of 2⁻¹³.
  package var yccToRGBCoef: [Int16]

  // Profile 4 is an exception: FFmpeg reads its offsets in units of 2⁻³⁰.
  /// `YCCtoRGB_offset`: 3 numbers, in units of 2⁻²⁸.
  package var yccToRGBOffset: [UInt32]
  /// `RGBtoLMS_coef`: the 9 numbers of a matrix, row by row, in units of 2⁻¹⁴.
  package var rgbToLMSCoef: [Int16]
  /// `signal_eotf`: 65535 for PQ.
  package var signalEOTF: UInt16 = 65535
  package var signalEOTFParam0: UInt16 = 0
  package var signalEOTFParam1: UInt16 = 0
  package var signalEOTFParam2: UInt32 = 0
  /// `signal_bit_depth`, 5 bits: 8 to 16.
  package var signalBitDepth: UInt8 = 12
  /// `signal_color_space`, 2 bits: 0 YCbCr, 1 RGB, 2 IPT.
  package var signalColorSpace: UInt8 = 0
  /// `signal_chroma_format`, 2 bits: 0 4:2:0, 1 4:2:2, 2 4:4:4.
  package var signalChromaFormat: UInt8 = 0
  /// `signal_full_range_flag`, 2 bits: 0 limited, 1 full, 2 SDI.
  package var signalFullRangeFlag: UInt8 = 1
  /// `source_min_PQ`, 12 bits: the black level of the mastering display.
  package var sourceMinPQ: UInt16
  /// `source_max_PQ`, 12 bits: the peak of the mastering display.
  package var sourceMaxPQ: UInt16
  /// `source_diagonal`, 10 bits: the diagonal of the mastering display in inches.
  package var sourceDiagonal: UInt16 = 42

  /// Makes the metadata of a PQ signal in BT.2020 Y′CbCr.
  package init(sourceMinPQ: UInt16, sourceMaxPQ: UInt16) {
    // Profiles 8.1 and 8.4 share these matrices: libdovi (`profiles/profile81.rs`) and phones write
    // the same numbers. The first matrix is for limited range, although libdovi writes
    // `signal_full_range_flag` 1 beside it.
    yccToRGBCoef = [9574, 0, 13802, 9574, -1540, -5348, 9574, 17610, 0]
    yccToRGBOffset = [16_777_216, 134_217_728, 134_217_728]
    rgbToLMSCoef = [7222, 8771, 390, 2654, 12430, 1300, 0, 422, 15962]
    self.sourceMinPQ = sourceMinPQ
    self.sourceMaxPQ = sourceMaxPQ
  }
}

extension ColorMetadata {
  /// The metadata of a PQ signal in BT.2020 Y′CbCr, with the mastering display of this metadata.
  var ofProfile8: ColorMetadata {
    var color = ColorMetadata(sourceMinPQ: sourceMinPQ, sourceMaxPQ: sourceMaxPQ)
    color.sourceDiagonal = sourceDiagonal
    return color
  }

  mutating func code(_ coder: inout some SyntaxCoder) throws(DolbyVisionError) {
    try coder.list(&yccToRGBCoef, of: 9, bits: 16, "YCCtoRGB_coef")
    try coder.list(&yccToRGBOffset, of: 3, bits: 32, "YCCtoRGB_offset")
    try coder.list(&rgbToLMSCoef, of: 9, bits: 16, "RGBtoLMS_coef")
    try coder.u(&signalEOTF, 16, "signal_eotf")
    try coder.u(&signalEOTFParam0, 16, "signal_eotf_param0")
    try coder.u(&signalEOTFParam1, 16, "signal_eotf_param1")
    try coder.u(&signalEOTFParam2, 32, "signal_eotf_param2")
    try coder.u(&signalBitDepth, 5, "signal_bit_depth")
    try coder.u(&signalColorSpace, 2, "signal_color_space")
    try coder.u(&signalChromaFormat, 2, "signal_chroma_format")
    try coder.u(&signalFullRangeFlag, 2, "signal_full_range_flag")
    try coder.u(&sourceMinPQ, 12, "source_min_PQ")
    try coder.u(&sourceMaxPQ, 12, "source_max_PQ")
    try coder.u(&sourceDiagonal, 10, "source_diagonal")
  }
}
