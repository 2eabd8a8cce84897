// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Marks pixels for which single precision is not enough.
///
/// - Returns: whether the operation marks pixels.
func mark(
  _ doubts: UnsafeMutablePointer<Int32>, _ operation: UnsafePointer<RowOperation>, _ rows: Rows,
  _ range: Range<Int>
) -> Bool {
  switch operation.pointee.kind {
  case .doubtSmall: rows.mark(range, doubts, HasSmallComponent(limits: operation.pointee.limits))
  case .doubtNear: rows.mark(range, doubts, HasComponentNear(limits: operation.pointee.limits))
  case .doubtLuminance:
    rows.mark(
      range, doubts,
      HasSmallLuminance(weights: operation.pointee.weights, share: operation.pointee.scale))
  case .doubtOutside: rows.mark(range, doubts, IsOutside(limits: operation.pointee.limits))
  default: return false
  }
  return true
}

private protocol PixelCondition {
  func callAsFunction(_ pixels: Pixels) -> LaneMask
}

private struct HasSmallComponent: PixelCondition {
  let limits: SIMD2<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> LaneMask {
    let (x, y, z) = (size(pixels.x), size(pixels.y), size(pixels.z))
    let smallest = number(smaller(smaller(x, y), z))
    let largest = number(larger(larger(x, y), z))
    // If the largest component is above 1, the share applies to its square, because small
    // components beside HDR's brightest light are the most uncertain. In the dark, the share
    // shrinks with the largest component, because errors become too small to show.
    let share = smaller(larger(largest, 1) * limits.x, largest * limits.y)
    return smallest .< largest * share
  }
}

/// Returns magnitudes as integers, which have the same order as the numbers. Comparing integers
/// needs no permutation of registers.
@_transparent
private func size(_ x: Lanes) -> IntegerLanes { bits(x) & 0x7FFF_FFFF }

private struct HasComponentNear: PixelCondition {
  let limits: SIMD2<Float>

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> LaneMask {
    let nearest = smaller(smaller(distance(pixels.x), distance(pixels.y)), distance(pixels.z))
    return nearest .<= larger(largestMagnitude(pixels), 1) * limits.y
  }

  @_transparent
  private func distance(_ x: Lanes) -> Lanes { magnitude(x - limits.x) }
}

private struct HasSmallLuminance: PixelCondition {
  let weights: SIMD3<Float>
  let share: Float

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> LaneMask {
    magnitude(pixels.weightedSum(weights)) .< largestMagnitude(pixels) * share
  }
}

@_transparent
private func largestMagnitude(_ pixels: Pixels) -> Lanes {
  number(larger(larger(size(pixels.x), size(pixels.y)), size(pixels.z)))
}

private struct IsOutside: PixelCondition {
  let limits: SIMD2<Float>

  // Comparisons with NaN are false, so NaN is "not inside". But `smallest` and `largest` are NaN
  // only if the third component is, so NaN in the other two does not by itself mark a pixel.
  @_transparent
  func callAsFunction(_ pixels: Pixels) -> LaneMask {
    .!((pixels.smallest .>= limits.x) .& (pixels.largest .<= limits.y))
  }
}

extension Rows {
  /// Marks pixels that meet a condition.
  @inline(__always)
  fileprivate func mark(
    _ range: Range<Int>, _ doubts: UnsafeMutablePointer<Int32>, _ condition: some PixelCondition
  ) {
    // Most runs have nothing to mark. This first pass finds that out quickly, because it stores
    // nothing and has no branch for each register.
    var isAny = LaneMask(repeating: false)
    var index = range.lowerBound
    while index < range.upperBound {
      isAny = isAny .| condition(Pixels(load(x, index), load(y, index), load(z, index)))
      index += Lanes.scalarCount
    }
    if all(.!isAny) { return }
    index = range.lowerBound
    while index < range.upperBound {
      let isDoubted = condition(Pixels(load(x, index), load(y, index), load(z, index)))
      if !all(.!isDoubted) { list(isDoubted, index, range.upperBound, doubts) }
      index += Lanes.scalarCount
    }
  }
}

/// Adds the places of pixels to a list, which begins with its count.
@inline(never)
private func list(
  _ isDoubted: LaneMask, _ start: Int, _ end: Int, _ doubts: UnsafeMutablePointer<Int32>
) {
  let marks = unsafeBitCast(isDoubted, to: IntegerLanes.self)
  var lane = 0
  // The last register may extend beyond the end of the run, where it contains old numbers from
  // other rows.
  while lane < Lanes.scalarCount && start + lane < end {
    if marks[lane] != 0 {
      doubts[0] &+= 1
      doubts[Int(doubts[0])] = Int32(truncatingIfNeeded: start + lane)
    }
    lane += 1
  }
}
