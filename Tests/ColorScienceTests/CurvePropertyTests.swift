import CodePoints
import Testing

@testable import ColorScience

/// What every curve promises, over all code points, readings and the curves without a code point.
@Suite struct CurvePropertyTests {
  static let curves: [ComponentTransfer] = {
    let coded = TransferCharacteristics.names.flatMap { name in
      SDRReading.allCases.compactMap {
        ComponentTransfer(TransferCharacteristics(rawValue: name.rawValue), as: $0)
      }
    }
    return Array(Set(coded + [.gamma(2.4), .gamma(2.6)]))
  }()

  /// Signals of a curve's nominal range, with the negative ones that it has.
  private static func signals(_ curve: ComponentTransfer) -> [Double] {
    let lowest =
      switch curve {
      case .bt1361: -0.25
      default: curve.isOdd ? -1.0 : 0
      }
    return (0...10_000).map { lowest + (1 - lowest) * Double($0) / 10_000 }
  }

  /// The steps that published constants leave between two pieces, as signals; see the curves.
  private static func step(_ curve: ComponentTransfer) -> ClosedRange<Double>? {
    switch curve {
    case .bt709Camera: 0.081...0.08125
    case .bt1361(.scene): 0.02025...0.08125
    case .power(.sRGB): 0.04044...0.04046
    case .power(.smpte240M): 0.0912...0.09127
    // The formula has a signal of 7.3e-7 for no light.
    case .pq: 0...1e-6
    // No light and the darkest light of the range share the signal 0.
    case .log: 0...0
    default: nil
    }
  }

  @Test(arguments: curves)
  func risesAndComesBack(curve: ComponentTransfer) {
    var (previousLight, previousSignal) = (-Double.infinity, -Double.infinity)
    var (rises, comesBack) = (true, true)
    for signal in Self.signals(curve) {
      let light = curve.toLinear(signal)
      rises = rises && light >= previousLight
      previousLight = light
      let back = curve.toSignal(light)
      rises = rises && back >= previousSignal - 1e-15
      previousSignal = back
      if Self.step(curve)?.contains(abs(signal)) == true { continue }
      comesBack = comesBack && abs(back - signal) < 1e-9
    }
    #expect(rises)
    #expect(comesBack)
  }

  /// No curve falls where two pieces meet, which published constants miss.
  @Test(arguments: curves)
  func risesAcrossJoints(curve: ComponentTransfer) {
    // Joints of BT.709, sRGB, ST 240, HLG and the logarithms: light and signals.
    let joints = [0.018, 0.081, 0.0031308, 0.04045, 0.0228, 0.0912, 1.0 / 12, 0.5, 0.01, 0.00316]
    for joint in joints {
      for middle in [joint, -joint / 4] {
        let points = (-2000...2000).map { middle + Double($0) * 2e-7 }
        let (lights, signals) = (points.map(curve.toLinear), points.map(curve.toSignal))
        // Rounding may undo the last bit.
        let rises =
          zip(lights, lights.dropFirst()).allSatisfy { $1 >= $0 - 1e-15 }
          && zip(signals, signals.dropFirst()).allSatisfy { $1 >= $0 - 1e-15 }
        #expect(rises, "at \(middle)")
      }
    }
  }

  /// Light comes back from every curve without exception, steps included.
  @Test(arguments: curves)
  func lightComesBack(curve: ComponentTransfer) {
    var comesBack = true
    for signal in Self.signals(curve) {
      let light = curve.toLinear(signal)
      comesBack = comesBack && abs(curve.toLinear(curve.toSignal(light)) - light) < 1e-7
    }
    #expect(comesBack)
  }

  @Test(arguments: curves)
  func blackStaysBlack(curve: ComponentTransfer) {
    #expect(curve.toLinear(0) == 0)
    // PQ by its formula: 7.3e-7, a twentieth of a 16-bit code value.
    #expect(curve.toSignal(0) == 0 || curve == .pq && curve.toSignal(0) < 7.4e-7)
  }

  @Test(arguments: curves)
  func everyNumberGivesANumber(curve: ComponentTransfer) {
    let numbers = [
      0, -0.0, 1, -1, .leastNonzeroMagnitude, 1e-30, 1e30, -1e30, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]
    for number in numbers {
      #expect(abs(curve.toLinear(number)) <= 1e9)
      #expect(abs(curve.toSignal(number)) <= 1e9)
    }
    #expect(curve.toLinear(.nan) == curve.toLinear(0))
    #expect(curve.toSignal(.nan) == curve.toSignal(0))
    #expect(curve.toLinear(.infinity) >= curve.toLinear(1))
    #expect(curve.toLinear(-.infinity) <= 0)
  }

  @Test func absoluteCurvesTakeEveryNumber() {
    let display = BT1886(whiteLuminance: 100, blackLuminance: 0.1)
    for number in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      #expect(PQ.eotf(number).isFinite && PQ.inverseEOTF(number).isFinite)
      #expect(HLG.oetf(number).isFinite && HLG.inverseOETF(number).isFinite)
      #expect(display.eotf(number).isFinite && display.inverseEOTF(number).isFinite)
    }
  }

  /// Curves that say that they are odd are, and the others are not.
  @Test(arguments: curves)
  func oddness(curve: ComponentTransfer) {
    let mirrored = curve.toLinear(-0.2) == -curve.toLinear(0.2)
    #expect(mirrored == curve.isOdd)
  }
}
