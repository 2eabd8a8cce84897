// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import MediaCore

/// Uncertainty of light in single precision, and the size of a component below which it shows in
/// code values.
///
/// Each component of light is as precise as it is large. Mixing them for other primaries leaves all
/// as uncertain as the largest was, and curves are steep where a component is nearly nothing.
struct PrecisionDoubt {
  /// The code values that an uncertainty may move a signal by.
  private static let bound = 0.04

  /// The code values from black to white.
  private let codes: Double
  /// True if components have been mixed since they were signals.
  var isMixed = false
  /// True if components can be negative, so that what is left of their sum can be next to nothing.
  var isSigned = false
  /// Largest error of components, relative to the largest component.
  private(set) var uncertainty = 0.0

  /// No doubt yet, on the way to samples of a format. Eight bits are treated as ten, since their
  /// curves take more of what is allowed. Single precision is not promised to be enough for more
  /// than twelve, nor do half floats tell more apart than ten.
  init(_ format: PixelFormat) {
    let depth = format.layout == .halfRGBA ? 10 : min(max(format.bitDepth, 10), 12)
    codes = Double(219 << (depth - 8))
  }

  /// Signals have become light.
  mutating func read(_ transfer: ComponentTransfer) {
    isSigned = transfer.negativeScale > 0
    // If light near black is proportional to the signal, R'G'B' from Y'CbCr is a mixture of it.
    isMixed = isMixed || transfer.isStraightNearBlack
    read(uncertainty: transfer.uncertaintyOfLight)
  }

  /// Notes an operation that leaves components so uncertain, relative to themselves.
  mutating func read(uncertainty: Double) {
    self.uncertainty = max(self.uncertainty, uncertainty)
  }

  /// Light has been mixed.
  mutating func mix(_ matrix: Matrix3x3) {
    isMixed = true
    isSigned = true
    let gain = matrix.rows.map { abs($0.x) + abs($0.y) + abs($0.z) }.max() ?? 1
    uncertainty *= max(gain, 1)
  }

  /// The share of the largest component below which a component's signal is uncertain; 0 where
  /// none is. Light that is brighter than white, by HDR's peak at most, is uncertain as a whole: it
  /// has that share of its square.
  func uncertainShare(before transfer: ComponentTransfer) -> Double {
    [50, 10, 1, 0.1, 0.01, 0.001].map {
      uncertainShare(before: transfer, largest: $0) / max($0, 1)
    }.max() ?? 0
  }

  private func uncertainShare(before transfer: ComponentTransfer, largest: Double) -> Double {
    var share = 0.5
    while share > 1e-7 {
      let light = share * largest
      let movement = transfer.toSignal(light + uncertainty * largest) - transfer.toSignal(light)
      if movement * codes > Self.bound { return share }
      share *= 0.9
    }
    return 0
  }

  /// The share of the largest component below which luminance is too uncertain for a power of it
  /// that all components are multiplied by, before they become a signal; 0 where it is the sum
  /// of what is not negative, and as precise as that.
  func uncertainShareOfLuminance(exponent: Double) -> Double {
    guard isSigned else { return 0 }
    // HLG's signal is a square root at most: it moves half as much as light, relative to itself.
    return max(uncertainty, Self.leastUncertainty) * abs(exponent) / 2 * codes / Self.bound
  }

  /// The uncertainty that sums of single precision leave.
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

  /// Uncertainty of light that kernels compute, relative to itself: a signal of single precision
  /// and the light from it. PQ's light moves ten times as much as a bright signal.
  fileprivate var uncertaintyOfLight: Double {
    if self == .pq { return 2.5e-6 }
    return isTabled ? 4e-6 : 8e-7
  }
}
