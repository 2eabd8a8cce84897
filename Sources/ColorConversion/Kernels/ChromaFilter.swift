// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// The weights of the filters that double and halve chroma rows and columns. They depend on the
/// chroma location.
struct ChromaFilter: Sendable {
  /// How far a chroma sample is to the right of the left luma sample of its pair, in luma samples.
  let horizontalOffset: Double
  /// How far a chroma sample is below the upper luma row of its pair, in luma rows.
  let verticalOffset: Double
  /// Whether the output has chroma rows at the same places as the source.
  private let rowsReturn: Bool

  /// Makes the filter for whole frames.
  ///
  /// - Parameter rowsReturn: whether the output has chroma rows at the same places as the source.
  init(_ location: ChromaLocation, rowsReturn: Bool = false) {
    // H.273 defines locations for 4:2:0; in 4:2:2 only the horizontal part applies.
    horizontalOffset = location.isCositedHorizontally ? 0 : 0.5
    verticalOffset = location.verticalOffset
    self.rowsReturn = rowsReturn
  }

  private init(horizontalOffset: Double, verticalOffset: Double) {
    self.horizontalOffset = horizontalOffset
    self.verticalOffset = verticalOffset
    rowsReturn = false
  }

  /// Makes the filter for one field.
  func ofField(_ parity: Int) -> ChromaFilter {
    // Chroma rows keep their places in the frame and belong to the fields alternately (H.264,
    // figure 6-2). So, relative to luma, the second field's chroma rows are half a row lower.
    ChromaFilter(
      horizontalOffset: horizontalOffset, verticalOffset: (verticalOffset + Double(parity)) / 2)
  }

  /// For each luma sample of a pair, the weights of five chroma samples: the pair's own, the 2
  /// before it and the 2 after it.
  var interpolation: (even: SIMD8<Float>, odd: SIMD8<Float>) {
    (Self.around(-horizontalOffset / 2), Self.around((1 - horizontalOffset) / 2))
  }

  /// The weights of eight luma samples: a pair, the 3 before it and the 3 after it.
  var decimation: SIMD8<Float> { Self.stretched(around: horizontalOffset) }

  /// Returns the first of the four chroma rows from which chroma for a luma row is interpolated,
  /// and the weights of all four.
  func sources(ofLine line: Int) -> (first: Int, weights: SIMD4<Float>) {
    let position = (Double(line) - verticalOffset) / 2
    let below = position.rounded(.down)
    let kernel = isReversible ? Self.line : Self.keys
    var weights = SIMD4<Double>.zero
    for index in 0..<4 { weights[index] = kernel(Double(index - 1) - (position - below)) }
    return (Int(below) - 1, SIMD4<Float>(weights))
  }

  /// The weights of eight luma rows: a pair, the 3 above it and the 3 below it.
  var verticalDecimation: SIMD8<Float> {
    isReversible ? Self.reversal : Self.stretched(around: verticalOffset)
  }

  /// Whether doubling and then halving the number of chroma rows gives the same rows again. That
  /// needs an output with chroma rows at the same places, halfway between two luma rows, as in most
  /// frames. All other cases use the cubic convolution.
  private var isReversible: Bool { rowsReturn && verticalOffset == 0.5 }

  // If a cubic convolution interpolates rows and another one reduces them, colors bleed from row to
  // row with each conversion. So rows are interpolated linearly here, because some filters of eight
  // rows can undo that exactly. Of all such filters, this one has the smallest squared error for an
  // edge between two areas, averaged over the edge's positions.
  private static let reversal = SIMD8<Float>(
    SIMD8<Double>(2, -6, -1, 19, 19, -1, -6, 2) / 28)

  private static func around(_ position: Double) -> SIMD8<Float> {
    var weights = SIMD8<Double>.zero
    for index in 0..<5 { weights[index] = keys(Double(index - 2) - position) }
    return SIMD8<Float>(weights)
  }

  private static func stretched(around position: Double) -> SIMD8<Float> {
    var weights = SIMD8<Double>.zero
    for index in 0..<8 { weights[index] = keys((Double(index - 3) - position) / 2) }
    // The weights from the stretched kernel do not add up to 1. Divide by their sum, so that a flat
    // area keeps its color.
    return SIMD8<Float>(weights / weights.sum())
  }

  /// The kernel of linear interpolation.
  private static func line(_ distance: Double) -> Double { max(1 - abs(distance), 0) }

  /// Keys' kernel with a = −1/2.
  private static func keys(_ distance: Double) -> Double {
    // The cubic convolution of R. G. Keys (1981) passes through the samples and follows smooth
    // functions to the third order. Only a = −1/2 gives that order.
    let x = abs(distance)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }
}
