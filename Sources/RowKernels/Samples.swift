// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// These are plain loops, which the compiler turns into vector code. Frames from decoders have no
// padding that could be read, so rows of samples cannot be loaded as whole registers.

@_transparent
func multiplyAdd(_ a: Float, _ b: Float, _ c: Float) -> Float {
  #if BASELINE && arch(x86_64)
  Float(sumToOdd(Double(a) * Double(b), Double(c)))
  #else
  c.addingProduct(a, b)
  #endif
}

/// Reads samples as numbers: the weighted sum of one row or of four rows, plus an offset.
package func read(
  _ source: WeightedRows, _ layout: SampleLayout, count: Int, offset: Float,
  into numbers: UnsafeMutablePointer<Float>
) {
  switch layout.kind {
  case .byte:
    read(source, layout.stride, count, offset, numbers) {
      Float(Int32($0.assumingMemoryBound(to: UInt8.self)[$1]))
    }
  case .word(shift: 0):
    // This is the layout of most frames, and without the shift, reading takes a fifth less time.
    read(source, layout.stride, count, offset, numbers) {
      Float(Int32($0.assumingMemoryBound(to: UInt16.self)[$1]))
    }
  case .word(let shift):
    read(source, layout.stride, count, offset, numbers) {
      Float(Int32($0.assumingMemoryBound(to: UInt16.self)[$1] &>> shift))
    }
  case .half:
    read(source, layout.stride, count, offset, numbers) {
      // A half float can be infinite or NaN, which a filter would spread to all surrounding pixels.
      contained(Float($0.assumingMemoryBound(to: Float16.self)[$1]))
    }
  }
}

@_transparent
private func read(
  _ source: WeightedRows, _ stride: Int, _ count: Int, _ offset: Float,
  _ numbers: UnsafeMutablePointer<Float>, _ sample: (UnsafeRawPointer, Int) -> Float
) {
  let (a, weightOfA) = (source.rows[0], source.weights[0])
  if source.count == 1 {
    // The strides of most frames are constants here, so that the compiler can make vector code.
    switch stride {
    case 1:
      for index in 0..<count {
        numbers[index] = multiplyAdd(sample(a, index), weightOfA, offset)
      }
    case 2:
      for index in 0..<count {
        numbers[index] = multiplyAdd(sample(a, index &* 2), weightOfA, offset)
      }
    default:
      for index in 0..<count {
        numbers[index] = multiplyAdd(sample(a, index &* stride), weightOfA, offset)
      }
    }
    return
  }
  let (b, c, d) = (source.rows[1], source.rows[2], source.rows[3])
  let (weightOfB, weightOfC) = (source.weights[1], source.weights[2])
  let weightOfD = source.weights[3]
  @_transparent
  func sum(_ place: Int) -> Float {
    var sum = multiplyAdd(sample(a, place), weightOfA, offset)
    sum = multiplyAdd(sample(b, place), weightOfB, sum)
    sum = multiplyAdd(sample(c, place), weightOfC, sum)
    return multiplyAdd(sample(d, place), weightOfD, sum)
  }
  if stride == 1 {
    for index in 0..<count { numbers[index] = sum(index) }
  } else {
    for index in 0..<count { numbers[index] = sum(index &* 2) }
  }
}

/// Returns a finite number: 0 for NaN, and the largest half float for infinity.
@_transparent
private func contained(_ number: Float) -> Float {
  let finite = number == number ? number : 0
  let low = finite > -65504 ? finite : -65504
  return low < 65504 ? low : 65504
}

/// Writes numbers, which are code values, as samples.
///
/// - Parameters:
///   - thresholds: the numbers to add before rounding to nearest, from −0.5 to 0.5. There are
///     enough for a run of pixels, and they are repeated for the next run.
///   - maximum: the largest code value.
package func write(
  _ numbers: UnsafePointer<Float>, count: Int, thresholds: UnsafePointer<Float>, maximum: Int32,
  _ layout: SampleLayout, into row: UnsafeMutableRawPointer
) {
  switch layout.kind {
  case .byte:
    let samples = row.assumingMemoryBound(to: UInt8.self)
    each(count, layout.stride) { index, place in
      samples[place] = UInt8(
        truncatingIfNeeded: code(numbers[index], thresholds[inRun(index)], maximum))
    }
  case .word(let shift):
    let samples = row.assumingMemoryBound(to: UInt16.self)
    each(count, layout.stride) { index, place in
      let value = code(numbers[index], thresholds[inRun(index)], maximum)
      samples[place] = UInt16(truncatingIfNeeded: value) &<< shift
    }
  case .half:
    let samples = row.assumingMemoryBound(to: Float16.self)
    each(count, layout.stride) { samples[$1] = Float16(contained(numbers[$0])) }
  }
}

