// SPDX-License-Identifier: GPL-2.0-or-later
/// Doubles a row: each number of the result is a weighted sum of five numbers around it.
///
/// - Parameters:
///   - half: `count` numbers, with two more on either side.
///   - even: the weights, from 2 numbers before to 2 after, for the first result of each pair.
///   - odd: the same weights for the second result.
package func interpolate(
  _ half: UnsafePointer<Float>, count: Int, even: SIMD8<Float>, odd: SIMD8<Float>,
  into row: UnsafeMutablePointer<Float>
) {
  // In most frames, chroma is located at the left. Each even column then has a chroma sample
  // exactly at its place.
  if even == SIMD8(0, 0, 1, 0, 0, 0, 0, 0) && odd[0] == 0 {
    return interpolateCosited(half, count: count, odd: odd, into: row)
  }
  for index in 0..<count {
    let (a, b) = (half[index - 2], half[index - 1])
    let c = half[index]
    let (d, e) = (half[index + 1], half[index + 2])
    var first = multiplyAdd(a, even[0], b * even[1])
    first = multiplyAdd(c, even[2], first)
    first = multiplyAdd(d, even[3], first)
    row[2 * index] = multiplyAdd(e, even[4], first)
    var second = multiplyAdd(a, odd[0], b * odd[1])
    second = multiplyAdd(c, odd[2], second)
    second = multiplyAdd(d, odd[3], second)
    row[2 * index + 1] = multiplyAdd(e, odd[4], second)
  }
}

/// Doubles a row if the even results are the numbers themselves, as in most frames.
private func interpolateCosited(
  _ half: UnsafePointer<Float>, count: Int, odd: SIMD8<Float>,
  into row: UnsafeMutablePointer<Float>
) {
  for index in 0..<count {
    let (b, c) = (half[index - 1], half[index])
    let (d, e) = (half[index + 1], half[index + 2])
    row[2 * index] = c
    let second = multiplyAdd(d, odd[3], multiplyAdd(c, odd[2], b * odd[1]))
    row[2 * index + 1] = multiplyAdd(e, odd[4], second)
  }
}

/// Halves a row: each number of the result is a weighted sum of eight numbers around a pair.
///
/// - Parameters:
///   - row: twice `count` numbers, rounded up to whole registers, with four more on either side.
///     There has to be memory for one register before these numbers and for three registers after
///     them.
///   - half: `count` numbers, rounded up to whole registers.
///   - weights: the weights of the numbers, from 3 before the pair's first number to 3 after its
///     second.
package func decimate(
  _ row: UnsafePointer<Float>, count: Int, weights: SIMD8<Float>,
  into half: UnsafeMutablePointer<Float>
) {
  // To halve a row, the filter's kernel is stretched to twice its width. If it is centered on an
  // even column, it is 0 at all other even columns.
  if weights[1] == 0 && weights[5] == 0 && weights[7] == 0 {
    return decimateCosited(row, count: count, weights: weights, into: half)
  }
  for index in 0..<count {
    let pair = 2 * index
    var sum = multiplyAdd(row[pair - 3], weights[0], row[pair - 2] * weights[1])
    sum = multiplyAdd(row[pair - 1], weights[2], sum)
    sum = multiplyAdd(row[pair], weights[3], sum)
    sum = multiplyAdd(row[pair + 1], weights[4], sum)
    sum = multiplyAdd(row[pair + 2], weights[5], sum)
    sum = multiplyAdd(row[pair + 3], weights[6], sum)
    half[index] = multiplyAdd(row[pair + 4], weights[7], sum)
  }
}

/// Halves a row if each result is located exactly at the first number of its pair. All other even
/// numbers then have the weight 0.
private func decimateCosited(
  _ row: UnsafePointer<Float>, count: Int, weights: SIMD8<Float>,
  into half: UnsafeMutablePointer<Float>
) {
  // The compiler would turn a plain loop into loads of single numbers. So whole registers are
  // loaded and split into even and odd numbers once. Of the pairs before the first result, only the
  // last two are needed.
  let start = UnsafeRawPointer(row - Lanes.scalarCount).loadUnaligned(as: Lanes.self)
  var before = PairedLanes(lowHalf: start, highHalf: start).oddHalf
  var pairs = loadPairs(row)
  var index = 0
  while index < count {
    let after = loadPairs(row + 2 * (index + Lanes.scalarCount))
    let odd = pairs.oddHalf
    var sum = multiplyAdd(
      oneBefore(before, odd), weights[2], twoBefore(before, odd) * weights[0])
    sum = multiplyAdd(pairs.evenHalf, weights[3], sum)
    sum = multiplyAdd(odd, weights[4], sum)
    sum = multiplyAdd(oneAfter(odd, after.oddHalf), weights[6], sum)
    UnsafeMutableRawPointer(half + index).storeBytes(of: sum, as: Lanes.self)
    (before, pairs) = (odd, after)
    index += Lanes.scalarCount
  }
}

/// Writes the weighted sum of eight rows.
package func combine(
  _ rows: UnsafePointer<UnsafePointer<Float>>, weights: SIMD8<Float>, count: Int,
  into sums: UnsafeMutablePointer<Float>
) {
  let (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
  let (e, f, g, h) = (rows[4], rows[5], rows[6], rows[7])
  for index in 0..<count {
    var sum = multiplyAdd(a[index], weights[0], b[index] * weights[1])
    sum = multiplyAdd(c[index], weights[2], sum)
    sum = multiplyAdd(d[index], weights[3], sum)
    sum = multiplyAdd(e[index], weights[4], sum)
    sum = multiplyAdd(f[index], weights[5], sum)
    sum = multiplyAdd(g[index], weights[6], sum)
    sums[index] = multiplyAdd(h[index], weights[7], sum)
  }
}
