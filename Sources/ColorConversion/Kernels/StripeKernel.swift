internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Converts a stripe of a picture: a run of chroma rows with the luma rows that belong to them.
///
/// Row by row: read, interpolate chroma, run the color passes, write luma, keep the chroma numbers
/// of the last rows until a chroma row of the result can be filtered from them.
struct StripeKernel: Sendable {
  private let plan: ConversionPlan
  private let width: Int
  private let height: Int
  private let program: RowProgram
  /// For each component.
  private let readers: [SampleReader]
  private let writers: [SampleWriter]
  private let upsampler: ChromaResampler
  private let downsampler: ChromaResampler

  /// Rows whose chroma numbers are kept at once; more than any filter needs.
  private static let keptRows = 4
  private static let stripeHeight = 32

  init(plan: ConversionPlan, width: Int, height: Int) {
    self.plan = plan
    self.width = width
    self.height = height
    program = RowProgram(plan.steps)
    readers = (0..<3).map { SampleReader(plan.source, component: $0) }
    var (isFullRange, dither) = (plan.source.isFullRange, Dither.none)
    for step in plan.steps {
      if case .quantize(_, let full, let wanted) = step { (isFullRange, dither) = (full, wanted) }
    }
    writers = (0..<3).map { [isFullRange, dither] component in
      SampleWriter(plan.target, isFullRange: isFullRange, component: component, dither: dither)
    }
    let location = plan.source.chromaLocation
    upsampler = ChromaResampler(plan.source.format.chromaSubsampling, location)
    downsampler = ChromaResampler(
      plan.target.format.chromaSubsampling, plan.target.signal.chromaLocation ?? location)
  }

  /// The result's chroma rows of each stripe; its luma rows where it has no chroma.
  var stripes: [Range<Int>] {
    let shift = plan.target.format.chromaSubsampling.verticalShift
    let lines = (height + (1 << shift) - 1) >> shift
    return stride(from: 0, to: lines, by: Self.stripeHeight).map {
      $0..<min($0 + Self.stripeHeight, lines)
    }
  }

  /// Whether planes are only requantized, each by itself.
  private var isPlanewise: Bool {
    plan.source.format.componentCount == plan.target.format.componentCount
      && !plan.steps.contains { step in
        switch step {
        case .dequantize, .quantize: false
        default: true
        }
      }
  }

  /// Converts a stripe.
  @unsafe
  func convert(
    _ source: PixelBuffer, into planes: [MutablePlane], chromaLines: Range<Int>
  ) {
    if isPlanewise {
      unsafe requantize(source, into: planes, chromaLines: chromaLines)
      return
    }
    let shift = plan.target.format.chromaSubsampling.verticalShift
    let lumaLines = chromaLines.lowerBound << shift..<min(chromaLines.upperBound << shift, height)
    // Filters may reach one row beyond the stripe; such rows are computed and not written.
    let reach =
      shift == 0
      ? lumaLines : max(lumaLines.lowerBound - 1, 0)..<min(lumaLines.upperBound + 1, height)
    let work = unsafe StripeMemory(width: width, keptRows: Self.keptRows)
    defer { unsafe work.deallocate() }
    var nextChroma = chromaLines.lowerBound
    for line in reach {
      let rows = unsafe Rows(
        x: work.luma, y: work.first(line), z: work.second(line), count: width)
      unsafe read(source, line: line, into: rows, work: work)
      for stage in program.stages { unsafe stage.apply(rows, scratch: work.scratch) }
      if lumaLines.contains(line) {
        unsafe write(rows.x, planes, component: 0, line)
        if plan.target.format.layout == .halfRGBA { unsafe writeOpacity(planes[0], line) }
      }
      guard plan.target.format.componentCount > 1 else { continue }
      while nextChroma < chromaLines.upperBound {
        let taps = downsampler.taps(ofChromaLine: nextChroma, height: height)
        guard taps.allSatisfy({ $0.line <= line }) else { break }
        unsafe writeChroma(nextChroma, taps: taps, into: planes, work: work)
        nextChroma += 1
      }
    }
  }

  /// Reads a row of luma samples and the chroma samples that belong to it.
  private func read(_ source: PixelBuffer, line: Int, into rows: Rows, work: StripeMemory) {
    unsafe read(source, component: 0, line, into: rows.x)
    guard plan.source.format.componentCount > 1 else {
      // Gray: no difference of color.
      unsafe rows.y.update(repeating: 0, count: width)
      unsafe rows.z.update(repeating: 0, count: width)
      return
    }
    let size = plan.source.format.planeSize(1, width: width, height: height)
    for unsafe(component, row) in unsafe [(1, rows.y), (2, rows.z)] {
      let lines = upsampler.sources(ofLine: line, chromaHeight: size.height)
      let horizontal = plan.source.format.chromaSubsampling.horizontalShift
      let target = unsafe horizontal == 0 ? row : work.scratch
      unsafe read(source, component: component, lines.first, into: target)
      if lines.weight > 0 && lines.second != lines.first {
        unsafe read(source, component: component, lines.second, into: work.other)
        for index in 0..<size.width {
          unsafe target[index] += (work.other[index] - target[index]) * lines.weight
        }
      }
      if horizontal > 0 {
        unsafe upsampler.spread(target, count: size.width, width: width, into: row)
      }
    }
  }

