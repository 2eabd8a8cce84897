// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

/// Every curve keeps these promises. The tests have the curves of all code points, in all readings,
/// and the curves without a code point.
@Suite struct CurvePropertyTests {
  static let curves: [ComponentTransfer] = {
    let coded = SDRCurve.all.flatMap { SDRReading.allCases.map($0.transfer) }
    return Array(Set(coded + LightSystem.all.map(\.transfer) + [.gamma(2.4), .gamma(2.6)]))
  }()

  /// Returns signals of a curve's nominal range, including negative ones if the range has any.
  private static func signals(_ curve: ComponentTransfer) -> [Double] {
    let lowest = curve.negativeScale == 0 ? 0 : -1 / curve.negativeScale
    return (0...10_000).map { lowest + (1 - lowest) * Double($0) / 10_000 }
  }

  /// Returns whether a signal is in the step that published constants leave between two pieces of a
  /// curve. The comments of the curves explain these steps.
  private static func isInStep(_ signal: Double, _ curve: ComponentTransfer) -> Bool {
    switch curve {
    case .power(let form):
      guard let toe = form.toe else { return false }
      let joint = toe.slope * toe.lightEnd
      let step = min(toe.signalEnd, joint) - 1e-5...max(form.toSignal(toe.lightEnd), joint) + 1e-5
      return step.contains(signal < 0 ? -form.negativeScale * signal : signal)
    // PQ's formula gives black, a light of 0, the signal 7.3e-7.
    case .pq: return signal <= 1e-6
    // Black and the darkest light of the range share the signal 0.
    case .formula: return signal == 0
    case .linear, .hlg: return false
    }
  }

  /// The light and the signals at which pieces of curves meet.
  private static let joints: [Double] =
    [1.0 / 12, 0.5]
    + curves.flatMap { curve -> [Double] in
      switch curve {
      case .power(let form): form.toe.map { [$0.lightEnd, $0.signalEnd] } ?? []
      case .formula(let formula): [formula.lightEdge, formula.signalEdge]
      case .linear, .pq, .hlg: []
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
      if Self.isInStep(signal, curve) { continue }
      comesBack = comesBack && abs(back - signal) < 1e-9
    }
    #expect(rises)
    #expect(comesBack)
  }

  /// No curve falls where two of its pieces meet, although published constants leave a small step
  /// between them.
  @Test(arguments: curves)
  func risesAcrossJoints(curve: ComponentTransfer) {
    for joint in Self.joints {
      for middle in [joint, -joint / 4] {
        let points = (-2000...2000).map { middle + Double($0) * 2e-7 }
        let (lights, signals) = (points.map(curve.toLinear), points.map(curve.toSignal))
        // Rounding can make a value fall by its last bit.
        let rises =
          zip(lights, lights.dropFirst()).allSatisfy { $1 >= $0 - 1e-15 }
          && zip(signals, signals.dropFirst()).allSatisfy { $1 >= $0 - 1e-15 }
        #expect(rises, "at \(middle)")
      }
    }
  }

  /// If light becomes a signal and then light again, it is the same, even in the steps between two
  /// pieces of a curve.
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
    // PQ's formula gives a signal of 7.3e-7, a twentieth of a 16-bit code value.
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

  /// Below black, a curve is mirrored and scaled by its negative scale. If that scale is 0,
  /// everything below black becomes black.
  @Test(arguments: curves)
  func numbersBelowBlack(curve: ComponentTransfer) {
    let scale = curve.negativeScale
    let (light, signal) = (curve.toLinear(-0.2), curve.toSignal(-0.2))
    if scale == 0 {
      #expect(light == curve.toLinear(0) && signal == curve.toSignal(0))
    } else {
      #expect(light == -curve.toLinear(0.2 * scale) / scale)
      #expect(signal == -curve.toSignal(0.2 * scale) / scale)
    }
  }
}
