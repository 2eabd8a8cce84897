// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import RowOperations
import Testing

@testable import RowKernels

/// A pixel's result depends only on its numbers, whatever the width of the run.
@Suite struct RunTests {
  /// Three rows, each aligned to 64 bytes.
  private final class Rows {
    private let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 3 * PixelRun.length * 4, alignment: 64)
    let rows: ComponentRows

    init() {
      let numbers = memory.bindMemory(to: Float.self, capacity: 3 * PixelRun.length)
      numbers.initialize(repeating: 0, count: 3 * PixelRun.length)
      rows = ComponentRows(
        x: numbers, y: numbers + PixelRun.length, z: numbers + 2 * PixelRun.length)
    }

    deinit { memory.deallocate() }
  }

  private func results(_ operation: RowOperation, _ inputs: [SIMD3<Float>]) -> [SIMD3<Float>] {
    let (source, target) = (Rows(), Rows())
    for (index, input) in inputs.enumerated() {
      (source.rows.x[index], source.rows.y[index], source.rows.z[index]) =
        (input.x, input.y, input.z)
    }
    var scratch = [Float](repeating: 0, count: PixelRun.scratchCount)
    var doubts = [Int32](repeating: 0, count: PixelRun.doubtCount)
    withUnsafePointer(to: operation) {
      run(
        $0, count: 1, from: source.rows, into: target.rows, width: inputs.count,
        scratch: &scratch, doubts: &doubts)
    }
    return inputs.indices.map {
      SIMD3(target.rows.x[$0], target.rows.y[$0], target.rows.z[$0])
    }
  }

  /// Signals of all sizes. Some are beyond 0…1, and count as 0 or 1.
  private static let signals: [SIMD3<Float>] = (0..<PixelRun.length).map { index in
    let signal = Float(index - 8) / Float(PixelRun.length - 16)
    return SIMD3(signal, 1 - signal, signal * signal)
  }

  /// Light from PQ signals matches SMPTE ST 2084, equation 4.1, in double precision.
  @Test func pqIsWhatTheStandardSays() {
    for (input, result) in zip(Self.signals, results(RowOperation(.pqToLight), Self.signals)) {
      for component in 0..<3 {
        let signal = min(max(Double(input[component]), 0), 1)
        let expected = PQ.eotf(signal) / 10_000
        #expect(abs(Double(result[component]) - expected) <= 2e-5 * expected + 1e-9)
      }
    }
  }

  @Test(arguments: [RowOperation.Kind.pqToLight, .hlgToLight, .hlgToSignal, .limit])
  func placesAndWidthsDoNotMatter(kind: RowOperation.Kind) {
    let operation = RowOperation(kind)
    let whole = results(operation, Self.signals)
    for width in [1, 2, 7, 15, 16, 17, 31, 33, 100, 511] {
      let part = Self.signals.suffix(width)
      #expect(results(operation, Array(part)) == Array(whole.suffix(width)), "width \(width)")
    }
  }

  @Test func linearMapsHaveWeightsAndAnOffset() {
    var operation = RowOperation(.affine)
    operation.map = AffineMap(
      x: SIMD4(0, 1, 0, 0.5), y: SIMD4(0.25, 0, 0.75, 0), z: SIMD4(0, 0, 0, -1))
    let inputs = [SIMD3<Float>(1, 2, 4), SIMD3(0, 0, 0), SIMD3(-1, 0.5, 8)]
    #expect(
      results(operation, inputs)
        == [SIMD3(2.5, 3.25, -1), SIMD3(0.5, 0, -1), SIMD3(1, 5.75, -1)])
  }
}
