// SPDX-License-Identifier: GPL-2.0-or-later
// Code that is ported from AVFoundation compiles with these names, so they are spelled as Apple's
// constants are, underscores included.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension ColorPrimaries {
  /// `AVVideoColorPrimaries_ITU_R_709_2`.
  public static let ITU_R_709_2 = bt709
  /// `AVVideoColorPrimaries_EBU_3213`.
  public static let EBU_3213 = bt470BG
  /// `AVVideoColorPrimaries_SMPTE_C`.
  public static let SMPTE_C = smpte170M
  /// `AVVideoColorPrimaries_P3_D65`.
  public static let P3_D65 = p3D65
  /// `kCVImageBufferColorPrimaries_DCI_P3`.
  public static let DCI_P3 = p3DCI
  /// `AVVideoColorPrimaries_ITU_R_2020`.
  public static let ITU_R_2020 = bt2020
}

extension TransferCharacteristics {
  /// `AVVideoTransferFunction_ITU_R_709_2`.
  public static let ITU_R_709_2 = bt709
  /// `AVVideoTransferFunction_SMPTE_240M_1995`.
  public static let SMPTE_240M_1995 = smpte240M
  /// `AVVideoTransferFunction_Linear`.
  public static let Linear = linear
  /// `AVVideoTransferFunction_IEC_sRGB`.
  public static let IEC_sRGB = sRGB
  /// `kCVImageBufferTransferFunction_ITU_R_2020`.
  public static let ITU_R_2020 = bt2020TenBit
  /// `AVVideoTransferFunction_SMPTE_ST_2084_PQ`.
  public static let SMPTE_ST_2084_PQ = pq
  /// `kCVImageBufferTransferFunction_SMPTE_ST_428_1`.
  public static let SMPTE_ST_428_1 = smpte428
  /// `AVVideoTransferFunction_ITU_R_2100_HLG`.
  public static let ITU_R_2100_HLG = hlg
}

extension MatrixCoefficients {
  /// `AVVideoYCbCrMatrix_ITU_R_709_2`.
  public static let ITU_R_709_2 = bt709
  /// `AVVideoYCbCrMatrix_ITU_R_601_4`.
  public static let ITU_R_601_4 = smpte170M
  /// `AVVideoYCbCrMatrix_SMPTE_240M_1995`.
  public static let SMPTE_240M_1995 = smpte240M
  /// `AVVideoYCbCrMatrix_ITU_R_2020`.
  public static let ITU_R_2020 = bt2020NonConstant
}
