// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// Keeps operations, and the tables they point to, in memory that kernels can read.
@safe
final class OperationBuffer: Sendable {
  nonisolated(unsafe) private let operations: UnsafeMutableBufferPointer<RowOperation>
  private let tables: [any AnyObject & Sendable]
  private let definition: PixelDefinition?

  convenience init(_ list: OperationList) {
    self.init(list.operations, tables: list.tables, definition: list.definition)
  }

  convenience init(_ list: [TabledOperation]) {
    self.init(list.map(\.operation), tables: list.flatMap(\.tables))
  }

  /// - Parameters:
  ///   - tables: the tables that operations point to.
  ///   - definition: computes the pixels that operations mark as doubtful.
  init(
    _ list: [RowOperation], tables: [any AnyObject & Sendable] = [],
    definition: PixelDefinition? = nil
  ) {
    // Kernels list doubtful pixels without checking whether the list is full.
    precondition(PixelRun.holds(list), "too many operations for the list of doubtful pixels")
    self.tables = tables
    self.definition = definition
    unsafe operations = .allocate(capacity: list.count)
    _ = unsafe operations.initialize(fromContentsOf: list)
  }

  deinit {
    unsafe operations.deallocate()
  }

  /// Runs the operations on a row of pixels. Pixels that are in doubt (too uncertain in single
  /// precision) are computed again with `definition`.
  ///
  /// - Parameter prepare: called before each run of pixels, with its columns.
  @unsafe
  func run(
    _ instructionSet: InstructionSet, _ memory: StripeMemory,
    prepare: (Range<Int>) -> Void = { _ in }
  ) {
    guard let first = unsafe operations.baseAddress else { return }
    // Each run of pixels goes through all operations before the next run begins, so that its
    // numbers stay in the first-level cache.
    for start in stride(from: 0, to: memory.width, by: PixelRun.length) {
      let count = min(PixelRun.length, memory.width - start)
      let originals = unsafe memory.row.advanced(by: start)
      let rows = unsafe memory.result.advanced(by: start)
      prepare(start..<start + count)
      unsafe memory.doubts[0] = 0
      unsafe instructionSet.kernels.run(
        first, operations.count, originals, rows, count, memory.scratch, memory.doubts)
      if let definition { unsafe settle(rows, originals, memory, definition) }
    }
  }

  private func settle(
    _ rows: ComponentRows, _ originals: ComponentRows, _ memory: StripeMemory,
    _ definition: PixelDefinition
  ) {
    // In most frames, only a few pixels are in doubt, so the slow definition costs little.
    guard unsafe memory.doubts[0] > 0 else { return }
    for doubt in unsafe 1...Int(memory.doubts[0]) {
      let index = unsafe Int(memory.doubts[doubt])
      let result = unsafe definition(
        Triple(
          Double(originals.x[index]), Double(originals.y[index]), Double(originals.z[index])),
        memory.shift(index))
      unsafe rows.x[index] = Float(result.x)
      unsafe rows.y[index] = Float(result.y)
      unsafe rows.z[index] = Float(result.z)
    }
  }
}

extension ComponentRows {
  fileprivate func advanced(by count: Int) -> ComponentRows {
    unsafe ComponentRows(x: x + count, y: y + count, z: z + count)
  }
}
