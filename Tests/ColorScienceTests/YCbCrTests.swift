// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import ColorScience

@Suite struct YCbCrTests {
  /// Red and white at 100 % in BT.709 (part 3), green at 100 % in BT.2020 (table 4) and blue at
  /// 100 % in SMPTE 170M have these 10-bit code values in limited range.
  @Test(
    arguments: [
      (.bt709, Triple(1, 0, 0), [250, 409, 960]), (.bt709, Triple(1, 1, 1), [940, 512, 512]),
      (.bt2020NonConstant, Triple(0, 1, 0), [658, 189, 100]),
      (.smpte170M, Triple(0, 0, 1), [164, 960, 439]),
    ] as [(MatrixCoefficients, Triple, [Double])])
  func codeValues(matrix: MatrixCoefficients, color: Triple, codes: [Double]) throws {
    let converted = try #require(YCbCrMatrix(matrix, primaries: .bt709)).fromRGB * color
    for index in 0..<3 {
      let quantization = Quantization(isChroma: index > 0, isFullRange: false, bitDepth: 10)
      #expect(quantization.quantized(converted[index]) == codes[index])
    }
  }

  /// H.273, 8.3: code values follow the equations for both ranges.
  @Test(
    arguments: [
      (8, false, false, 1.0, 235), (8, false, true, 1.0, 255), (10, false, false, 0.0, 64),
      (10, true, false, 0.5, 960), (10, true, true, 0.0, 512), (12, false, false, 1.0, 3760),
      (8, true, false, -0.5, 16),
    ] as [(Int, Bool, Bool, Double, Double)])
  func quantization(
    bitDepth: Int, isChroma: Bool, isFullRange: Bool, signal: Double, code: Double
  ) {
    let quantization = Quantization(
      isChroma: isChroma, isFullRange: isFullRange, bitDepth: bitDepth)
    #expect(quantization.quantized(signal) == code)
    #expect(abs(quantization.signal(code) - signal) < 1e-12)
  }

  /// These code points mean a conversion by a single matrix. The others are 2 ("unspecified"), 3
  /// (reserved), 10 and 13 (constant luminance), 14 (ICtCp) and the numbers above 14.
  @Test(arguments: [0, 1, 4, 5, 6, 7, 8, 9, 11, 12] as [UInt16])
  func everyMatrixComesBack(number: UInt16) throws {
    let code = MatrixCoefficients(rawValue: number)
    let matrix = try #require(YCbCrMatrix(code, primaries: .bt2020))
    let color = Triple(0.9, 0.3, 0.1)
    let back = matrix.toRGB * (matrix.fromRGB * color)
    for index in 0..<3 { #expect(abs(back[index] - color[index]) < 1e-12) }
  }
}
