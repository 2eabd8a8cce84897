/// The largest magnitude that a curve takes or gives: far beyond what any sample can hold (half
/// floats end at 65 504), and small enough that sums and products of colors stay finite.
let containedLimit = 1e9

/// A number that curves can work with: NaN counts as 0 (black), infinities and what lies beyond
/// ``containedLimit`` as the limit.
func contained(_ x: Double) -> Double {
  x.isNaN ? 0 : min(max(x, -containedLimit), containedLimit)
}