  /// Reads a row of a component.
  private func read(
    _ source: PixelBuffer, component: Int, _ line: Int, into numbers: UnsafeMutablePointer<Float>
  ) {
    let place = plan.source.format.place(ofComponent: component)
    let plane = unsafe source.planes[place.plane]
    let columns = plan.source.format.planeSize(component, width: width, height: height).width
    unsafe readers[component].read(
      plane.baseAddress + line * plane.bytesPerRow + place.offset, count: columns, into: numbers)
  }

  /// Writes a row of a component.
  private func write(
    _ numbers: UnsafeMutablePointer<Float>, _ planes: [MutablePlane], component: Int, _ line: Int
  ) {
    let place = plan.target.format.place(ofComponent: component)
    let plane = unsafe planes[place.plane]
    let columns = plan.target.format.planeSize(component, width: width, height: height).width
    unsafe writers[component].write(
      numbers, count: columns, line: line,
      into: plane.baseAddress + line * plane.bytesPerRow + place.offset)
  }

  /// Makes a row of half-float RGBA opaque.
  private func writeOpacity(_ plane: MutablePlane, _ line: Int) {
    let row = unsafe (plane.baseAddress + line * plane.bytesPerRow)
      .assumingMemoryBound(to: Float16.self)
    for index in 0..<width { unsafe row[index * 4 + 3] = 1 }
  }

  /// Filters a chroma row of the result from the rows that are kept, and writes it.
  private func writeChroma(
    _ chromaLine: Int, taps: [(line: Int, weight: Float)], into planes: [MutablePlane],
    work: StripeMemory
  ) {
    for component in 1...2 {
      let sums = unsafe work.scratch
      unsafe sums.update(repeating: 0, count: width)
      for tap in taps {
        let row = unsafe component == 1 ? work.first(tap.line) : work.second(tap.line)
        for index in 0..<width { unsafe sums[index] += row[index] * tap.weight }
      }
      if plan.target.format.chromaSubsampling.horizontalShift > 0 {
        unsafe downsampler.gather(sums, width: width, into: work.other)
        unsafe write(work.other, planes, component: component, chromaLine)
      } else {
        unsafe write(sums, planes, component: component, chromaLine)
      }
    }
  }

  /// Changes depth, range or layout of each component by itself.
  private func requantize(
    _ source: PixelBuffer, into planes: [MutablePlane], chromaLines: Range<Int>
  ) {
    let work = unsafe StripeMemory(width: width, keptRows: 1)
    defer { unsafe work.deallocate() }
    let shift = plan.target.format.chromaSubsampling.verticalShift
    for component in 0..<plan.target.format.componentCount {
      let lines =
        component == 0
        ? chromaLines.lowerBound << shift..<min(chromaLines.upperBound << shift, height)
        : chromaLines
      for line in lines {
        unsafe read(source, component: component, line, into: work.luma)
        unsafe write(work.luma, planes, component: component, line)
      }
    }
    guard plan.target.format.layout == .halfRGBA else { return }
    for line in chromaLines { unsafe writeOpacity(planes[0], line) }
  }
}

/// The rows of numbers that a stripe is worked in.
@unsafe
struct StripeMemory {
  let luma: UnsafeMutablePointer<Float>
  let scratch: UnsafeMutablePointer<Float>
  let other: UnsafeMutablePointer<Float>
  private let chroma: UnsafeMutablePointer<Float>
  private let rowLength: Int
  private let keptRows: Int

  init(width: Int, keptRows: Int) {
    unsafe rowLength = (width + 15) / 16 * 16
    unsafe self.keptRows = keptRows
    let count = unsafe rowLength * (3 + 2 * keptRows)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe luma = unsafe memory
    unsafe scratch = unsafe memory + rowLength
    unsafe other = unsafe memory + 2 * rowLength
    unsafe chroma = unsafe memory + 3 * rowLength
  }

  /// The row of the first chroma component that belongs to a luma row.
  func first(_ line: Int) -> UnsafeMutablePointer<Float> {
    unsafe chroma + line % keptRows * 2 * rowLength
  }

  /// The row of the second chroma component that belongs to a luma row.
  func second(_ line: Int) -> UnsafeMutablePointer<Float> {
    unsafe first(line) + rowLength
  }

  func deallocate() {
    unsafe luma.deallocate()
  }
}
