// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Transfer function of one component: signal to linear light and back.
///
/// Linear light is display light relative to reference white (1) for standard dynamic range,
/// display light relative to 10 000 cd/m² for PQ, and scene light for HLG, which becomes display
/// light through its OOTF alone, all three components together.
///
/// Every function is defined for every number: NaN counts as 0, and neither what comes in nor what
/// goes out exceeds a magnitude of 10⁹, infinities included.
package enum ComponentTransfer: Hashable, Sendable {
  /// A power, most often with a straight piece at its dark end.
  case power(PowerForm)
  /// A formula for each direction.
  case formula(CurveFormula)
  /// Light itself.
  case linear
  /// SMPTE ST 2084.
  case pq
  /// BT.2100 HLG.
  case hlg

  /// BT.1886 with black 0: gamma 2.4, for everything that a BT.709 camera curve made.
  package static let bt1886 = ComponentTransfer.gamma(BT1886.gamma)

  /// The camera curve of BT.709 and BT.601 itself: light of the scene.
  package static let bt709Camera = ComponentTransfer.power(.bt709Camera)

  /// A plain power: 2.2 and 2.8 of BT.470, 2.6 of P3 cinema projectors (SMPTE RP 431-2).
  package static func gamma(_ gamma: Double) -> ComponentTransfer {
    .power(PowerForm(gamma: gamma))
  }

  /// A logarithm over a range of 1 : 10^decades.
  package static func log(decades: Double) -> ComponentTransfer {
    .formula(.logarithm(decades: decades))
  }

  /// The function of a code point; nil for reserved ones and for "unspecified".
  ///
  /// - Parameter reading: the reading of the code points that name BT.709's camera curve.
  package init?(_ transfer: TransferCharacteristics, as reading: SDRReading = .bt1886) {
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

  /// Scale of the function below 0: k for −f(−k · x)/k, so that 1 makes it odd; 0 where numbers
  /// below 0 count as 0.
  package var negativeScale: Double {
    switch self {
    case .power(let form): form.negativeScale
    case .linear: 1
    case .formula, .pq, .hlg: 0
    }
  }

  /// Signal to linear light. Standard dynamic range goes on below black as ``negativeScale`` says.
  package func toLinear(_ signal: Double) -> Double {
    contained(linear(of: contained(signal)))
  }

  /// Linear light to signal.
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
