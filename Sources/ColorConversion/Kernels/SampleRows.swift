internal import ColorScience
internal import MediaCore

/// Reads rows of code values as numbers and writes them back.
struct SampleReader: Sendable {
  let bytesPerSample: Int
  let gain: Float
  let offset: Float

  /// Reads a component of pictures.
  init(_ picture: PictureDescription, isChroma: Bool) {
    let quantization = Quantization(
      isChroma: isChroma && !picture.isRGB, isFullRange: picture.isFullRange,
      bitDepth: picture.format.bitDepth)
    bytesPerSample = picture.format.bytesPerSample
    gain = Float(1 / quantization.scale)
    offset = Float(-quantization.offset / quantization.scale)
  }

  /// Reads `count` samples of a row.
  @unsafe
  func read(
    _ row: UnsafeRawPointer, count: Int, into numbers: UnsafeMutablePointer<Float>
  ) {
    let (gain, offset) = (gain, offset)
    if bytesPerSample == 1 {
      let samples = unsafe row.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        unsafe numbers[index] = Float(Int32(samples[index])) * gain + offset
      }
    } else {
      let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<count {
        unsafe numbers[index] = Float(Int32(samples[index])) * gain + offset
      }
    }
  }
}

/// Writes rows of numbers as code values.
struct SampleWriter: Sendable {
  let bytesPerSample: Int
  let gain: Float
  let offset: Float
  let maximum: Float
  let dither: Dither

  /// Writes a component of pictures.
  init(_ picture: PictureDescription, isFullRange: Bool, isChroma: Bool, dither: Dither) {
    let quantization = Quantization(
      isChroma: isChroma && !picture.isRGB, isFullRange: isFullRange,
      bitDepth: picture.format.bitDepth)
    bytesPerSample = picture.format.bytesPerSample
    gain = Float(quantization.scale)
    offset = Float(quantization.offset)
    maximum = Float(quantization.maximum)
    self.dither = dither
  }

  /// Writes `count` samples of a row.
  ///
  /// - Parameter line: the row's number, which chooses the row of the dither pattern.
  @unsafe
  func write(
    _ numbers: UnsafePointer<Float>, count: Int, line: Int, into row: UnsafeMutableRawPointer
  ) {
    let pattern = dither == .none ? Self.rounding : OrderedDither.row(line)
    unsafe pattern.withUnsafeBufferPointer { pattern in
      let add = unsafe pattern.baseAddress.unsafelyUnwrapped
      if bytesPerSample == 1 {
        let samples = unsafe row.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count {
          unsafe samples[index] = UInt8(
            truncatingIfNeeded: code(numbers[index], add[index & OrderedDither.mask]))
        }
      } else {
        let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
        for index in 0..<count {
          unsafe samples[index] = UInt16(
            truncatingIfNeeded: code(numbers[index], add[index & OrderedDither.mask]))
        }
      }
    }
  }

  /// Rounding to nearest: what is added before the fraction is cut off.
  private static let rounding = [Float](repeating: 0.5, count: OrderedDither.size)

  @inline(__always)
  private func code(_ number: Float, _ add: Float) -> Int32 {
    let value = number * gain + offset + add
    // Comparisons that are false for NaN make it 0.
    let low = value > 0 ? value : 0
    return Int32(low < maximum ? low : maximum)
  }
}
