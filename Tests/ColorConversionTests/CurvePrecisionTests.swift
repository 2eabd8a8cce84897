// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import RowOperations
import Testing

@testable import ColorConversion

/// With every instruction set, the curves of kernels match those in double precision.
@Suite struct CurvePrecisionTests {
  /// Returns the largest difference between an operation's results and those of a function, as
  /// measured by `distance`.
  private static func worst(
    _ operation: TabledOperation, _ inputs: [Float], _ function: (Double) -> Double,
    distance: (_ result: Double, _ expected: Double) -> Double
  ) -> Double {
    let buffer = OperationBuffer([operation])
    let memory = StripeMemory(width: inputs.count)
    return InstructionSet.available.map { set in
      for (index, input) in inputs.enumerated() {
        memory.row.x[index] = input
        memory.row.y[index] = -input
        memory.row.z[index] = 0
      }
      buffer.run(set, memory)
      return inputs.indices.map { index in
        distance(Double(memory.result.x[index]), function(Double(inputs[index])))
      }.max() ?? .infinity
    }.max() ?? .infinity
  }

  private static func relative(_ result: Double, _ expected: Double) -> Double {
    abs(result - expected) / max(abs(expected), 1e-30)
  }

  private static func absolute(_ result: Double, _ expected: Double) -> Double {
    abs(result - expected)
  }

  /// Returns numbers in each of these octaves, so close together that they miss no peak of a
  /// polynomial's error.
  private static func numbers(_ octaves: ClosedRange<Int>) -> [Float] {
    octaves.flatMap { octave in
      (0..<512).map { Float(sign: .plus, exponent: octave, significand: 1 + Float($0) / 512) }
    }
  }

  @Test(arguments: CurvePrecision.allCases)
  func powers(precision: CurvePrecision) {
    for gamma in [1.8, 1.961, 2.0, 2.2, 2.4, 2.6, 2.8] {
      let curve = ComponentTransfer.gamma(gamma)
      for isToLight in [true, false] {
        guard let operation = curve.operation(toLinear: isToLight, precision) else {
          Issue.record("a power has no operation")
          continue
        }
        let function = isToLight ? curve.toLinear : curve.toSignal
        let worst = Self.worst(
          operation, Self.numbers(-24...6), function, distance: Self.relative)
        #expect(worst <= (isToLight ? precision.ofLight : precision.ofSignal), "gamma \(gamma)")
      }
    }
  }

  @Test(arguments: CurvePrecision.allCases)
  func hlgLight(precision: CurvePrecision) throws {
    let operation = try #require(ComponentTransfer.hlg.operation(toLinear: true, precision))
    let worst = Self.worst(
      operation, (1...8192).map { Float($0) / 4096 / 2 * 1.2 }, ComponentTransfer.hlg.toLinear,
      distance: Self.relative)
    #expect(worst <= precision.ofHLG)
  }

  @Test(arguments: CurvePrecision.allCases)
  func pqSignals(precision: CurvePrecision) throws {
    let operation = try #require(ComponentTransfer.pq.operation(toLinear: false, precision))
    let worst = Self.worst(
      operation, Self.numbers(-40...0) + [0], ComponentTransfer.pq.toSignal,
      distance: Self.absolute)
    #expect(worst <= precision.ofPQ)
  }

  @Test(arguments: CurvePrecision.allCases)
  func toneCurves(precision: CurvePrecision) {
    for peak in [250.0, 400, 1000, 2500, 10_000] {
      for white in [0.76, 0.8, 0.84, 0.9] {
        let curve = FittedToneCurve(
          sourcePeak: peak, targetPeak: 203, shoulder: min(peak, 800), white: white)
        let operation = TabledOperation.gain(
          curve, norm: .maximum, weights: .zero, precision
        ) { curve.map($0) / $0 }
        let worst = Self.worst(
          operation, Self.numbers(-6...14), curve.map, distance: Self.relative)
        #expect(worst <= precision.ofGain, "\(peak) cd/m², white at \(white)")
      }
    }
  }
}

/// The largest errors that the table of ``CurvePrecision`` lists.
extension CurvePrecision {
  fileprivate var ofLight: Double { 4e-7 }
  fileprivate var ofSignal: Double { [.eightBits: 1.2e-4, .tenBits: 2e-5][self] ?? 4e-7 }
  fileprivate var ofHLG: Double { self == .full ? 1e-6 : 5e-6 }
  fileprivate var ofPQ: Double { self == .full ? 1e-6 : 1e-5 }
  fileprivate var ofGain: Double { [.eightBits: 6e-5, .tenBits: 1e-5][self] ?? 2e-6 }
}
