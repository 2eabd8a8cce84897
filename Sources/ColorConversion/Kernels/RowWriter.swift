// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore
internal import RowOperations

/// Writes rows of code values as samples of a frame. Chroma samples are filtered from several rows
/// and columns.
struct RowWriter: Sendable {
  private let format: PixelFormat
  private let width: Int
  private let height: Int
  private let layouts: [SampleLayout]
  private let maxima: [Int32]
  private let dither: ConversionOptions.Dither
  /// Whether each component has its own plane in source and target, and samples are rounded
  /// independently.
  let canRequantize: Bool
  private let horizontal: SIMD8<Float>
  private let vertical: SIMD8<Float>
  private let chromaWidth: Int
  private let lines: FrameLines
  private let instructionSet: InstructionSet

  init(
    _ plan: ConversionPlan, width: Int, height: Int, lines: FrameLines,
    _ instructionSet: InstructionSet
  ) {
    self.width = width
    self.lines = lines
    self.height = lines.count(of: height)
    self.instructionSet = instructionSet
    format = plan.target.format
    dither = plan.dither
    canRequantize =
      dither != .errorDiffusion && plan.source.format.layout == .planar
      && format.layout == .planar
    layouts = (0..<3).map { [format] in SampleLayout(format, component: $0) }
    maxima = (0..<3).map { Int32(plan.targetQuantization(ofComponent: $0).maximum) }
    let filter = ChromaFilter(
      plan.target.chromaLocation(madeFrom: plan.source), rowsReturn: plan.chromaRowsReturn)
    let chroma = lines.step == 1 ? filter : filter.ofField(lines.first)
    horizontal = chroma.decimation
    vertical = chroma.verticalDecimation
    chromaWidth = format.planeSize(1, width: width, height: height).width
  }

  /// How many components are written.
  var componentCount: Int { format.componentCount }
  /// Whether there is more than luma.
  var hasChroma: Bool { format.componentCount > 1 }

  /// Writes the first component of a row.
  @unsafe
  func writeLuma(_ planes: [PixelBuffer.MutablePlane], line: Int, _ memory: StripeMemory) {
    unsafe write(memory.result.x, planes, component: 0, line: line, memory)
  }

  /// Prefetches the memory that columns of a row will be written to.
  @unsafe
  func prefetch(_ planes: [PixelBuffer.MutablePlane], line: Int, columns: Range<Int>) {
    for component in 0..<format.componentCount {
      let isHalf = component > 0 && format.chromaSubsampling == .cs420
      // Every second luma row has no chroma row of its own.
      if isHalf && line % 2 > 0 { continue }
      let plane = unsafe planes[format.place(ofComponent: component).plane]
      let row = unsafe plane.baseAddress + lines.line(isHalf ? line / 2 : line) * plane.bytesPerRow
      unsafe prefetchMemory(row, plane.bytesPerRow, columns, of: width)
    }
  }

  /// Filters the chroma numbers of a row to the target's width and keeps them.
  @unsafe
  func keepChroma(line: Int, _ memory: StripeMemory) {
    let rows = unsafe memory.result
    for unsafe(component, row) in unsafe [(1, rows.y), (2, rows.z)] {
      let kept = unsafe memory.kept(line, component: component)
      if format.chromaSubsampling.horizontalShift == 0 {
        unsafe kept.update(from: row, count: width)
      } else {
        // The filter reaches up to four samples beyond the edges, so the edges' samples are
        // repeated.
        for index in 1...4 {
          unsafe row[-index] = row[0]
          unsafe row[width - 1 + index] = row[width - 1]
        }
        unsafe instructionSet.kernels.decimate(row, chromaWidth, horizontal, kept)
      }
    }
  }

