// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience
package import MediaCore
internal import RowOperations

/// The level of the darkest and of the brightest pixel, and the mean of all.
package typealias LightLevels = (minimum: Double, maximum: Double, mean: Double)

/// Measures the light of HDR frames on a display. A pixel's light is the largest of R, G and B
/// after HLG's OOTF (BT.2100, table 5) or PQ's EOTF (table 4). Before that, chroma is interpolated
/// as in conversions, and R', G' and B' are limited to 0…1.
@safe
package final class LightMeter {
  /// The unit of light levels.
  package enum Scale: Sendable {
    /// PQ's signal (SMPTE ST 2084), 0…1, as in Dolby Vision's level 1.
    case pqSignal
    /// cd/m², as in MaxCLL and MaxFALL (CTA-861.3, annex P of CTA-861).
    case luminance
    /// cd/m², and the largest R, G and B separately, as in HDR10+ (SMPTE ST 2094-40). Only for PQ.
    case components
  }

  // Chroma is interpolated, because displays do so, too. If samples were repeated instead, the
  // brightest pixels at the edges of vivid colors would be missed.

  // Levels are stated in whole cd/m², and in 12 bits of PQ's signal. Curves for 10 bits are precise
  // enough for that: their error, about 1e-5 of PQ's range, is a small part of a step of 12 bits.
  private static let precision = CurvePrecision.tenBits

  private let scale: Scale
  private let size: VideoDimensions
  private let instructionSet: InstructionSet
  /// One reader for whole frames, or one for each field.
  private let readers: [RowReader]
  /// The operations from a row's components to levels; empty for PQ.
  private let operations: OperationBuffer
  /// The map from a row's components to R'G'B', if these are signals of PQ; otherwise `nil`. For
  /// PQ, the largest of a pixel's R', G' and B' is measured, so no pixel has to be converted to
  /// light.
  private let toSignals: AffineMap?
  /// Whether the meter counts PQ's signals in bins. If it does, the light of a frame is computed
  /// from these counts, not from each pixel.
  package var countsSignals: Bool { toSignals != nil && scale != .pqSignal }
  private let memory: StripeMemory

  /// Makes a meter for HDR frames. Returns `nil` for other frames, and for a matrix that is not
  /// linear in R'G'B' (constant luminance, ICtCp).
  ///
  /// - Parameters:
  ///   - frames: the format and signal of the frames, in planes of integers.
  ///   - size: luma samples in a row, and luma rows.
  ///   - peakLuminance: the peak luminance of the display that HLG is shown on, in cd/m².
  ///   - scale: the unit of levels.
  package convenience init?(
    _ frames: FrameDescription, size: VideoDimensions,
    peakLuminance: Double = ConversionOptions.usualPeakLuminance,
    scale: Scale = .pqSignal
  ) {
    self.init(
      frames, size: size, peakLuminance: peakLuminance, scale: scale, instructionSet: .current)
  }

  init?(
    _ frames: FrameDescription, size: VideoDimensions, peakLuminance: Double, scale: Scale,
    instructionSet: InstructionSet
  ) {
    precondition(frames.format.layout == .planar, "planes of integers")
    (self.scale, self.size, self.instructionSet) = (scale, size, instructionSet)
    memory = StripeMemory(width: size.width)
    readers = FrameLines.parts(
      isInterlaced: frames.isInterlaced, [frames.format], width: size.width, height: size.height
    ).map {
      RowReader(frames, width: size.width, height: size.height, lines: $0, instructionSet)
    }
    let color = frames.signal.color
    let numbers = Matrix3x3.diagonal(
      Triple((0..<3).map { 1 / frames.quantization(ofComponent: $0).scale }))
    guard let matrix = YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries),
      let system = LightSystem(color.transferCharacteristics)
    else { return nil }
    let toRGB = TabledOperation(.affine(matrix.toRGB * numbers, .zero))
    let isPQ = system.transfer == .pq && system.peak(on: peakLuminance) == PQ.peakLuminance
    guard isPQ || scale != .components else { return nil }
    toSignals = isPQ ? toRGB.operation.map : nil
    operations = OperationBuffer(
      isPQ ? [] : [toRGB] + Self.operations(system, color, peakLuminance, scale))
  }

  /// Returns the operations from signals to levels.
  private static func operations(
    _ system: LightSystem, _ color: ColorDescription, _ peakLuminance: Double, _ scale: Scale
  ) -> [TabledOperation] {
    let peak = system.peak(on: peakLuminance)
    let factor = peak / PQ.peakLuminance
    // No display shows more than a signal of 1 or less than 0. Signals beyond that range occur in
    // coded video, and next to edges, where the chroma filter overshoots. Limiting the light
    // instead of the signals has the same result and takes fewer loops.
    var light = [
      TabledOperation.transfer(system.transfer, toLinear: true, precision),
      TabledOperation(.limit(0...1)),
    ]
    if system.hasOOTF {
      light.append(
        .gainByPower(
          color.colorPrimaries.luminanceWeights, exponent: system.systemGamma(peak: peak) - 1,
          scale: factor, precision))
    } else if factor != 1 {
      light.append(TabledOperation(.affine(.diagonal(Triple(repeating: factor)), .zero)))
    }
    // The average in Dolby Vision's level 1 is the mean of PQ's signals, which differs from the
    // signal of the mean light. So the light of each pixel is converted to a signal first.
    let toSignal = scale == .pqSignal ? [TabledOperation.pqSignal(as: .firstToPQ, precision)] : []
    return light + [.norm(.maximum)] + toSignal
  }

  /// Measures a part of a frame, which must not be empty.
  ///
  /// - Returns: the level of the darkest and of the brightest pixel, and the mean of all. Each
  ///   pixel counts with its largest component.
  package func measure(
    _ picture: PixelBuffer, columns: Range<Int>, lines: Range<Int>
  ) -> LightLevels {
    if countsSignals { return distribution(of: picture, columns: columns, lines: lines).luminance }
    var summary = RowSummary()
    for line in lines {
      measure(picture, line: line, columns)
      unsafe instructionSet.kernels.summarize(
        memory.result.x + columns.lowerBound, columns.count, &summary)
    }
    let unit = scale == .pqSignal ? 1 : PQ.peakLuminance
    return Self.levels(summary, unit: unit, columns.count * lines.count)
  }

  /// Returns how the light in a part of a PQ frame is distributed.
  package func distribution(
    of picture: PixelBuffer, columns: Range<Int>, lines: Range<Int>
  ) -> LightDistribution {
    precondition(countsSignals, "a distribution needs PQ, and a scale of light")
    var distribution = LightDistribution()
    var signals = RowSummary()
    var maxima = SIMD4<Float>.zero
    for line in lines {
      measure(picture, line: line, columns, &maxima)
      let start = unsafe memory.result.x + columns.lowerBound
      unsafe instructionSet.kernels.summarize(start, columns.count, &signals)
      unsafe (memory.result.y + columns.lowerBound).withMemoryRebound(
        to: UInt32.self, capacity: columns.count
      ) { unsafe distribution.count(UnsafeBufferPointer(start: $0, count: columns.count)) }
    }
    distribution.finish(
      maximum: scale == .components ? [maxima.x, maxima.y, maxima.z] : [],
      signal: Self.levels(signals, unit: 1, columns.count * lines.count))
    return distribution
  }

  private static func levels(_ summary: RowSummary, unit: Double, _ count: Int) -> LightLevels {
    (
      Double(summary.minimum) * unit, Double(summary.maximum) * unit,
      summary.sum * unit / Double(max(count, 1))
    )
  }

  /// Counts the pixels of every `step`-th row of a frame, without black rows and bars.
  ///
  /// - Parameter white: the signal of PQ above which light is a highlight.
  package func histogram(of picture: PixelBuffer, step: Int, white: Double) -> LightHistogram {
    precondition(scale == .pqSignal, "histograms count PQ's signal")
    let width = size.width
    var rows: [[UInt16]] = []
    // If black bars counted, a frame would seem darker than its scene. Bars have the same width on
    // both sides, so a dark edge on only one side belongs to the scene.
    var bar = width
    for line in stride(from: step / 2, to: size.height, by: step) {
      measure(picture, line: line, step: step, 0..<width)
      let light = unsafe UnsafeBufferPointer(start: memory.result.x, count: width)
      guard let first = unsafe light.firstIndex(where: { $0 > Self.black }),
        let last = unsafe light.lastIndex(where: { $0 > Self.black })
      else { continue }
      bar = min(bar, first, width - 1 - last)
      unsafe rows.append(light.map(LightHistogram.bin))
    }
    var histogram = LightHistogram()
    for row in rows { for bin in row[bar..<width - bar] { histogram.add(bin: bin) } }
    let least = LightHistogram.bin(of: Float(white))
    histogram.brightCells = Self.brightCells(rows, bar..<max(width - bar, bar), above: least)
    return histogram
  }

  /// The number of cells both across and down, and the share of bright pixels at which a cell
  /// counts fully.
  private static let (cellCount, brightShare) = (16, 0.02)

  /// Returns the share of cells that have pixels above a bin. Cells with few of these pixels count
  /// in part.
  private static func brightCells(
    _ rows: [[UInt16]], _ columns: Range<Int>, above least: UInt16
  ) -> Double {
    guard !rows.isEmpty, !columns.isEmpty else { return 0 }
    var sum = 0.0
    for y in 0..<cellCount {
      let lines = rows[rows.count * y / cellCount..<rows.count * (y + 1) / cellCount]
      for x in 0..<cellCount {
        let first = columns.lowerBound + columns.count * x / cellCount
        let last = columns.lowerBound + columns.count * (x + 1) / cellCount
        let bright = lines.reduce(0) { $0 + $1[first..<last].count { $0 > least } }
        let size = max(lines.count * (last - first), 1)
        sum += min(Double(bright) / Double(size) / brightShare, 1)
      }
    }
    return sum / Double(cellCount * cellCount)
  }

  /// PQ's signal of 0.1 cd/m².
  private static let black: Float = 0.062

  /// Measures the pixels of a row, and leaves their levels in the first component of the memory's
  /// result.
  private func measure(
    _ picture: PixelBuffer, line: Int, step: Int = 1, _ columns: Range<Int>
  ) {
    var maxima = SIMD4<Float>.zero
    measure(picture, line: line, step: step, columns, &maxima)
  }

  /// Measures the pixels of a row.
  ///
  /// - Parameter maxima: the largest R', G' and B' so far. They change only for PQ.
  private func measure(
    _ picture: PixelBuffer, line: Int, step: Int = 1, _ columns: Range<Int>,
    _ maxima: inout SIMD4<Float>
  ) {
    precondition(picture.size == size, "the frame has the size that the meter was made for")
    unsafe reader(of: line).read(picture, line: line / readers.count, memory)
    let next = line + step
    // Prefetch in small parts, because a processor has only a few requests open at a time.
    func prefetch(_ columns: Range<Int>) {
      guard next < size.height else { return }
      unsafe reader(of: next).prefetch(picture, line: next / readers.count, columns: columns)
    }
    guard let toSignals else {
      unsafe operations.run(instructionSet, memory) { prefetch($0) }
      return
    }
    for start in stride(from: 0, to: size.width, by: PixelRun.length) {
      let part = start..<min(start + PixelRun.length, size.width)
      prefetch(part)
      let measured = part.clamped(to: columns)
      guard !measured.isEmpty else { continue }
      unsafe instructionSet.kernels.collectSignals(
        memory.row, measured.lowerBound, measured.upperBound, toSignals,
        Float(LightDistribution.lastBin), memory.result, &maxima)
    }
  }

  private func reader(of line: Int) -> RowReader { readers[line % readers.count] }
}