@_transparent
private func inRun(_ index: Int) -> Int { index & (PixelRun.length - 1) }

@_transparent
private func each(_ count: Int, _ stride: Int, _ body: (_ index: Int, _ place: Int) -> Void) {
  if stride == 1 {
    // Blocks are as long as the list of thresholds, so that thresholds are read in order. Vector
    // code begins with checks for each block, so blocks should be long.
    var start = 0
    while start < count {
      let next = start &+ PixelRun.length
      let end = next < count ? next : count
      for index in start..<end { body(index, index) }
      start = end
    }
  } else {
    for index in 0..<count { body(index, index &* stride) }
  }
}

/// Returns a number as a code value from 0 to `maximum`.
@_transparent
private func code(_ number: Float, _ threshold: Float, _ maximum: Int32) -> Int32 {
  // Adding 2²³ rounds to nearest and leaves the integer in the low bits. Numbers below 0 give a bit
  // pattern below that of 2²³.
  let bits = Int32(bitPattern: (number + threshold + 8_388_608).bitPattern)
  // The limits are applied to integers that still contain 2²³. If they were applied to a float, or
  // to a difference, the compiler would make masks instead of a minimum and a maximum.
  let low = bits > 0x4B00_0000 ? bits : 0x4B00_0000
  let top = maximum &+ 0x4B00_0000
  return (low < top ? low : top) &- 0x4B00_0000
}

/// Converts adjacent bytes or words to a different depth or range. It applies a gain and an offset,
/// and then works like ``write(_:count:thresholds:maximum:_:into:)``.
package func requantize(
  _ source: UnsafeRawPointer, bytes: Bool, count: Int, gain: Float, offset: Float,
  thresholds: UnsafePointer<Float>, maximum: Int32, toBytes: Bool,
  into row: UnsafeMutableRawPointer
) {
  let (oldBytes, oldWords) = (
    source.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt16.self)
  )
  let (newBytes, newWords) = (
    row.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt16.self)
  )
  @_transparent
  func value(_ sample: Int32, _ index: Int) -> Int32 {
    code(multiplyAdd(Float(sample), gain, offset), thresholds[inRun(index)], maximum)
  }
  switch (bytes, toBytes) {
  case (true, true):
    each(count, 1) { index, _ in
      newBytes[index] = UInt8(truncatingIfNeeded: value(Int32(oldBytes[index]), index))
    }
  case (true, false):
    each(count, 1) { index, _ in
      newWords[index] = UInt16(truncatingIfNeeded: value(Int32(oldBytes[index]), index))
    }
  case (false, true):
    each(count, 1) { index, _ in
      newBytes[index] = UInt8(truncatingIfNeeded: value(Int32(oldWords[index]), index))
    }
  case (false, false):
    each(count, 1) { index, _ in
      newWords[index] = UInt16(truncatingIfNeeded: value(Int32(oldWords[index]), index))
    }
  }
}

/// Writes numbers with Floyd and Steinberg's error diffusion (1976), from left to right.
///
/// - Parameter errors: the errors that the row above passes on to this row. The errors for the next
///   row replace them. There must be memory for one number before the first.
package func diffuse(
  _ numbers: UnsafePointer<Float>, count: Int, maximum: Int32, _ layout: SampleLayout,
  errors: UnsafeMutablePointer<Float>, into row: UnsafeMutableRawPointer
) {
  var ahead: Float = 0
  var belowRight: Float = 0
  for index in 0..<count {
    let wanted = numbers[index] + ahead + errors[index]
    let value = code(wanted, 0, maximum)
    let low = wanted > 0 ? wanted : 0
    // If a number is beyond the code values, neighbors cannot make up for its excess. If the excess
    // were passed on as an error, it would smear along the row.
    let limited = low < Float(maximum) ? low : Float(maximum)
    let error = limited - Float(value)
    ahead = error * (7 / 16)
    errors[index - 1] += error * (3 / 16)
    errors[index] = belowRight + error * (5 / 16)
    belowRight = error * (1 / 16)
    let place = index &* layout.stride
    switch layout.kind {
    case .byte: row.assumingMemoryBound(to: UInt8.self)[place] = UInt8(truncatingIfNeeded: value)
    case .word(let shift):
      row.assumingMemoryBound(to: UInt16.self)[place] = UInt16(truncatingIfNeeded: value) &<< shift
    case .half: break
    }
  }
}
