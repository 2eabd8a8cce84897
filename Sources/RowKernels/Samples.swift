public import RowOperations

// Plain loops, which the compiler turns into vector code by itself; pictures that decoders make have
// no padding that could be read.

@_transparent
func multiplyAdd(_ a: Float, _ b: Float, _ c: Float) -> Float {
  #if BASELINE
    a * b + c
  #else
    c.addingProduct(a, b)
  #endif
}

/// Reads samples as numbers: the weighted sum of some rows of them, and an offset.
public func read(
  _ source: WeightedRows, _ layout: SampleLayout, count: Int, offset: Float,
  into numbers: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < source.count {
    let (row, weight) = (source.rows[index], source.weights[index])
    let start = index == 0 ? offset : nil
    switch layout.kind {
    case .byte:
      let samples = row.assumingMemoryBound(to: UInt8.self)
      add(numbers, count, weight, start, layout.stride) { Float(Int32(samples[$0])) }
    case .word(let shift):
      let samples = row.assumingMemoryBound(to: UInt16.self)
      add(numbers, count, weight, start, layout.stride) {
        Float(Int32(samples[$0] &>> shift))
      }
    case .half:
      let samples = row.assumingMemoryBound(to: Float16.self)
      add(numbers, count, weight, start, layout.stride) { contained(Float(samples[$0])) }
    }
    index += 1
  }
}

/// Adds weighted samples to numbers, or begins with them and an offset.
@_transparent
private func add(
  _ numbers: UnsafeMutablePointer<Float>, _ count: Int, _ weight: Float, _ start: Float?,
  _ stride: Int, _ sample: (Int) -> Float
) {
  switch (start, stride) {
  case (let start?, 1):
    for index in 0..<count { numbers[index] = multiplyAdd(sample(index), weight, start) }
  case (let start?, 2):
    for index in 0..<count { numbers[index] = multiplyAdd(sample(index &* 2), weight, start) }
  case (let start?, _):
    for index in 0..<count { numbers[index] = multiplyAdd(sample(index &* stride), weight, start) }
  case (nil, 1):
    for index in 0..<count { numbers[index] = multiplyAdd(sample(index), weight, numbers[index]) }
  case (nil, _):
    for index in 0..<count {
      numbers[index] = multiplyAdd(sample(index &* stride), weight, numbers[index])
    }
  }
}

/// What is not a number becomes 0, and infinity the largest number.
@_transparent
private func contained(_ number: Float) -> Float {
  let finite = number == number ? number : 0
  let low = finite > -65504 ? finite : -65504
  return low < 65504 ? low : 65504
}

/// Writes numbers, which are code values, as samples.
///
/// - Parameters:
///   - thresholds: what is added before rounding to nearest, repeated every 64 samples: from −0.5
///     to 0.5.
///   - maximum: the largest code value.
public func write(
  _ numbers: UnsafePointer<Float>, count: Int, thresholds: UnsafePointer<Float>, maximum: Float,
  _ layout: SampleLayout, into row: UnsafeMutableRawPointer
) {
  switch layout.kind {
  case .byte:
    let samples = row.assumingMemoryBound(to: UInt8.self)
    each(count, layout.stride) { index, place in
      samples[place] = UInt8(
        truncatingIfNeeded: code(numbers[index], thresholds[index & 63], maximum))
    }
  case .word(let shift):
    let samples = row.assumingMemoryBound(to: UInt16.self)
    each(count, layout.stride) { index, place in
      samples[place] =
        UInt16(truncatingIfNeeded: code(numbers[index], thresholds[index & 63], maximum)) &<< shift
    }
  case .half:
    let samples = row.assumingMemoryBound(to: Float16.self)
    each(count, layout.stride) { samples[$1] = Float16(contained(numbers[$0])) }
  }
}

@_transparent
private func each(_ count: Int, _ stride: Int, _ body: (_ index: Int, _ place: Int) -> Void) {
  if stride == 1 {
    // Blocks as long as the thresholds, so that these are read in order.
    var start = 0
    while start < count {
      let end = start &+ 64 < count ? start &+ 64 : count
      for index in start..<end { body(index, index) }
      start = end
    }
  } else {
    for index in 0..<count { body(index, index &* stride) }
  }
}

/// A number as a code value: adding 2²³ rounds to nearest, and leaves the integer in the low bits.
@_transparent
private func code(_ number: Float, _ threshold: Float, _ maximum: Float) -> UInt32 {
  let value = number + threshold
  let low = value > 0 ? value : 0
  return ((low < maximum ? low : maximum) + 8_388_608).bitPattern
}

/// Writes numbers with Floyd's and Steinberg's error diffusion (1976), from left to right.
///
/// - Parameter errors: what the row above left for this one, replaced by what is left for the
///   next; one more number before the first.
public func diffuse(
  _ numbers: UnsafePointer<Float>, count: Int, maximum: Float, _ layout: SampleLayout,
  errors: UnsafeMutablePointer<Float>, into row: UnsafeMutableRawPointer
) {
  var ahead: Float = 0
  var belowRight: Float = 0
  for index in 0..<count {
    let wanted = numbers[index] + ahead + errors[index]
    let low = wanted > 0 ? wanted : 0
    let limited = low < maximum ? low : maximum
    let value = code(limited, 0, maximum) & 0xFFFF
    let error = limited - Float(Int32(value))
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
