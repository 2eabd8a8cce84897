// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Y'cCbcCrc, which has the matrix code points 10 (BT.2020, table 4) and 13 (derived from the
/// primaries) of H.273, 8.3. Its luma is the signal of luminance, the weighted sum of linear R, G
/// and B. Ordinary luma is a weighted sum of R', G' and B'.
///
/// The R'G'B' that this type takes and returns is an ordinary signal. Other code reads it as light
/// in the same way as R'G'B' from other matrices.
package struct ConstantLuminance: Hashable, Sendable {
  /// The range of a color difference. Dividing by it gives chroma from −0.5 to 0.5.
  package struct ChromaScale: Hashable, Sendable {
    /// The divisor of differences up to 0: `2·N` of H.273.
    package let negative: Double
    /// The divisor of differences above 0: `2·P` of H.273.
    package let positive: Double

    init(negative: Double, positive: Double) {
      self.negative = negative
      self.positive = positive
    }

    /// Computes both divisors for the weight k of a component in luminance.
    init(weight: Double, transfer: ComponentTransfer) {
      // H.273, 8.3: N = (1 − k)' and P = 1 − (k)'. Blue and red can be farther below luma than
      // above it, so a single divisor would waste code values.
      negative = 2 * transfer.toSignal(1 - weight)
      positive = 2 * (1 - transfer.toSignal(weight))
    }

    /// Converts a difference from luma to chroma.
    package func chroma(_ difference: Double) -> Double {
      difference / (difference <= 0 ? negative : positive)
    }

    /// Converts chroma to a difference from luma.
    package func difference(_ chroma: Double) -> Double {
      chroma * (chroma <= 0 ? negative : positive)
    }
  }

  /// How much R, G and B contribute to luminance.
  package let weights: Triple
  /// The function between R'G'B' and the light whose luminance is coded.
  package let transfer: ComponentTransfer
  /// The scale of B' − Y', which becomes Cb.
  package let blueScale: ChromaScale
  /// The scale of R' − Y', which becomes Cr.
  package let redScale: ChromaScale

  /// Finds the coding of a description whose matrix is 10 or 13. Returns `nil` for other matrices,
  /// and if the transfer function or, for 13, the primaries are unknown.
  package init?(_ color: ColorDescription) {
    // Luminance is coded by the camera curve, not by BT.1886, because BT.2020 defines it for light
    // of the scene.
    guard let transfer = ComponentTransfer(color.transferCharacteristics, as: .scene) else {
      return nil
    }
    switch color.matrixCoefficients {
    case .bt2020Constant: self.init(weights: [0.2627, 0.6780, 0.0593], transfer: transfer)
    case .derivedConstant:
      guard let weights = RGBSpace(color.colorPrimaries)?.luminanceWeights else { return nil }
      self.init(weights: weights, transfer: transfer)
    default: return nil
    }
  }

  private init(weights: Triple, transfer: ComponentTransfer) {
    self.weights = weights
    self.transfer = transfer
    if weights == [0.2627, 0.6780, 0.0593] && transfer == .bt709Camera {
      // BT.2020, table 4, has these divisors, which are rounded.
      blueScale = ChromaScale(negative: 1.9404, positive: 1.5816)
      redScale = ChromaScale(negative: 1.7184, positive: 0.9936)
    } else {
      blueScale = ChromaScale(weight: weights.z, transfer: transfer)
      redScale = ChromaScale(weight: weights.x, transfer: transfer)
    }
  }

  /// Converts R', G', B' to Y'c, Cbc, Crc.
  package func fromRGB(_ signal: Triple) -> Triple {
    let luminance = (weights * signal.componentwise(transfer.toLinear)).sum()
    let luma = transfer.toSignal(luminance)
    return Triple(luma, blueScale.chroma(signal.z - luma), redScale.chroma(signal.x - luma))
  }

  /// Converts Y'c, Cbc, Crc to R', G', B'.
  package func toRGB(_ components: Triple) -> Triple {
    let luma = components.x
    let blue = luma + blueScale.difference(components.y)
    let red = luma + redScale.difference(components.z)
    // Only green is unknown. It is the part of luminance that does not come from red and blue.
    let linear = Triple(red, luma, blue).componentwise(transfer.toLinear)
    let green = (linear.y - weights.x * linear.x - weights.z * linear.z) / weights.y
    return Triple(red, transfer.toSignal(green), blue)
  }
}
