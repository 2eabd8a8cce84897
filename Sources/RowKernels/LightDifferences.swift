// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Measures the distances between the pixels of two rows, and counts how often each distance
/// occurs. Each row has three components in 16-bit words.
///
/// - Parameters:
///   - one: the first samples of one row's components.
///   - other: the first samples of the other row's components.
///   - weights: for each component, the distance that a difference of one code value makes.
///   - distances: memory for a row.
///   - histogram: counts of distances, in bins with a width of 0.01. The last bin counts all larger
///     distances.
package func lightDifference(
  _ one: UnsafePointer<UnsafeRawPointer>, _ other: UnsafePointer<UnsafeRawPointer>, count: Int,
  weights: SIMD4<Float>, distances: UnsafeMutablePointer<Float>,
  histogram: UnsafeMutablePointer<UInt32>, binCount: Int
) {
  @_transparent
  func samples(_ rows: UnsafePointer<UnsafeRawPointer>, _ component: Int) -> UnsafePointer<UInt16> {
    rows[component].assumingMemoryBound(to: UInt16.self)
  }
  let (a0, a1, a2) = (samples(one, 0), samples(one, 1), samples(one, 2))
  let (b0, b1, b2) = (samples(other, 0), samples(other, 1), samples(other, 2))
  let (w0, w1, w2) = (weights.x, weights.y, weights.z)
  // Two pixels may belong to the same bin, so counting cannot become vector code. That is why it
  // has a separate loop.
  for index in 0..<count {
    let x = Float(Int32(a0[index]) &- Int32(b0[index])) * w0
    let y = Float(Int32(a1[index]) &- Int32(b1[index])) * w1
    let z = Float(Int32(a2[index]) &- Int32(b2[index])) * w2
    distances[index] = (x * x + y * y + z * z).squareRoot()
  }
  let last = Int32(truncatingIfNeeded: binCount &- 1)
  for index in 0..<count {
    // Adding 2²³ rounds to nearest and leaves the integer in the low bits.
    let bin = Int32(bitPattern: (distances[index] * 100 + 8_388_608).bitPattern) &- 0x4B00_0000
    histogram[Int(bin < last ? bin : last)] &+= 1
  }
}
