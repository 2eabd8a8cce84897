// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience

/// Uncertainty of light in single precision, and the size of a component below which it shows in
/// code values.
///
/// Each component of light is as precise as it is large. Mixing them for other primaries leaves all
/// as uncertain as the largest was, and curves are steep where a component is nearly nothing.
struct PrecisionDoubt {
  /// The code values of 10 bits that an uncertainty may move a signal by.
  private static let bound = 0.04
  private static let codes = 876.0

  /// True if components have been mixed since they were signals.
  var isMixed = false
  /// Largest error of components, relative to the largest component.
  private(set) var uncertainty = 0.0

  /// Signals have become light.
  mutating func read(_ transfer: ComponentTransfer) {
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
      if movement * Self.codes > Self.bound { return share }
      share *= 0.9
    }
    return 0
  }
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
    return isTabled ? 6e-5 : 8e-7
  }
}
