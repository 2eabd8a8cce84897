// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import RowOperations
import Testing

@testable import RowKernels

/// A pixel's result depends only on its own values, not on its place or on the width of the run.
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

  /// Signals of all sizes. Those beyond 0…1 count as 0 or 1.
  private static let signals: [SIMD3<Float>] = (0..<PixelRun.length).map { index in
    let signal = Float(index - 8) / Float(PixelRun.length - 16)
    return SIMD3(signal, 1 - signal, signal * signal)
  }

  /// Light from PQ signals is within 0.002 % of SMPTE ST 2084, equation 4.1, computed in double
  /// precision.
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

  private static func softCompression() throws -> (definition: GamutCompression, RowOperation) {
    let target = try #require(RGBSpace(.bt709))
    let definition = GamutCompression(from: .bt2020, to: target, isSoft: true)
    let dimming = try #require(definition.dimming)
    func map(_ matrix: Matrix3x3) -> AffineMap {
      let rows = matrix.rows.map { SIMD4<Float>(SIMD4($0, 0)) }
      return AffineMap(x: rows[0], y: rows[1], z: rows[2])
    }
    var operation = RowOperation(.compressGamutSoftly)
    operation.compression.knee = Float(GamutCompression.knee)
    operation.compression.bends = .init(definition.bends)
    operation.compression.softness = Float(HighlightDimming.softness)
    operation.compression.restored = Float(HighlightDimming.restored)
    operation.compression.toLMS = map(dimming.toLMS)
    operation.compression.fromLMS = map(dimming.fromLMS)
    return (definition, operation)
  }

  /// Colors of BT.2020 up to 1.5 times white: grays, pure colors and all between.
  private static func brightColors() throws -> [SIMD3<Float>] {
    let toTarget = RGBSpace.bt2020.matrix(to: try #require(RGBSpace(.bt709)))
    return (0..<PixelRun.length).map { index in
      let (red, green, blue) = (index % 5, index / 5 % 5, index / 25 % 5)
      let light = 0.3 * Double(1 + index / 125)
      return SIMD3<Float>(
        toTarget * (Triple(Double(red), Double(green), Double(blue)) / 4 * light))
    }
  }

  /// Dimmed and whitened colors differ from their definition by a tenth of a 10-bit code value at
  /// most.
  @Test func softCompressionIsWhatIsDefined() throws {
    let (definition, operation) = try Self.softCompression()
    let colors = try Self.brightColors()
    for (color, result) in zip(colors, results(operation, colors)) {
      let expected = definition.map(Triple(color))
      for component in 0..<3 {
        let signals = [Double(result[component]), expected[component]].map {
          876 * ComponentTransfer.gamma(2.4).toSignal($0)
        }
        #expect(abs(signals[0] - signals[1]) <= 0.1, "\(color) to \(result), not \(expected)")
      }
    }
  }

  /// Dark and bright pixels are computed in different loops, but it makes no difference which
  /// pixels share a register.
  @Test func neighborsOfDimmedPixelsDoNotMatter() throws {
    let (_, operation) = try Self.softCompression()
    let colors = try Self.brightColors()
    let whole = results(operation, colors)
    #expect(results(operation, colors.reversed()) == whole.reversed())
    for width in [1, 3, 130] {
      #expect(results(operation, Array(colors.suffix(width))) == whole.suffix(width))
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
