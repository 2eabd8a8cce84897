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
    let all = unsafe UnsafeBufferPointer(operations)
    guard let byDefinition else {
      unsafe instructionSet.run(all, memory.rows, scratch: memory.scratch)
      return
    }
    unsafe instructionSet.run(
      UnsafeBufferPointer(rebasing: all[..<definitionIndex]), memory.rows, scratch: memory.scratch)
    unsafe map(memory.rows, byDefinition)
    unsafe instructionSet.run(
      UnsafeBufferPointer(rebasing: all[definitionIndex...]), memory.rows, scratch: memory.scratch)
  }

  private func map(_ rows: Rows, _ gamut: GamutMap) {
    for index in unsafe 0..<rows.count {
      let color = unsafe SIMD3(rows.x[index], rows.y[index], rows.z[index])
      // What is inside stays.
      if color.min() >= 0 && color.max() <= 1 { continue }
      let result = SIMD3<Float>(gamut.map(Triple(color)))
      unsafe rows.x[index] = result.x
      unsafe rows.y[index] = result.y
      unsafe rows.z[index] = result.z
    }
  }
}
