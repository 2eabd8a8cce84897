// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// How a component of a signal maps to code values (H.273, 8.3).
package struct Quantization: Hashable, Sendable {
  /// The code value that stands for 0.
  package let offset: Double
  /// How many code values there are between the signals 0 and 1.
  package let scale: Double
  /// The largest code value.
  package let maximum: Double

  /// The quantization for half floats, which store numbers unchanged.
  package static let number = Quantization(offset: 0, scale: 1, maximum: 65504)

  private init(offset: Double, scale: Double, maximum: Double) {
    (self.offset, self.scale, self.maximum) = (offset, scale, maximum)
  }

  /// Makes the quantization of a component.
  ///
  /// - Parameters:
  ///   - isChroma: whether the component goes from −0.5 to 0.5 around a middle value.
  ///   - isFullRange: whether the component uses all code values.
  ///   - bitDepth: bits in a code value.
  package init(isChroma: Bool, isFullRange: Bool, bitDepth: Int) {
    let unit = Double(UInt64(1) << UInt64(bitDepth - 8))
    let count = Double(UInt64(1) << UInt64(bitDepth))
    maximum = count - 1
    // Chroma's 0 is at half the count in both ranges, so full-range chroma cannot quite reach 0.5.
    offset = isChroma ? count / 2 : isFullRange ? 0 : 16 * unit
    scale = isFullRange ? count - 1 : (isChroma ? 224 : 219) * unit
  }

  /// Makes the quantization of a component for a matrix code point.
  ///
  /// - Parameter component: 0 for the first, 1 and 2 for the others.
  package init(
    component: Int, of matrix: MatrixCoefficients, isFullRange: Bool, bitDepth: Int
  ) {
    // Two matrices are exceptions in how the second and third component are quantized (H.273, 8.3).
    // With identity, all planes are like luma. YCgCo is computed from quantized R'G'B', so its
    // chroma has luma's scale (219 for limited range).
    let chroma = Quantization(
      isChroma: component > 0 && matrix != .identity, isFullRange: isFullRange, bitDepth: bitDepth)
    let luma = Quantization(isChroma: false, isFullRange: isFullRange, bitDepth: bitDepth)
    (offset, maximum) = (chroma.offset, chroma.maximum)
    scale = matrix == .yCgCo ? luma.scale : chroma.scale
  }

  /// Returns a signal as an exact code value, neither rounded nor limited.
  package func code(_ signal: Double) -> Double { signal * scale + offset }

  /// Returns a code value as a signal.
  package func signal(_ code: Double) -> Double { (code - offset) / scale }
}
