internal import ColorScience
internal import RowOperations

/// Operations in memory that kernels can read.
@safe
final class OperationBuffer: Sendable {
  nonisolated(unsafe) private let operations: UnsafeMutableBufferPointer<RowOperation>
  private let tables: [any AnyObject & Sendable]
  private let byDefinition: GamutMap?
  private let definitionIndex: Int

  init(_ list: OperationList) {
    tables = list.tables
    byDefinition = list.byDefinition
    definitionIndex = list.definitionIndex
    unsafe operations = .allocate(capacity: list.operations.count)
    _ = unsafe operations.initialize(fromContentsOf: list.operations)
  }

  deinit {
    unsafe operations.deallocate()
  }

  /// Runs the operations on a row of pixels, in place.
  @unsafe
  func run(_ instructionSet: InstructionSet, _ memory: StripeMemory) {
    guard let byDefinition else {
      unsafe run(0..<operations.count, instructionSet, memory)
      return
    }
    run(0..<definitionIndex, instructionSet, memory)
    unsafe map(memory.row, byDefinition)
    unsafe run(definitionIndex..<operations.count, instructionSet, memory)
  }

  private func run(
    _ range: Range<Int>, _ instructionSet: InstructionSet, _ memory: StripeMemory
  ) {
    guard let start = unsafe operations.baseAddress, !range.isEmpty else { return }
    let row = unsafe memory.row
    unsafe instructionSet.kernels.run(
      start + range.lowerBound, range.count, row.x, row.y, row.z, row.count, memory.scratch)
  }

  private func map(_ row: PixelRow, _ gamut: GamutMap) {
    for index in unsafe 0..<row.count {
      let color = unsafe SIMD3(row.x[index], row.y[index], row.z[index])
      // What is inside stays.
      if color.min() >= 0 && color.max() <= 1 { continue }
      let result = SIMD3<Float>(gamut.map(Triple(color)))
      unsafe row.x[index] = result.x
      unsafe row.y[index] = result.y
      unsafe row.z[index] = result.z
    }
  }
}
