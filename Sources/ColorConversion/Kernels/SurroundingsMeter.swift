// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import MediaCore
internal import RowOperations

/// Measures the light that a tone curve is applied to, in cells of a frame or of one of its fields.
struct SurroundingsMeter: Sendable {
  /// The cells for which light is summed up.
  let grid: CellGrid

  private let reader: RowReader
  private let instructionSet: InstructionSet
  private let width: Int
  private let height: Int

  /// Makes a meter for a plan. Returns `nil` if the plan's tone curve needs no surroundings.
  init?(
    _ plan: ConversionPlan, width: Int, height: Int, lines: FrameLines,
    _ instructionSet: InstructionSet
  ) {
    guard Self.norm(of: plan) != nil else { return nil }
    (self.width, self.height) = (width, lines.count(of: height))
    self.instructionSet = instructionSet
    grid = CellGrid(width: width, height: self.height, step: lines.step)
    reader = RowReader(
      plan.source, width: width, height: height, lines: lines, instructionSet,
      chromaRowsReturn: plan.chromaRowsReturn)
  }

  /// Returns the operations of a plan that make norms from code values, or `nil` if the plan's tone
  /// curve needs no surroundings.
  static func operations(of plan: ConversionPlan) -> OperationBuffer? {
    guard let map = plan.toneMap, let norm = norm(of: plan) else { return nil }
    // These are the conversion's own steps up to the tone curve. So the norms that are measured
    // here are the norms that the curve gets.
    var list = OperationList(plan.beforeToneMap)
    list.append(.norm(norm, weights: map.weights))
    return OperationBuffer(list)
  }

  private static func norm(of plan: ConversionPlan) -> RowOperation.Norm? {
    plan.toneMap.flatMap { $0.highlightDetail > 0 ? RowOperation.Norm($0) : nil }
  }

  /// Returns three numbers for each cell in a row of cells: how many pixels it has, the sum of
  /// their norms, and the sum of the norms' squares.
  ///
  /// - Parameters:
  ///   - operations: what makes norms from code values.
  ///   - peak: the largest norm that counts, in cd/m².
  func sums(
    _ source: PixelBuffer, row: Int, by operations: OperationBuffer, peak: Double,
    _ memory: StripeMemory
  ) -> [SIMD3<Double>] {
    var sums = [SIMD3<Double>](repeating: .zero, count: grid.columns)
    let start = row * grid.cellHeight
    for line in start..<min(start + grid.cellHeight, height) {
      unsafe reader.read(source, line: line, memory)
      unsafe operations.run(instructionSet, memory)
      for cell in 0..<grid.columns {
        let columns = cell * grid.cellWidth..<min((cell + 1) * grid.cellWidth, width)
        unsafe sums[cell] += Self.sum(memory.result.x, columns, Float(peak))
      }
    }
    return sums
  }

  private static func sum(
    _ norms: UnsafeMutablePointer<Float>, _ columns: Range<Int>, _ peak: Float
  ) -> SIMD3<Double> {
    var (sum, squares) = (Float.zero, Float.zero)
    for column in columns {
      // Above the peak, the curve's result is constant, so more light adds no texture.
      let norm = unsafe min(max(norms[column], 0), peak)
      sum += norm
      squares += norm * norm
    }
    return SIMD3(Double(columns.count), Double(sum), Double(squares))
  }
}
