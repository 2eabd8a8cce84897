// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import MediaCore

// Each component of light has an error in proportion to the component. A change of primaries mixes
// the components, and then each of them has about the error of the largest. For a component that is
// nearly 0, that error is large, and the curve to the signal, which is steep there, magnifies it.

/// How uncertain light is in single precision, and how small a component must be for this to show
/// in code values.
struct PrecisionDoubt {
  /// The number of code values by which an uncertainty may move a signal.
  private static let bound = 0.04

  /// How many code values there are from black to white.
  private let codes: Double
  /// Whether small components may be uncertain, because light, or signals in proportion to it, were
  /// mixed. It becomes `false` again once such components were taken care of.
  var isMixed = false
  /// Whether components can be negative, so that they can nearly cancel out in a sum.
  var isSigned = false
  /// The largest error of components, relative to the largest component.
  private(set) var uncertainty = 0.0

  /// Makes the state before the first step of a conversion to a format: nothing is uncertain.
  init(_ format: PixelFormat) {
    // The curves for eight bits already use up more of the allowed error. So eight bits count as
    // ten, and uncertainty may move signals only a quarter as far. More than twelve bits count as
    // twelve, because we do not promise that single precision is enough for more. Half floats
    // distinguish no more values than ten bits do.
    let depth = format.layout == .halfRGBA ? 10 : min(max(format.bitDepth, 10), 12)
    codes = Double(219 << (depth - 8))
  }

  /// Notes that signals have become light.
  mutating func read(_ transfer: ComponentTransfer) {
    isSigned = transfer.negativeScale > 0
    // If the curve is straight near black, light is proportional to the signal there. So Y'CbCr,
    // which mixes signals, has mixed light as well.
    isMixed = isMixed || transfer.isStraightNearBlack
    read(uncertainty: transfer.uncertaintyOfLight)
  }

  /// Notes the relative uncertainty that an operation leaves in components.
  mutating func read(uncertainty: Double) {
    self.uncertainty = max(self.uncertainty, uncertainty)
  }

  /// Notes that light has been mixed.
  mutating func mix(_ matrix: Matrix3x3) {
    isMixed = true
    isSigned = true
    // Components may cancel out in a sum, but their errors add up.
    let gain = matrix.rows.map { abs($0.x) + abs($0.y) + abs($0.z) }.max() ?? 1
    uncertainty *= max(gain, 1)
  }

  /// Returns the share of the largest component below which a component's signal is uncertain, or 0
  /// if no component's signal is.
  func uncertainShare(before transfer: ComponentTransfer) -> Double {
    // If the largest component is above 1 (brighter than white, up to HDR's peak), `doubtSmall`
    // multiplies the share by that component twice, not once. So the share is divided by it here.
    [50, 10, 1, 0.1, 0.01, 0.001].map {
      uncertainShare(before: transfer, largest: $0, uncertainty) / max($0, 1)
    }.max() ?? 0
  }

  /// Returns the limit of the uncertain share in the dark, as a factor: if the largest component is
  /// small, the share is at most this factor times that component.
  ///
  /// - Parameter source: the curve that light was read by. Light must not have been scaled since.
  func slopeOfShare(
    before transfer: ComponentTransfer, after source: ComponentTransfer
  ) -> Double {
    let mixing = uncertainty / source.uncertaintyOfLight
    return sequence(first: 1.0) { $0 > 1e-12 ? $0 / 2 : nil }.map { largest in
      // In the dark, light is less certain if its signal is a sum, because the signal then has the
      // rounding errors of what was added.
      let moved = source.toLinear(source.toSignal(largest) + Self.leastUncertainty) - largest
      let uncertainty = mixing * max(source.uncertaintyOfLight, moved / largest)
      return uncertainShare(before: transfer, largest: largest, uncertainty) / largest
    }.max() ?? 0
  }

  private func uncertainShare(
    before transfer: ComponentTransfer, largest: Double, _ uncertainty: Double
  ) -> Double {
    var share = 0.5
    while share > 1e-7 {
      let light = share * largest
      let movement = transfer.toSignal(light + uncertainty * largest) - transfer.toSignal(light)
      if movement * codes > Self.bound { return share }
      share *= 0.9
    }
    return 0
  }

  /// Returns the share of the largest component below which luminance is too uncertain, or 0 if
  /// luminance is always precise enough. Before components become a signal, they are multiplied by
  /// a power of luminance, which has this exponent.
  func uncertainShareOfLuminance(exponent: Double) -> Double {
    // A sum is as precise as its parts if none of them is negative.
    guard isSigned else { return 0 }
    // HLG's signal rises at most like a square root, so in relative terms, it changes at most half
    // as much as light.
    return max(uncertainty, Self.leastUncertainty) * abs(exponent) / 2 * codes / Self.bound
  }

  /// The least uncertainty of sums in single precision.
  private static let leastUncertainty = 2.4e-7
}

extension ComponentTransfer {
  fileprivate var isStraightNearBlack: Bool {
    switch self {
    case .linear: true
    case .power(let form): form.toe != nil
    case .formula, .pq, .hlg: false
    }
  }

  /// The relative uncertainty of the light that kernels compute.
  fileprivate var uncertaintyOfLight: Double {
    // In bright parts of PQ, light changes ten times as much as the signal, in relative terms.
    if self == .pq { return 2.5e-6 }
    return isTabled ? 4e-6 : 8e-7
  }
}
