internal import CodePoints
internal import ColorScience
internal import MediaCore
internal import RowOperations

/// Converts a stripe of a picture: a run of chroma rows with the luma rows that belong to them.
///
/// Row by row: read, interpolate chroma, run the operations, write luma, keep the chroma numbers of
/// the last rows until a chroma row of the result can be filtered from them. All on rows that stay
/// in the second-level cache.
struct StripeKernel: Sendable {
  let reader: RowReader
  let writer: RowWriter
  let lines: PictureLines
  private let operations: OperationBuffer
  private let instructionSet: InstructionSet
  private let height: Int
  private let isPlanewise: Bool
  private let verticalShift: Int

  /// How many luma rows beyond its own a chroma row of the result is filtered from.
  private static let reach = 3

  init(
    plan: ConversionPlan, operations: OperationBuffer, width: Int, height: Int,
    lines: PictureLines, _ instructionSet: InstructionSet
  ) {
    self.lines = lines
    self.operations = operations
    self.instructionSet = instructionSet
    self.height = lines.count(of: height)
    reader = RowReader(plan, width: width, height: height, lines: lines, instructionSet)
    writer = RowWriter(plan, width: width, height: height, lines: lines, instructionSet)
    isPlanewise = plan.isPlanewise
    verticalShift = plan.target.format.chromaSubsampling.verticalShift
  }

  /// The result's chroma rows; its luma rows where it has no chroma.
  var chromaLineCount: Int { (height + (1 << verticalShift) - 1) >> verticalShift }

  /// Converts a stripe.
  @unsafe
  func convert(
    _ source: PixelBuffer, into planes: [MutablePlane], chromaLines: Range<Int>,
    _ memory: StripeMemory
  ) {
    let first = chromaLines.lowerBound << verticalShift
    let lumaLines = first..<min(chromaLines.upperBound << verticalShift, height)
    if isPlanewise {
      unsafe requantize(source, into: planes, lumaLines, chromaLines, memory)
      return
    }
    // Rows beyond the stripe are computed for its filters and not written.
    let reach = verticalShift == 0 ? 0 : Self.reach
    let needed = max(first - reach, 0)..<min(lumaLines.upperBound + reach, height)
    var nextChroma = chromaLines.lowerBound
    for line in needed {
      unsafe reader.read(source, line: line, memory)
      unsafe instructionSet.run(
        operations.operations, memory.rows, scratch: memory.scratch)
      if lumaLines.contains(line) { unsafe writer.writeLuma(planes, line: line, memory) }
      guard writer.hasChroma else { continue }
      unsafe writer.keepChroma(line: line, memory)
      while nextChroma < chromaLines.upperBound,
        line >= min((nextChroma << verticalShift) + (verticalShift == 0 ? 0 : 4), height - 1)
      {
        unsafe writer.writeChroma(planes, chromaLine: nextChroma, memory)
        nextChroma += 1
      }
    }
  }

  /// Changes depth, range or layout of each component by itself.
  private func requantize(
    _ source: PixelBuffer, into planes: [MutablePlane], _ lumaLines: Range<Int>,
    _ chromaLines: Range<Int>, _ memory: StripeMemory
  ) {
    for component in 0..<writer.componentCount {
      for line in component == 0 ? lumaLines : chromaLines {
        unsafe reader.readCodes(source, component: component, line: line, memory)
        unsafe writer.write(memory.rows.x, planes, component: component, line: line, memory)
      }
    }
  }
}

/// Operations in memory that kernels can read.
@safe
final class OperationBuffer: Sendable {
  @unsafe nonisolated(unsafe) let operations: UnsafeBufferPointer<RowOperation>
  private let tables: [any AnyObject & Sendable]

  init(_ list: OperationList) {
    tables = list.tables
    let memory = UnsafeMutableBufferPointer<RowOperation>.allocate(
      capacity: list.operations.count)
    _ = unsafe memory.initialize(fromContentsOf: list.operations)
    unsafe operations = UnsafeBufferPointer(memory)
  }

  deinit {
    unsafe operations.deallocate()
  }
}
