/// A function of one number as a table with linear interpolation between its entries.
///
/// Entries are made in double precision. They are spaced evenly over the number itself or over its
/// square or fourth root, so that curves that are steep near black are as exact there as elsewhere.
struct SampledCurve: Sendable {
  /// What the entries are spaced evenly over.
  enum Spacing: Sendable {
    case linear
    case squareRoot
    case fourthRoot
  }

  private static let intervals = 8192

  private let spacing: Spacing
  /// Whether the function of a negative number is the negative of the function.
  private let isOdd: Bool
  private let scale: Float
  private let entries: [Float]

  /// Samples a function over 0…`upper`; numbers above get the value at `upper`.
  ///
  /// - Parameter isOdd: whether the function goes on below 0 as an odd one; otherwise numbers
  ///   below 0 get the value at 0.
  init(upTo upper: Double, spacing: Spacing, isOdd: Bool, _ function: (Double) -> Double) {
    self.spacing = spacing
    self.isOdd = isOdd
    let end: Double =
      switch spacing {
      case .linear: upper
      case .squareRoot: upper.squareRoot()
      case .fourthRoot: upper.squareRoot().squareRoot()
      }
    let step = end / Double(Self.intervals)
    scale = Float(1 / step)
    // Two more entries than intervals, so that the last point has a right neighbor.
    entries = (0...Self.intervals + 1).map { index in
      let root = Double(min(index, Self.intervals)) * step
      switch spacing {
      case .linear: return Float(function(root))
      case .squareRoot: return Float(function(root * root))
      case .fourthRoot: return Float(function(root * root * root * root))
      }
    }
  }

  /// Replaces the numbers of a row by their function.
  @unsafe
  func apply(_ row: UnsafeMutablePointer<Float>, count: Int) {
    let last = Float(Self.intervals)
    let root = spacing
    let (scale, isOdd) = (scale, isOdd)
    unsafe entries.withUnsafeBufferPointer { entries in
      let table = unsafe entries.baseAddress.unsafelyUnwrapped
      for index in 0..<count {
        let value = unsafe row[index]
        var magnitude = abs(value)
        switch root {
        case .linear: break
        case .squareRoot: magnitude = magnitude.squareRoot()
        case .fourthRoot: magnitude = magnitude.squareRoot().squareRoot()
        }
        // Comparisons that are false for NaN make it 0.
        let scaled = magnitude * scale
        let position = scaled < last ? scaled : scaled >= last ? last : 0
        let whole = Int32(position)
        let fraction = position - Float(whole)
        let left = unsafe table[Int(whole)]
        let right = unsafe table[Int(whole) + 1]
        let result = left + (right - left) * fraction
        if value < 0 {
          unsafe row[index] = isOdd ? -result : table[0]
        } else {
          unsafe row[index] = result
        }
      }
    }
  }
}
