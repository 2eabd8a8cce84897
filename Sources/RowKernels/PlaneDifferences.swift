// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

/// Compares bands of two planes. A band has four rows. Adds the squares of differences to the
/// result, as well as the number and the SSIM values of the windows that begin in the bands.
///
/// - Parameters:
///   - first: the first band.
///   - end: the band after the last. If no band follows, the rows below the last band also count
///     for the squares.
///   - memory: as many numbers as the shape's `memoryCount`: zeros at first, and later what the
///     previous call left there.
package func compare(
  _ one: PlaneSamples, _ other: PlaneSamples, _ shape: PlaneShape, first: Int, end: Int,
  memory: UnsafeMutablePointer<Float>, into result: UnsafeMutablePointer<PlaneDifference>
) {
  let length = shape.rowLength
  let columns = memory + 8 &* length
  let blocks = memory + 13 &* length
  let blockLength = length / 4
  let windowCount = shape.width / 4 &- 1
  var band = first
  // Windows of the last band extend into the next one.
  while band <= end && band < shape.bandCount {
    var line = 0
    while line < 4 {
      let (a, b) = (memory + line &* length, memory + (4 &+ line) &* length)
      load(one, shape, line: band &* 4 &+ line, into: a)
      load(other, shape, line: band &* 4 &+ line, into: b)
      // The band after the last is read only for windows. Its squares are counted when that band
      // itself is compared.
      if band < end { result.pointee.squares += squares(a, b, count: length) }
      line &+= 1
    }
    // A window is two bands high, so only the sums of the last two bands are in memory.
    let (current, before) = (
      blocks + (band & 1) &* 5 &* blockLength, blocks + (band & 1 ^ 1) &* 5 &* blockLength
    )
    addRows(memory, length, into: columns)
    addColumns(columns, count: 5 &* length, into: current)
    if band > first && windowCount > 0 {
      result.pointee.similarity += similarity(
        before, current, blockLength, count: windowCount, shape)
      result.pointee.windowCount &+= windowCount
    }
    band &+= 1
  }
  // The last rows may be too few for a band. They are in no window, but PSNR counts every sample.
  var line = end == shape.bandCount ? end &* 4 : shape.height
  while line < shape.height {
    load(one, shape, line: line, into: memory)
    load(other, shape, line: line, into: memory + length)
    result.pointee.squares += squares(memory, memory + length, count: length)
    line &+= 1
  }
}

private func load(
  _ plane: PlaneSamples, _ shape: PlaneShape, line: Int, into numbers: UnsafeMutablePointer<Float>
) {
  let row = plane.start + line &* plane.bytesPerRow
  if plane.isWide {
    let samples = row.assumingMemoryBound(to: UInt16.self)
    for index in 0..<shape.width {
      // The middle of all code values is subtracted, so that sums of squares are exact in single
      // precision.
      numbers[index] = Float(Int32(samples[index])) * plane.weight - shape.middle
    }
  } else {
    let samples = row.assumingMemoryBound(to: UInt8.self)
    for index in 0..<shape.width {
      numbers[index] = Float(Int32(samples[index])) * plane.weight - shape.middle
    }
  }
}

/// Adds the squares of differences.
@_transparent
private func squares(
  _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, count: Int
) -> Double {
  // After the last sample, both rows have zeros, so whole registers can be added.
  var sum = Lanes.zero
  var index = 0
  while index < count {
    let difference = load(a, index) - load(b, index)
    sum = multiplyAdd(difference, difference, sum)
    index &+= Lanes.scalarCount
  }
  return total(sum, Lanes.scalarCount)
}

/// Adds the first lanes in double precision.
@_transparent
private func total(_ lanes: Lanes, _ count: Int) -> Double {
  var sum = 0.0
  var lane = 0
  while lane < count {
    sum += Double(lanes[lane])
    lane &+= 1
  }
  return sum
}

/// Adds up four rows of each plane. Each column gets five sums: of each plane's numbers, of each
/// plane's squares, and of the products of both planes' numbers.
@_transparent
private func addRows(
  _ rows: UnsafeMutablePointer<Float>, _ length: Int, into columns: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < length {
    var (a, b, aa, bb, ab) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    var line = 0
    while line < 4 {
      let one = load(rows, line &* length &+ index)
      let other = load(rows, (line &+ 4) &* length &+ index)
      a += one
      b += other
      aa = multiplyAdd(one, one, aa)
      bb = multiplyAdd(other, other, bb)
      ab = multiplyAdd(one, other, ab)
      line &+= 1
    }
    store(a, columns, index)
    store(b, columns, length &+ index)
    store(aa, columns, 2 &* length &+ index)
    store(bb, columns, 3 &* length &+ index)
    store(ab, columns, 4 &* length &+ index)
    index &+= Lanes.scalarCount
  }
}

/// Adds up groups of four columns.
@_transparent
private func addColumns(
  _ columns: UnsafeMutablePointer<Float>, count: Int, into blocks: UnsafeMutablePointer<Float>
) {
  for index in 0..<count / 4 {
    let place = index &* 4
    blocks[index] =
      (columns[place] + columns[place &+ 1]) + (columns[place &+ 2] + columns[place &+ 3])
  }
}

/// Adds the similarities of windows of two by two blocks (Wang and others, 2004, equation 13).
@_transparent
private func similarity(
  _ upper: UnsafeMutablePointer<Float>, _ lower: UnsafeMutablePointer<Float>, _ length: Int,
  count: Int, _ shape: PlaneShape
) -> Double {
  let (c1, c2) = (shape.constants.x, shape.constants.y)
  var sum = 0.0
  var index = 0
  while index < count {
    let a = window(upper, lower, index)
    let b = window(upper, lower, length &+ index)
    let aa = window(upper, lower, 2 &* length &+ index)
    let bb = window(upper, lower, 3 &* length &+ index)
    let ab = window(upper, lower, 4 &* length &+ index)
    // The middle that was subtracted from the samples has to be added back to their means.
    // Variances do not need this.
    let (meanA, meanB) = (
      multiplyAdd(a, 1 / 64, shape.middle), multiplyAdd(b, 1 / 64, shape.middle)
    )
    // The two variances occur only as a sum. The divisor 63 makes them unbiased, as in the paper.
    let variance = (aa + bb - (a * a + b * b) * (1 / 64)) * (1 / 63)
    let covariance = (ab - a * b * (1 / 64)) * (1 / 63)
    let top = (2 * meanA * meanB + c1) * (2 * covariance + c2)
    let bottom = (meanA * meanA + meanB * meanB + c1) * (variance + c2)
    // Lanes after the last window do not belong to the plane.
    let rest = count &- index
    sum += total(top / bottom, rest < Lanes.scalarCount ? rest : Lanes.scalarCount)
    index &+= Lanes.scalarCount
  }
  return sum
}

@_transparent
private func window(
  _ upper: UnsafeMutablePointer<Float>, _ lower: UnsafeMutablePointer<Float>, _ index: Int
) -> Lanes {
  @_transparent
  func lanes(_ row: UnsafeMutablePointer<Float>, _ index: Int) -> Lanes {
    UnsafeRawPointer(row + index).loadUnaligned(as: Lanes.self)
  }
  return (lanes(upper, index) + lanes(upper, index &+ 1))
    + (lanes(lower, index) + lanes(lower, index &+ 1))
}
