// SPDX-License-Identifier: GPL-2.0-or-later
internal import CPrefetch
internal import CodePoints
internal import ColorScience
internal import MediaCore
internal import RowOperations

/// Reads rows of a frame as code values minus the code that means 0, with a chroma sample for each
/// luma sample.
struct RowReader: Sendable {
  private let format: PixelFormat
  private let width: Int
  private let layouts: [SampleLayout]
  /// Numbers to add to each component's code values.
  private let offsets: [Float]
  private let chroma: ChromaFilter
  private let interpolation: (even: SIMD8<Float>, odd: SIMD8<Float>)
  private let chromaWidth: Int
  private let chromaHeight: Int
  private let lines: FrameLines
  private let instructionSet: InstructionSet

  /// Makes a reader for frames of one kind and size.
  ///
  /// - Parameter chromaRowsReturn: whether the output has chroma rows at the same places as these
  ///   frames.
  init(
    _ frames: FrameDescription, width: Int, height: Int, lines: FrameLines,
    _ instructionSet: InstructionSet, chromaRowsReturn: Bool = false
  ) {
    self.width = width
    self.lines = lines
    self.instructionSet = instructionSet
    format = frames.format
    layouts = (0..<3).map { [format] in SampleLayout(format, component: $0) }
    offsets = (0..<3).map { Float(-frames.quantization(ofComponent: $0).offset) }
    let filter = ChromaFilter(frames.chromaLocation, rowsReturn: chromaRowsReturn)
    chroma = lines.step == 1 ? filter : filter.ofField(lines.first)
    interpolation = chroma.interpolation
    let size = format.planeSize(1, width: width, height: height)
    chromaWidth = size.width
    chromaHeight = lines.count(of: size.height)
  }

  /// Reads a row of pixels.
  @unsafe
  func read(_ source: PixelBuffer, line: Int, _ memory: StripeMemory) {
    let rows = unsafe memory.row
    unsafe read(source, 0, line, into: rows.x)
    guard format.componentCount > 1 else {
      // Gray frames have no color differences.
      unsafe rows.y.update(repeating: 0, count: width)
      unsafe rows.z.update(repeating: 0, count: width)
      return
    }
    for unsafe(component, row) in unsafe [(1, rows.y), (2, rows.z)] {
      if format.chromaSubsampling.horizontalShift == 0 {
        unsafe read(source, component, line, into: row)
      } else {
        unsafe readHalf(source, component, line, into: memory.half)
        unsafe instructionSet.kernels.interpolate(
          memory.half, chromaWidth, interpolation.even, interpolation.odd, row)
      }
    }
  }

  /// Prefetches the memory that columns of a row will be read from.
  @unsafe
  func prefetch(_ source: PixelBuffer, line: Int, columns: Range<Int>) {
    // Processors prefetch within a row by themselves, but do not foresee the jump to another row.
    for component in 0..<format.componentCount {
      let isBetween = component > 0 && format.chromaSubsampling == .cs420
      // Interpolated chroma comes from four rows. Prefetch the last of them, or the row after it.
      let line = isBetween ? min(line / 2 + 2, chromaHeight - 1) : line
      let start = unsafe row(source, component, line)
      let length = unsafe source.planes[format.place(ofComponent: component).plane].bytesPerRow
      unsafe prefetchMemory(start, length, columns, of: width)
    }
  }

  /// Reads a row of a component and converts its code values to another quantization.
  @unsafe
  func readCodes(
    _ source: PixelBuffer, _ requantization: Requantization, component: Int, line: Int,
    _ memory: StripeMemory
  ) {
    let (gain, offset) = requantization
    unsafe read(source, component, line, gain: gain, offset: offset, into: memory.row.x)
  }

  /// Reads a row of chroma for the vertical position of a luma row. It is half as long as that row.
  private func readHalf(
    _ source: PixelBuffer, _ component: Int, _ line: Int,
    into half: UnsafeMutablePointer<Float>
  ) {
    if format.chromaSubsampling == .cs422 {
      unsafe read(source, component, line, into: half)
    } else {
      unsafe readBetween(source, component, line, into: half)
    }
    // The filter reaches two samples beyond the edges, so the edges' samples are repeated.
    for index in 1...2 {
      unsafe half[-index] = half[0]
      unsafe half[chromaWidth - 1 + index] = half[chromaWidth - 1]
    }
  }

  /// Interpolates a row of chroma samples for the vertical position of a luma row.
  private func readBetween(
    _ source: PixelBuffer, _ component: Int, _ line: Int,
    into half: UnsafeMutablePointer<Float>
  ) {
    let (first, weights) = chroma.sources(ofLine: line)
    unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: 4) { rows in
      // Rows beyond the frame count as its first or last one.
      for index in 0..<4 {
        let line = min(max(first + index, 0), chromaHeight - 1)
        unsafe rows.initializeElement(at: index, to: row(source, component, line))
      }
      unsafe withUnsafeBytes(of: weights) { weights in
        let weights = unsafe weights.bindMemory(to: Float.self)
        guard let start = rows.baseAddress, let weight = weights.baseAddress else { return }
        unsafe instructionSet.kernels.read(
          WeightedRows(rows: start, weights: weight, count: 4), layouts[component], chromaWidth,
          offsets[component], half)
      }
    }
  }

  private func read(
    _ source: PixelBuffer, _ component: Int, _ line: Int, gain: Float = 1, offset: Float? = nil,
    into numbers: UnsafeMutablePointer<Float>
  ) {
    let columns = component == 0 ? width : chromaWidth
    unsafe withUnsafePointer(to: row(source, component, line)) { row in
      unsafe withUnsafePointer(to: gain) { weight in
        unsafe instructionSet.kernels.read(
          WeightedRows(rows: row, weights: weight, count: 1), layouts[component], columns,
          offset ?? offsets[component], numbers)
      }
    }
  }

  @unsafe
  func row(_ source: PixelBuffer, _ component: Int, _ line: Int) -> UnsafeRawPointer {
    let place = format.place(ofComponent: component)
    let plane = unsafe source.planes[place.plane]
    return unsafe plane.baseAddress + lines.line(line) * plane.bytesPerRow + place.offset
  }
}

/// Prefetches the part of a row that contains some of its columns. The row has `length` bytes for
/// `width` columns.
@unsafe
func prefetchMemory(_ row: UnsafeRawPointer, _ length: Int, _ columns: Range<Int>, of width: Int) {
  // Cache lines of today's processors have 64 bytes, so one request for each is enough.
  let end = length * columns.upperBound / width
  for offset in stride(from: length * columns.lowerBound / width, to: end, by: 64) {
    unsafe candela_prefetch(row + offset)
  }
}
