// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
package import MediaCore
internal import RowOperations

/// Measures the light of HDR frames on a display. A pixel's light is the largest of R, G and B
/// after HLG's OOTF (BT.2100, table 5) or PQ's EOTF (table 4).
@safe
package final class LightMeter {
  /// The unit of light levels.
  package enum Scale: Sendable {
    /// PQ's signal (SMPTE ST 2084), 0…1, as in Dolby Vision's level 1.
    case pqSignal
    /// cd/m², as in MaxCLL and MaxFALL (CTA-861.3, annex P of CTA-861).
    case luminance
  }

  private let format: PixelFormat
  private let scale: Scale
  private let kernels = InstructionSet.current.kernels
  private let operations: OperationBuffer
  private let offsets: [Float]
  private let memory: StripeMemory

  /// Makes a meter for HDR frames. Returns `nil` for other frames, and for a matrix that is not
  /// linear in R'G'B' (constant luminance, ICtCp).
  ///
  /// - Parameters:
  ///   - pictures: the format and signal of the frames, in planes of integers.
  ///   - width: luma samples in a row.
  ///   - peakLuminance: the peak luminance of the display that HLG is shown on, in cd/m².
  ///   - scale: the unit of levels.
  package init?(
    _ frames: FrameDescription, width: Int,
    peakLuminance: Double = ConversionOptions.usualPeakLuminance,
    scale: Scale = .pqSignal
  ) {
    precondition(frames.format.layout == .planar, "planes of integers")
    format = frames.format
    self.scale = scale
    memory = StripeMemory(width: width)
    let color = frames.signal.color
    let quantizations = (0..<3).map {
      Quantization(
        component: $0, of: color.matrixCoefficients,
        isFullRange: frames.signal.videoFullRangeFlag ?? false,
        bitDepth: frames.format.bitDepth)
    }
    offsets = quantizations.map { Float(-$0.offset) }
    let numbers = Matrix3x3.diagonal(Triple(quantizations.map { 1 / $0.scale }))
    guard let matrix = YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries),
      let light = Self.light(of: color, peakLuminance)
    else { return nil }
    operations = OperationBuffer(
      [TabledOperation(.affine(matrix.toRGB * numbers, .zero))] + light
        + [
          // Dolby Vision's level 1 is the mean of PQ's signals, which differs from the signal of
          // the mean light. So the light of each pixel is converted to a signal first.
          scale == .pqSignal
            ? .pqSignal(as: .largestToPQ, .full) : .norm(.maximum)
        ])
  }

  /// Returns the operations from signals to light, in units of 10 000 cd/m², or `nil` for color
  /// that is not HDR.
  private static func light(
    of color: ColorDescription, _ peakLuminance: Double
  ) -> [TabledOperation]? {
    guard let system = LightSystem(color.transferCharacteristics) else { return nil }
    let peak = system.peak(on: peakLuminance)
    let scale = peak / PQ.peakLuminance
    // Relative signals, such as HLG's, end at the display's nominal peak, so brighter signals count
    // as white.
    var operations = system.isAbsolute ? [] : [TabledOperation(RowOperation(.limit))]
    operations.append(.transfer(system.transfer, toLinear: true, .full))
    if system.hasOOTF {
      operations.append(
        .gainByPower(
          color.colorPrimaries.luminanceWeights, exponent: system.systemGamma(peak: peak) - 1,
          scale: scale, .full))
    } else if scale != 1 {
      operations.append(
        TabledOperation(.affine(.diagonal(Triple(repeating: scale)), .zero)))
    }
    return operations
  }

  /// Measures a part of a frame, which must not be empty.
  ///
  /// - Returns: the level of the darkest and of the brightest pixel, and the mean of all. Each
  ///   pixel counts with its largest component.
  package func measure(
    _ picture: PixelBuffer, columns: Range<Int>, lines: Range<Int>
  ) -> (minimum: Double, maximum: Double, mean: Double) {
    var summary = RowSummary()
    for line in lines {
      unsafe read(picture, component: 0, line: line, into: memory.row.x)
      readChroma(picture, line: line)
      unsafe operations.run(.current, memory)
      unsafe kernels.summarize(memory.result.x + columns.lowerBound, columns.count, &summary)
    }
    let unit = scale == .pqSignal ? 1 : PQ.peakLuminance
    return (
      Double(summary.minimum) * unit, Double(summary.maximum) * unit,
      summary.sum * unit / Double(max(columns.count * lines.count, 1))
    )
  }

  /// Counts the pixels of every `step`-th row of a frame, without black rows and bars.
  ///
  /// - Parameter white: PQ's signal from which light is a highlight.
  package func histogram(of picture: PixelBuffer, step: Int, white: Double) -> LightHistogram {
    precondition(scale == .pqSignal, "histograms count PQ's signal")
    let width = picture.width
    var rows: [[UInt16]] = []
    // With black bars, a frame would seem darker than what it shows. Bars have the same width on
    // both sides, so a dark edge on only one side belongs to the scene.
    var bar = width
    for line in stride(from: step / 2, to: picture.height, by: step) {
      unsafe read(picture, component: 0, line: line, into: memory.row.x)
      readChroma(picture, line: line)
      unsafe operations.run(.current, memory)
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

  /// The number of cells across and down, and the share of bright pixels from which a cell counts
  /// fully.
  private static let (cellCount, brightShare) = (16, 0.02)

  /// Returns the share of cells with pixels above a bin.
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

  private func readChroma(_ picture: PixelBuffer, line: Int) {
    let row = unsafe memory.row
    guard format.componentCount > 1 else {
      unsafe row.y.update(repeating: 0, count: row.count)
      unsafe row.z.update(repeating: 0, count: row.count)
      return
    }
    let chromaLine = line >> format.chromaSubsampling.verticalShift
    for unsafe(component, numbers) in unsafe [(1, row.y), (2, row.z)] {
      guard format.chromaSubsampling.horizontalShift == 1 else {
        unsafe read(picture, component: component, line: chromaLine, into: numbers)
        continue
      }
      unsafe read(picture, component: component, line: chromaLine, into: memory.half)
      // With these weights, nothing is interpolated: each pixel gets the chroma sample of its
      // block. Interpolation could make pixels brighter than all coded samples.
      let same = SIMD8<Float>(0, 0, 1, 0, 0, 0, 0, 0)
      unsafe kernels.interpolate(memory.half, (row.count + 1) / 2, same, same, numbers)
    }
  }

  private func read(
    _ picture: PixelBuffer, component: Int, line: Int, into numbers: UnsafeMutablePointer<Float>
  ) {
    let plane = unsafe picture.planes[component]
    let start = unsafe plane.baseAddress + line * plane.bytesPerRow
    unsafe withUnsafePointer(to: start) { row in
      unsafe withUnsafePointer(to: Float(1)) { weight in
        unsafe kernels.read(
          WeightedRows(rows: row, weights: weight, count: 1),
          SampleLayout(format, component: component), plane.width, offsets[component], numbers)
      }
    }
  }
}
