internal import CodePoints
internal import ColorScience
public import MediaCore
internal import RowOperations

/// How bright a picture is, as PQ's signals (SMPTE ST 2084), 0…1, of each pixel's largest component.
public struct LightLevels: Hashable, Sendable {
  /// That of the darkest pixel.
  public let minimum: Double
  /// That of the brightest.
  public let maximum: Double
  /// The mean of all pixels.
  public let mean: Double
}

/// Measures the light that pictures of HLG have on a display: for each pixel the largest of R, G and
/// B behind the OOTF (BT.2100, table 5), as Dolby Vision's level 1 counts it. A pixel has the chroma
/// sample of its block; nothing is interpolated, so that nothing is brighter than what was coded.
@safe
public final class LightMeter {
  private let format: PixelFormat
  private let kernels = InstructionSet.current.kernels
  private let operations: OperationBuffer
  private let offsets: [Float]
  private let memory: StripeMemory

  /// A meter for pictures of HLG; nil for a matrix that is not linear in R'G'B' (constant luminance,
  /// ICtCp).
  ///
  /// - Parameters:
  ///   - pictures: what the pictures are, in planes of integers.
  ///   - width: luma samples in a row.
  ///   - peakLuminance: the display's, in cd/m².
  public init?(_ pictures: PictureDescription, width: Int, peakLuminance: Double = 1000) {
    precondition(pictures.format.layout == .planar, "planes of integers")
    format = pictures.format
    memory = StripeMemory(width: width)
    let color = pictures.signal.color
    let quantizations = (0..<3).map {
      Quantization(
        component: $0, of: color.matrixCoefficients,
        isFullRange: pictures.signal.videoFullRangeFlag ?? false,
        bitDepth: pictures.format.bitDepth)
    }
    offsets = quantizations.map { Float(-$0.offset) }
    let scale = Matrix3x3.diagonal(Triple(quantizations.map { 1 / $0.scale }))
    guard let matrix = YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries)
    else { return nil }
    operations = OperationBuffer([
      .affine(matrix.toRGB * scale, .zero), RowOperation(.hlgToLight),
      .gainByPower(
        color.colorPrimaries.luminanceWeights,
        exponent: HLG.systemGamma(peakLuminance: peakLuminance) - 1,
        scale: peakLuminance / PQ.peakLuminance), RowOperation(.largestToPQ),
    ])
  }

  /// Measures a part of a picture, which is not empty.
  public func measure(_ picture: PixelBuffer, columns: Range<Int>, lines: Range<Int>) -> LightLevels
  {
    var summary = RowSummary()
    for line in lines {
      unsafe read(picture, component: 0, line: line, into: memory.row.x)
      readChroma(picture, line: line)
      unsafe operations.run(.current, memory)
      unsafe kernels.summarize(memory.row.x + columns.lowerBound, columns.count, &summary)
    }
    return LightLevels(
      minimum: Double(summary.minimum), maximum: Double(summary.maximum),
      mean: summary.sum / Double(max(columns.count * lines.count, 1)))
  }

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
      // The middle one of five weights.
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
