// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The transfer function of one component: from signal to linear light and back.
///
/// Linear light of 1 means reference white for standard dynamic range, and 10 000 cd/m² for PQ. For
/// HLG, it is light of the scene. The OOTF, which needs all three components, converts that to
/// display light.
///
/// Every function takes every number. NaN counts as 0. Inputs, even infinity, and results are
/// limited to a magnitude of 10⁹.
package enum ComponentTransfer: Hashable, Sendable {
  /// A power, most often with a straight piece at its dark end.
  case power(PowerForm)
  /// A formula for each direction.
  case formula(CurveFormula)
  /// The identity: a signal is light itself.
  case linear
  /// PQ of SMPTE ST 2084.
  case pq
  /// HLG of BT.2100.
  case hlg

  /// BT.1886 with a black of 0: gamma 2.4, for all signals of the BT.709 family.
  package static let bt1886 = ComponentTransfer.gamma(BT1886.gamma)

  /// The camera curve of BT.709 and BT.601 itself, for light of the scene.
  package static let bt709Camera = ComponentTransfer.power(.bt709Camera)

  /// A power without a straight piece, such as 2.2 and 2.8 of BT.470, and 2.6 of P3 cinema
  /// projectors (SMPTE RP 431-2).
  package static func gamma(_ gamma: Double) -> ComponentTransfer {
    .power(PowerForm(gamma: gamma))
  }

  /// A logarithm over a range of 1 : 10^decades.
  package static func log(decades: Double) -> ComponentTransfer {
    .formula(.logarithm(decades: decades))
  }

  /// Finds the function of a code point. Returns `nil` for reserved ones and for "unspecified".
  ///
  /// - Parameter reading: how to read the code points that name BT.709's camera curve.
  package init?(_ transfer: TransferCharacteristics, as reading: SDRReading = .bt1886) {
    // This comes first, because gammas without an H.273 number are not in the lists below.
    if let gamma = transfer.gamma {
      self = .gamma(gamma)
    } else if let system = LightSystem(transfer) {
      self = system.transfer
    } else if let curve = SDRCurve(transfer) {
      self = curve.transfer(as: reading)
    } else {
      return nil
    }
  }

  /// Below 0, the function is −f(−k · x)/k, and this is k. If k is 1, the function is odd. If k is
  /// 0, numbers below 0 count as 0.
  package var negativeScale: Double {
    switch self {
    case .power(let form): form.negativeScale
    // In linear light in floating point, colors outside of the primaries have negative components.
    case .linear: 1
    case .formula, .pq, .hlg: 0
    }
  }

  /// Maps a signal to linear light. Standard dynamic range continues below black as
  /// ``negativeScale`` says.
  package func toLinear(_ signal: Double) -> Double {
    // Input and result are both limited, because powers of the largest numbers would leave the
    // range again.
    contained(linear(of: contained(signal)))
  }

  /// Maps linear light to a signal.
  package func toSignal(_ light: Double) -> Double {
    contained(signal(of: contained(light)))
  }

  private func linear(of signal: Double) -> Double {
    switch self {
    case .power(let form): form.toLight(signal)
    case .formula(let formula): formula.toLight(signal)
    case .linear: signal
    case .pq: PQ.eotf(signal) / PQ.peakLuminance
    case .hlg: HLG.inverseOETF(signal)
    }
  }

  private func signal(of light: Double) -> Double {
    switch self {
    case .power(let form): form.toSignal(light)
    case .formula(let formula): formula.toSignal(light)
    case .linear: light
    case .pq: PQ.inverseEOTF(light * PQ.peakLuminance)
    case .hlg: HLG.oetf(light)
    }
  }
}
