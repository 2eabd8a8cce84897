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
    /// R, G and B each, as in HDR10+ (SMPTE ST 2094-40).
    case components
  }

  // Displays interpolate chroma as well. If samples were repeated instead, the brightest pixels at
  // the edges of vivid colors would be missed.

  private let scale: Scale
  private let size: VideoDimensions
  private let instructionSet: InstructionSet
  /// Readers for the frame, or for each of its fields.
  private let readers: [RowReader]
  private let operations: OperationBuffer
  /// The operations from components to the largest one, and from that to light, if each component
  /// counts.
  private let largest: OperationBuffer
  private let later: OperationBuffer
  /// Whether the components are still signals of PQ before the later operations.
  private let areSignals: Bool
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
    // No display shows more than a signal of 1 or less than 0. Both occur in coded video and next
    // to edges, because the chroma filter overshoots there.
    let signal = [
      TabledOperation(.affine(matrix.toRGB * numbers, .zero)), TabledOperation(.limit(0...1)),
    ]
    let isPQ = system.transfer == .pq && system.peak(on: peakLuminance) == PQ.peakLuminance
    let (own, later) =
      isPQ ? Self.operationsOfPQ(scale) : Self.operations(system, color, peakLuminance, scale)
    operations = OperationBuffer(signal + own)
    largest = OperationBuffer([TabledOperation.norm(.maximum)])
    self.later = OperationBuffer(later)
    areSignals = isPQ && scale == .components
  }

  /// Returns the operations from limited signals of PQ to levels. If each component counts, the
  /// later ones are for the largest component.
  private static func operationsOfPQ(
    _ scale: Scale
  ) -> (own: [TabledOperation], later: [TabledOperation]) {
    // The largest component has the largest signal, so the others need no light.
    let toLight = TabledOperation(RowOperation(.largestPQToLight))
    switch scale {
    case .pqSignal: return ([TabledOperation.norm(.maximum)], [])
    case .luminance: return ([toLight], [])
    case .components: return ([], [toLight])
    }
  }

  /// Returns the operations from limited signals to levels. If each component counts, the later
  /// ones are for the largest component.
  private static func operations(
    _ system: LightSystem, _ color: ColorDescription, _ peakLuminance: Double, _ scale: Scale
  ) -> (own: [TabledOperation], later: [TabledOperation]) {
    let peak = system.peak(on: peakLuminance)
    let factor = peak / PQ.peakLuminance
    var light = [TabledOperation.transfer(system.transfer, toLinear: true, .full)]
    if system.hasOOTF {
      light.append(
        .gainByPower(
          color.colorPrimaries.luminanceWeights, exponent: system.systemGamma(peak: peak) - 1,
          scale: factor, .full))
    } else if factor != 1 {
      light.append(TabledOperation(.affine(.diagonal(Triple(repeating: factor)), .zero)))
    }
    switch scale {
    // Dolby Vision's level 1 is the mean of PQ's signals, which differs from the signal of the
    // mean light. So the light of each pixel is converted to a signal first.
    case .pqSignal: return (light + [TabledOperation.pqSignal(as: .largestToPQ, .full)], [])
    case .luminance: return (light + [TabledOperation.norm(.maximum)], [])
    case .components: return (light, [])
    }
  }

  /// Measures a part of a frame, which must not be empty.
  ///
  /// - Returns: the level of the darkest and of the brightest pixel, and the mean of all. Each
  ///   pixel counts with its largest component.
  package func measure(
    _ picture: PixelBuffer, columns: Range<Int>, lines: Range<Int>
  ) -> LightLevels {
    var summary = RowSummary()
    for line in lines {
      measure(picture, line: line)
      unsafe instructionSet.kernels.summarize(
        memory.result.x + columns.lowerBound, columns.count, &summary)
    }
    let unit = scale == .pqSignal ? 1 : PQ.peakLuminance
    return Self.levels(summary, unit: unit, columns.count * lines.count)
  }

  /// Returns how the light of a part of a frame is distributed.
  package func distribution(
    of picture: PixelBuffer, columns: Range<Int>, lines: Range<Int>
  ) -> LightDistribution {
    precondition(scale == .components, "a distribution needs R, G and B")
    var distribution = LightDistribution()
    var (red, green, blue) = (RowSummary(), RowSummary(), RowSummary())
    var (signals, light) = (RowSummary(), RowSummary())
    for line in lines {
      measure(picture, line: line)
      let (start, count) = (columns.lowerBound, columns.count)
      let result = unsafe memory.result
      unsafe instructionSet.kernels.summarize(result.x + start, count, &red)
      unsafe instructionSet.kernels.summarize(result.y + start, count, &green)
      unsafe instructionSet.kernels.summarize(result.z + start, count, &blue)
      unsafe largest.continued(instructionSet, memory)
      if areSignals {
        unsafe instructionSet.kernels.summarize(result.x + start, count, &signals)
        unsafe later.continued(instructionSet, memory)
      }
      unsafe instructionSet.kernels.summarize(result.x + start, count, &light)
      unsafe distribution.count(UnsafeBufferPointer(start: result.x + start, count: count))
    }
    let pixelCount = columns.count * lines.count
    distribution.state(
      maximum: [red, green, blue].map { row in
        let maximum = Double(row.maximum)
        return areSignals ? PQ.eotf(maximum) / PQ.peakLuminance : maximum
      },
      signal: areSignals ? Self.levels(signals, unit: 1, pixelCount) : nil,
      luminance: Self.levels(light, unit: PQ.peakLuminance, pixelCount))
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
  /// - Parameter white: PQ's signal from which light is a highlight.
  package func histogram(of picture: PixelBuffer, step: Int, white: Double) -> LightHistogram {
    precondition(scale == .pqSignal, "histograms count PQ's signal")
    let width = size.width
    var rows: [[UInt16]] = []
    // With black bars, a frame would seem darker than what it shows. Bars have the same width on
    // both sides, so a dark edge on only one side belongs to the scene.
    var bar = width
    for line in stride(from: step / 2, to: size.height, by: step) {
      measure(picture, line: line)
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

  /// Measures the pixels of a row. Their levels are the first components of the memory's result.
  private func measure(_ picture: PixelBuffer, line: Int) {
    precondition(picture.size == size, "the frame is of the size that was named")
    let reader = readers[line % readers.count]
    unsafe reader.read(picture, line: line / readers.count, memory)
    unsafe operations.run(instructionSet, memory)
  }
}
