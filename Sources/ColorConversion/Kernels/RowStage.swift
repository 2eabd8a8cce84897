internal import ColorScience

/// Three rows of numbers: the components of a row of pixels.
@unsafe
struct Rows {
  let x: UnsafeMutablePointer<Float>
  let y: UnsafeMutablePointer<Float>
  let z: UnsafeMutablePointer<Float>
  let count: Int
}

/// One pass over a row of pixels.
enum RowStage: Sendable {
  /// A linear map.
  case matrix(Matrix3x3)
  /// One curve for each component.
  case curve(SampledCurve)
  /// All components times a curve of a weighted sum of them.
  case gainByLuminance(weights: Triple, SampledCurve)
  /// All components times the tone curve's gain for the largest of them.
  case toneMap(MaxRGBReinhard)
  /// Components limited to 0…1.
  case clip
  /// The perceptual gamut mapping.
  case mapGamut(PerceptualGamut)

  /// Runs the pass.
  ///
  /// - Parameter scratch: a row of numbers to be used freely.
  @unsafe
  func apply(_ rows: Rows, scratch: UnsafeMutablePointer<Float>) {
    switch self {
    case .matrix(let matrix): unsafe Self.apply(matrix, rows)
    case .curve(let curve):
      unsafe curve.apply(rows.x, count: rows.count)
      unsafe curve.apply(rows.y, count: rows.count)
      unsafe curve.apply(rows.z, count: rows.count)
    case .gainByLuminance(let weights, let curve):
      unsafe Self.weightedSum(rows, weights, into: scratch)
      unsafe curve.apply(scratch, count: rows.count)
      unsafe Self.multiply(rows, by: scratch)
    case .toneMap(let curve): unsafe Self.apply(curve, rows)
    case .clip: unsafe Self.clip(rows)
    case .mapGamut(let mapping): unsafe Self.apply(mapping, rows)
    }
  }

  private static func apply(_ matrix: Matrix3x3, _ rows: Rows) {
    let a = SIMD3<Float>(matrix.rows[0])
    let b = SIMD3<Float>(matrix.rows[1])
    let c = SIMD3<Float>(matrix.rows[2])
    for index in unsafe 0..<rows.count {
      let (x, y, z) = unsafe (rows.x[index], rows.y[index], rows.z[index])
      unsafe rows.x[index] = a.x * x + a.y * y + a.z * z
      unsafe rows.y[index] = b.x * x + b.y * y + b.z * z
      unsafe rows.z[index] = c.x * x + c.y * y + c.z * z
    }
  }

  private static func weightedSum(
    _ rows: Rows, _ weights: Triple, into sums: UnsafeMutablePointer<Float>
  ) {
    let w = SIMD3<Float>(weights)
    for index in unsafe 0..<rows.count {
      unsafe sums[index] = w.x * rows.x[index] + w.y * rows.y[index] + w.z * rows.z[index]
    }
  }

  private static func multiply(_ rows: Rows, by factors: UnsafeMutablePointer<Float>) {
    for index in unsafe 0..<rows.count {
      let factor = unsafe factors[index]
      unsafe rows.x[index] *= factor
      unsafe rows.y[index] *= factor
      unsafe rows.z[index] *= factor
    }
  }

  private static func apply(_ curve: MaxRGBReinhard, _ rows: Rows) {
    guard curve.maxInput > curve.maxOutput else { return }
    let a = Float(curve.maxOutput / (curve.maxInput * curve.maxInput))
    let b = Float(1 / curve.maxOutput)
    for index in unsafe 0..<rows.count {
      let (x, y, z) = unsafe (rows.x[index], rows.y[index], rows.z[index])
      let xy = x > y ? x : y
      let xyz = xy > z ? xy : z
      let largest = xyz > 0 ? xyz : 0
      let gain = (1 + a * largest) / (1 + b * largest)
      unsafe rows.x[index] = x * gain
      unsafe rows.y[index] = y * gain
      unsafe rows.z[index] = z * gain
    }
  }

  private static func clip(_ rows: Rows) {
    unsafe clip(rows.x, count: rows.count)
    unsafe clip(rows.y, count: rows.count)
    unsafe clip(rows.z, count: rows.count)
  }

  private static func clip(_ row: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let value = unsafe row[index]
      let low = value > 0 ? value : 0
      unsafe row[index] = low < 1 ? low : 1
    }
  }

  private static func apply(_ mapping: PerceptualGamut, _ rows: Rows) {
    let w = SIMD3<Float>(mapping.weights)
    let knee = Float(PerceptualGamut.knee)
    for index in unsafe 0..<rows.count {
      let (x, y, z) = unsafe (rows.x[index], rows.y[index], rows.z[index])
      let luminance = w.x * x + w.y * y + w.z * z
      let smallest = min(x, y, z)
      let largest = max(x, y, z)
      // Most pixels of most pictures are far from every face of the gamut.
      if smallest >= knee * luminance && 1 - largest >= knee * (1 - luminance) { continue }
      var factor: Float = 0
      var gray: Float = luminance >= 1 ? 1 : 0
      if luminance > 0 && luminance < 1 {
        gray = luminance
        factor = min(
          saturation(smallest / luminance, knee),
          saturation((1 - largest) / (1 - luminance), knee))
      }
      unsafe rows.x[index] = gray + (x - gray) * factor
      unsafe rows.y[index] = gray + (y - gray) * factor
      unsafe rows.z[index] = gray + (z - gray) * factor
    }
  }

  private static func saturation(_ distance: Float, _ knee: Float) -> Float {
    guard distance < knee else { return 1 }
    return (1 - knee * knee / (2 * knee - distance)) / (1 - distance)
  }
}