  /// Filters a chroma row from the kept rows and writes it.
  @unsafe
  func writeChroma(_ planes: [PixelBuffer.MutablePlane], chromaLine: Int, _ memory: StripeMemory) {
    for component in 1...2 {
      if format.chromaSubsampling.verticalShift == 0 {
        unsafe write(
          memory.kept(chromaLine, component: component), planes, component: component,
          line: chromaLine, memory)
        continue
      }
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: 8) { rows in
        for index in 0..<8 {
          // Rows beyond the frame count as its first or last one.
          let line = min(max(2 * chromaLine + index - 3, 0), height - 1)
          unsafe rows.initializeElement(
            at: index, to: UnsafePointer(memory.kept(line, component: component)))
        }
        guard let start = rows.baseAddress else { return }
        unsafe instructionSet.kernels.combine(start, vertical, chromaWidth, memory.half)
      }
      unsafe write(memory.half, planes, component: component, line: chromaLine, memory)
    }
  }

  /// Writes a row of a component.
  @unsafe
  func write(
    _ numbers: UnsafeMutablePointer<Float>, _ planes: [PixelBuffer.MutablePlane], component: Int,
    line: Int, _ memory: StripeMemory
  ) {
    let place = format.place(ofComponent: component)
    let plane = unsafe planes[place.plane]
    let pictureLine = lines.line(line)
    let row = unsafe plane.baseAddress + pictureLine * plane.bytesPerRow
    let target = unsafe row + place.offset
    let columns = component == 0 ? width : chromaWidth
    if dither == .errorDiffusion {
      unsafe instructionSet.kernels.diffuse(
        numbers, columns, maxima[component], layouts[component], memory.errors(component), target)
    } else {
      unsafe instructionSet.kernels.write(
        numbers, columns, thresholds(pictureLine, component), maxima[component],
        layouts[component], target)
    }
    // RGBA stores opacity between the components. It has to be set, because the memory may contain
    // anything.
    if format.layout.isRGBA && component == 0 { unsafe makeOpaque(row) }
  }

  /// Converts rows of a component to another depth or range. The component has its own plane.
  @unsafe
  func requantize(
    _ source: PixelBuffer, _ quantization: (gain: Float, offset: Float),
    _ planes: [PixelBuffer.MutablePlane], component: Int, lines rows: Range<Int>
  ) {
    let (from, to) = unsafe (source.planes[component], planes[component])
    let (columns, maximum) = (component == 0 ? width : chromaWidth, maxima[component])
    let (haveBytes, wantBytes) = (source.format.bytesPerSample == 1, format.bytesPerSample == 1)
    // Looked up once, so that no row needs reference counting or an allocation.
    let requantize = unsafe instructionSet.kernels.requantize
    for line in rows {
      let line = lines.line(line)
      unsafe requantize(
        from.baseAddress + line * from.bytesPerRow, haveBytes, columns, quantization.gain,
        quantization.offset, thresholds(line, component), maximum, wantBytes,
        to.baseAddress + line * to.bytesPerRow)
    }
  }

  /// Returns the numbers to add to a row's code values before they are rounded.
  private func thresholds(_ pictureLine: Int, _ component: Int) -> UnsafePointer<Float> {
    dither == .none
      ? unsafe BlueNoise.zeros
      : unsafe BlueNoise.thresholds + BlueNoise.start(ofLine: pictureLine, component: component)
  }

  /// Makes the pixels of a row opaque.
  private func makeOpaque(_ row: UnsafeMutableRawPointer) {
    if format.layout == .halfRGBA {
      unsafe fillOpacity(of: row, with: Float16(1))
    } else if format.bytesPerSample == 1 {
      unsafe fillOpacity(of: row, with: UInt8.max)
    } else {
      unsafe fillOpacity(of: row, with: UInt16.max)
    }
  }

  private func fillOpacity<Number>(of row: UnsafeMutableRawPointer, with opacity: Number) {
    let numbers = unsafe row.assumingMemoryBound(to: Number.self)
    for index in 0..<width { unsafe numbers[index * 4 + 3] = opacity }
  }
}
