// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Y'cCbcCrc, whose luma is the signal of luminance itself: matrix code points 10 (BT.2020, table
/// 4) and 13 (derived from the primaries), H.273, 8.3.
///
/// R'G'B' on its outside is the ordinary signal, which is read as light as any other. Inside,
/// linear light is that of the coding function, which for the BT.709 family is the camera curve and
/// not BT.1886.
package struct ConstantLuminance: Hashable, Sendable {
  /// Largest color difference to either side; a difference is divided by it to become chroma from
  /// −0.5 to 0.5.
  package struct ChromaScale: Hashable, Sendable {
    /// The divisor of differences up to 0: `2·N` of H.273.
    package let negative: Double
    /// The divisor of differences above 0: `2·P` of H.273.
    package let positive: Double

    /// Two divisors.
    init(negative: Double, positive: Double) {
      self.negative = negative
      self.positive = positive
    }

    /// H.273: N = (1 − k)' and P = 1 − (k)' for the weight k of a component in luminance.
    init(weight: Double, transfer: ComponentTransfer) {
      negative = 2 * transfer.toSignal(1 - weight)
      positive = 2 * (1 - transfer.toSignal(weight))
    }

    /// A difference from luma as chroma.
    package func chroma(_ difference: Double) -> Double {
      difference / (difference <= 0 ? negative : positive)
    }

    /// Chroma as a difference from luma.
    package func difference(_ chroma: Double) -> Double {
      chroma * (chroma <= 0 ? negative : positive)
    }
  }

  /// The contributions of R, G and B to luminance.
  package let weights: Triple
  /// The coding function, between R'G'B' and the light whose luminance is coded.
  package let transfer: ComponentTransfer
  /// The scale of B' − Y', which becomes Cb.
  package let blueScale: ChromaScale
  /// The scale of R' − Y', which becomes Cr.
  package let redScale: ChromaScale

  /// The coding of a description whose matrix is 10 or 13; nil for other matrices, and where the
  /// transfer function or, for 13, the primaries are not known.
  package init?(_ color: ColorDescription) {
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
      // BT.2020, table 4, publishes them rounded.
      blueScale = ChromaScale(negative: 1.9404, positive: 1.5816)
      redScale = ChromaScale(negative: 1.7184, positive: 0.9936)
    } else {
      blueScale = ChromaScale(weight: weights.z, transfer: transfer)
      redScale = ChromaScale(weight: weights.x, transfer: transfer)
    }
  }

  /// R', G', B' as Y'c, Cbc, Crc.
  package func fromRGB(_ signal: Triple) -> Triple {
    let luminance = (weights * signal.componentwise(transfer.toLinear)).sum()
    let luma = transfer.toSignal(luminance)
    return Triple(luma, blueScale.chroma(signal.z - luma), redScale.chroma(signal.x - luma))
  }

  /// Y'c, Cbc, Crc as R', G', B'.
  package func toRGB(_ components: Triple) -> Triple {
    let luma = components.x
    let blue = luma + blueScale.difference(components.y)
    let red = luma + redScale.difference(components.z)
    let linear = Triple(red, luma, blue).componentwise(transfer.toLinear)
    let green = (linear.y - weights.x * linear.x - weights.z * linear.z) / weights.y
    return Triple(red, transfer.toSignal(green), blue)
  }
}
