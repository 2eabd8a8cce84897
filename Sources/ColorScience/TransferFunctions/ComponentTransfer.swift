public import CodePoints

/// What a transfer function does to one component: signal to linear light and back.
///
/// Linear light is display light relative to reference white (1) for standard dynamic range,
/// display light relative to 10 000 cd/m² for PQ, and scene light for HLG, which becomes display
/// light through its OOTF alone, all three components together.
public enum ComponentTransfer: Hashable, Sendable {
  /// BT.1886 with black 0: gamma 2.4, for everything that a BT.709 camera curve made.
  case bt1886
  /// The camera curve of BT.709 and BT.601 itself: light of the scene.
  case bt709Camera
  /// A pure power.
  case gamma(Double)
  /// IEC 61966-2-1.
  case sRGB
  /// SMPTE ST 240.
  case smpte240M
  /// Light itself.
  case linear
  /// A logarithm over a range of 1 : 10^decades.
  case log(decades: Double)
  /// SMPTE ST 428-1: gamma 2.6 with white at 48/52.37 of the peak.
  case smpte428
  /// SMPTE ST 2084.
  case pq
  /// BT.2100 HLG.
  case hlg

  /// The function of a code point; nil for reserved ones and for "unspecified".
  ///
  /// - Parameter reading: what is made of the code points that name BT.709's camera curve.
  public init?(_ transfer: TransferCharacteristics, as reading: SDRReading = .bt1886) {
    switch transfer {
    case .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit, .xvYCC, .bt1361:
      self = reading.transfer
    case .gamma22: self = .gamma(2.2)
    case .gamma28: self = .gamma(2.8)
    case .smpte240M: self = .smpte240M
    case .linear: self = .linear
    case .log100: self = .log(decades: 2)
    case .log316: self = .log(decades: 2.5)
    case .sRGB: self = .sRGB
    case .pq: self = .pq
    case .smpte428: self = .smpte428
    case .hlg: self = .hlg
    default: return nil
    }
  }

  /// Whether the function is of high dynamic range.
  public var isHDR: Bool { self == .pq || self == .hlg }

  /// Signal to linear light. Standard dynamic range goes on below black as an odd function.
  public func toLinear(_ signal: Double) -> Double {
    switch self {
    case .bt1886: signedPower(signal, 2.4)
    case .bt709Camera: Self.odd(signal, BT709Camera.inverseOETF)
    case .gamma(let gamma): signedPower(signal, gamma)
    case .sRGB: Self.odd(signal, Self.sRGBToLinear)
    case .smpte240M: Self.odd(signal, Self.smpte240MToLinear)
    case .linear: signal
    case .log(let decades):
      signal <= 0 ? 0 : signedPower(10, (signal - 1) * decades)
    case .smpte428: signedPower(signal, 2.6) * 52.37 / 48
    case .pq: PQ.eotf(signal) / PQ.peakLuminance
    case .hlg: HLG.inverseOETF(signal)
    }
  }

  /// Linear light to signal.
  public func toSignal(_ light: Double) -> Double {
    switch self {
    case .bt1886: signedPower(light, 1 / 2.4)
    case .bt709Camera: Self.odd(light, BT709Camera.oetf)
    case .gamma(let gamma): signedPower(light, 1 / gamma)
    case .sRGB: Self.odd(light, Self.linearToSRGB)
    case .smpte240M: Self.odd(light, Self.linearToSMPTE240M)
    case .linear: light
    case .log(let decades):
      light < signedPower(10, -decades) ? 0 : 1 + decimalLogarithm(light) / decades
    case .smpte428: signedPower(light * 48 / 52.37, 1 / 2.6)
    case .pq: PQ.inverseEOTF(light * PQ.peakLuminance)
    case .hlg: HLG.oetf(light)
    }
  }

  private static func odd(_ x: Double, _ function: (Double) -> Double) -> Double {
    x < 0 ? -function(-x) : function(x)
  }

  private static func sRGBToLinear(_ signal: Double) -> Double {
    signal <= 0.04045 ? signal / 12.92 : signedPower((signal + 0.055) / 1.055, 2.4)
  }

  private static func linearToSRGB(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * signedPower(light, 1 / 2.4) - 0.055
  }

  private static func smpte240MToLinear(_ signal: Double) -> Double {
    signal < 4 * 0.0228 ? signal / 4 : signedPower((signal + 0.1115) / 1.1115, 1 / 0.45)
  }

  private static func linearToSMPTE240M(_ light: Double) -> Double {
    light < 0.0228 ? light * 4 : 1.1115 * signedPower(light, 0.45) - 0.1115
  }
}

/// The camera curve of BT.709 (1.2) and BT.601, for scene-referred work; what such a signal shows
/// on a display is ``ComponentTransfer/bt1886``.
public enum BT709Camera {
  /// Scene light from 0 to 1 as a signal.
  public static func oetf(_ light: Double) -> Double {
    light < 0.018 ? light * 4.5 : 1.099 * signedPower(light, 0.45) - 0.099
  }

  /// A signal as scene light.
  public static func inverseOETF(_ signal: Double) -> Double {
    signal < 0.081 ? signal / 4.5 : signedPower((signal + 0.099) / 1.099, 1 / 0.45)
  }
}
