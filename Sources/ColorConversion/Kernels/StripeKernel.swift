// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore
internal import RowOperations

/// Converts a stripe of a frame: a run of chroma rows with the luma rows that belong to them.
///
/// For each row, the kernel reads samples, interpolates chroma, runs the operations and writes
/// luma. It keeps chroma numbers until a chroma row of the result can be filtered from them.
struct StripeKernel: Sendable {
  let reader: RowReader
  let writer: RowWriter
  let lines: FrameLines
  private let instructionSet: InstructionSet
  private let height: Int
  private let isPlanewise: Bool
  /// How each component's code values change, if only depth, range or layout change.
  private let requantizations: [Requantization]
  private let verticalShift: Int

  /// A chroma row of the result is filtered from the chroma numbers of its own luma rows, and of
  /// this many luma rows above them and below them.
  private static let reach = 3

  init(
    plan: ConversionPlan, width: Int, height: Int, lines: FrameLines,
    _ instructionSet: InstructionSet
  ) {
    self.lines = lines
    self.instructionSet = instructionSet
    self.height = lines.count(of: height)
    reader = RowReader(
      plan.source, width: width, height: height, lines: lines, instructionSet,
      chromaRowsReturn: plan.chromaRowsReturn)
    writer = RowWriter(plan, width: width, height: height, lines: lines, instructionSet)
    isPlanewise = plan.isPlanewise
    requantizations = (0..<3).map(plan.requantization)
    let format = plan.target.format
    verticalShift = format.chromaSubsampling.verticalShift
    chromaLineCount = lines.count(
      of: format.planeSize(verticalShift, width: width, height: height).height)
  }

  /// How many chroma rows the result has, or how many luma rows if it has no chroma.
  let chromaLineCount: Int

  /// Converts a stripe.
  ///
  /// - Parameter surroundings: the light around the frame's pixels, or `nil` if no operation needs
  ///   it.
  @unsafe
  func convert(
    _ source: PixelBuffer, into planes: [PixelBuffer.MutablePlane], chromaLines: Range<Int>,
    _ operations: OperationBuffer, _ surroundings: Surroundings?, _ memory: StripeMemory
  ) {
    let lumaLines = lumaLines(of: chromaLines)
    if isPlanewise {
      unsafe requantize(source, into: planes, lumaLines, chromaLines, memory)
      return
    }
    // Rows beyond the stripe are computed for its filters but not written.
    let reach = verticalShift == 0 ? 0 : Self.reach
    let (first, end) = (lumaLines.lowerBound - reach, lumaLines.upperBound + reach)
    var nextChroma = chromaLines.lowerBound
    // Each row goes through all steps before the next one begins, so all rows in use stay in the
    // second-level cache.
    for line in max(first, 0)..<min(end, height) {
      unsafe reader.read(source, line: line, memory)
      // Prefetch in small parts, because a processor has only a few requests open at a time.
      unsafe operations.run(instructionSet, memory) { columns in
        if let surroundings { unsafe surroundings.write(line: line, columns: columns, memory) }
        guard line + 1 < height else { return }
        unsafe reader.prefetch(source, line: line + 1, columns: columns)
        unsafe writer.prefetch(planes, line: line + 1, columns: columns)
      }
      if lumaLines.contains(line) { unsafe writer.writeLuma(planes, line: line, memory) }
      guard writer.hasChroma else { continue }
      unsafe writer.keepChroma(line: line, memory)
      while nextChroma < chromaLines.upperBound, line >= lastLine(ofChroma: nextChroma) {
        unsafe writer.writeChroma(planes, chromaLine: nextChroma, memory)
        nextChroma += 1
      }
    }
  }

  /// Returns the luma rows that belong to chroma rows.
  private func lumaLines(of chromaLines: Range<Int>) -> Range<Int> {
    let first = chromaLines.lowerBound << verticalShift
    // A field of odd height can have one luma row too many for its chroma rows.
    let end =
      chromaLines.upperBound == chromaLineCount
      ? height : min(chromaLines.upperBound << verticalShift, height)
    return first..<end
  }

  /// Returns the last luma row whose chroma numbers go into a chroma row of the result.
  private func lastLine(ofChroma line: Int) -> Int {
    min((line << verticalShift) + (verticalShift == 0 ? 0 : Self.reach + 1), height - 1)
  }

  /// Changes depth, range or layout of each component separately.
  private func requantize(
    _ source: PixelBuffer, into planes: [PixelBuffer.MutablePlane], _ lumaLines: Range<Int>,
    _ chromaLines: Range<Int>, _ memory: StripeMemory
  ) {
    for component in 0..<writer.componentCount {
      let lines = component == 0 ? lumaLines : chromaLines
      // Planes with the same layout are converted directly, without a row of numbers in between.
      if writer.canRequantize {
        unsafe writer.requantize(
          source, requantizations[component], planes, component: component, lines: lines)
        continue
      }
      for line in lines {
        unsafe reader.readCodes(
          source, requantizations[component], component: component, line: line, memory)
        unsafe writer.write(memory.row.x, planes, component: component, line: line, memory)
      }
    }
  }
}
