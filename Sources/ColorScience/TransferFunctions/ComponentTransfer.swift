package import CodePoints

/// What a transfer function does to one component: signal to linear light and back.
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
  /// The extended color gamut of BT.1361 (historical), which squeezes negative light by 4: signals
  /// from −0.25 stand for light from −0.25, by the same curve (H.273, table 3, value 12). The
  /// camera curve is read like BT.709's; what is read for positive signals holds for the squeezed
  /// ones too, so that BT.1886 takes the camera curve's place on both sides.
  case bt1361(SDRReading)
  /// Light itself.
  case linear
  /// A logarithm over a range of 1 : 10^decades. What is darker than the range has the signal 0,
  /// and the signal 0 is black.
  case log(decades: Double)
  /// SMPTE ST 2084.
  case pq
  /// BT.2100 HLG.
  case hlg

  /// BT.1886 with black 0: gamma 2.4, for everything that a BT.709 camera curve made.
  package static let bt1886 = ComponentTransfer.gamma(2.4)

  /// The camera curve of BT.709 and BT.601 itself: light of the scene.
  package static let bt709Camera = ComponentTransfer.power(.bt709Camera)

  /// A plain power: 2.2 and 2.8 of BT.470, 2.6 of P3 cinema projectors (SMPTE RP 431-2).
  package static func gamma(_ gamma: Double) -> ComponentTransfer {
    .power(PowerForm(gamma: gamma))
  }

  /// The function of a code point; nil for reserved ones and for "unspecified".
  ///
  /// - Parameter reading: what is made of the code points that name BT.709's camera curve.
  package init?(_ transfer: TransferCharacteristics, as reading: SDRReading = .bt1886) {
    if let gamma = transfer.gamma {
      self = .gamma(gamma)
      return
    }
    switch transfer {
    case .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit, .xvYCC:
      self = reading.transfer
    case .bt1361: self = .bt1361(reading)
    case .gamma22: self = .gamma(2.2)
    case .gamma28: self = .gamma(2.8)
    case .smpte240M: self = .power(.smpte240M)
    case .linear: self = .linear
    case .log100: self = .log(decades: 2)
    case .log316: self = .log(decades: 2.5)
    case .sRGB: self = .power(.sRGB)
    case .pq: self = .pq
    case .smpte428: self = .power(.smpte428)
    case .hlg: self = .hlg
    default: return nil
    }
  }

  /// True if the function is of high dynamic range.
  package var isHDR: Bool { self == .pq || self == .hlg }

  /// True if the function goes on below black as an odd one: f(−x) = −f(x). The others have no
  /// negative values, or squeeze them (BT.1361).
  package var isOdd: Bool {
    switch self {
    case .pq, .hlg, .log, .bt1361: false
    default: true
    }
  }

  /// Signal to linear light. Standard dynamic range goes on below black, as an odd function but
  /// for BT.1361.
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
    case .bt1361(let reading):
      signal < 0
        ? -reading.transfer.linear(of: -4 * signal) / 4 : reading.transfer.linear(of: signal)
    case .linear: signal
    case .log(let decades):
      signal <= 0 ? 0 : signedPower(10, (signal - 1) * decades)
    case .pq: PQ.eotf(signal) / PQ.peakLuminance
    case .hlg: HLG.inverseOETF(signal)
    }
  }

  private func signal(of light: Double) -> Double {
    switch self {
    case .power(let form): form.toSignal(light)
    case .bt1361(let reading):
      light < 0
        ? -reading.transfer.signal(of: -4 * light) / 4 : reading.transfer.signal(of: light)
    case .linear: light
    case .log(let decades):
      light < signedPower(10, -decades) ? 0 : 1 + decimalLogarithm(light) / decades
    case .pq: PQ.inverseEOTF(light * PQ.peakLuminance)
    case .hlg: HLG.oetf(light)
    }
  }
}
