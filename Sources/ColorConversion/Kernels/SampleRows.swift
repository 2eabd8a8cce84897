internal import ColorScience
internal import MediaCore

/// How the numbers of a component are stored.
enum SampleKind: Sendable {
  /// Bytes.
  case byte
  /// Words of 16 bits, whose code value is shifted to the left by so many bits.
  case word(shift: Int)
  /// Half-precision numbers.
  case half

  init(_ format: PixelFormat) {
    switch format.layout {
    case .halfRGBA: self = .half
    case .biPlanar where format.bitDepth > 8: self = .word(shift: 16 - format.bitDepth)
    case .planar, .biPlanar: self = format.bytesPerSample == 1 ? .byte : .word(shift: 0)
    }
  }
}

/// Reads rows of code values as numbers.
struct SampleReader: Sendable {
  private let kind: SampleKind
  private let stride: Int
  private let gain: Float
  private let offset: Float

  /// Reads a component of pictures.
  init(_ picture: PictureDescription, component: Int) {
    kind = SampleKind(picture.format)
    stride = picture.format.place(ofComponent: component).stride
    let quantization = Quantization(
      isChroma: component > 0 && !picture.isRGB, isFullRange: picture.isFullRange,
      bitDepth: picture.format.bitDepth)
    switch kind {
    case .half: (gain, offset) = (1, 0)
    case .byte, .word:
      gain = Float(1 / quantization.scale)
      offset = Float(-quantization.offset / quantization.scale)
    }
  }

  /// Reads `count` samples of a row.
  @unsafe
  func read(
    _ row: UnsafeRawPointer, count: Int, into numbers: UnsafeMutablePointer<Float>
  ) {
    let (gain, offset, stride) = (gain, offset, stride)
    switch kind {
    case .byte:
      let samples = unsafe row.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        unsafe numbers[index] = Float(Int32(samples[index * stride])) * gain + offset
      }
    case .word(let shift):
      let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<count {
        unsafe numbers[index] = Float(Int32(samples[index * stride] >> shift)) * gain + offset
      }
    case .half:
      let samples = unsafe row.assumingMemoryBound(to: Float16.self)
      for index in 0..<count { unsafe numbers[index] = Float(samples[index * stride]) }
    }
  }
}

/// Writes rows of numbers as code values.
struct SampleWriter: Sendable {
  private let kind: SampleKind
  private let stride: Int
  private let gain: Float
  private let offset: Float
  private let maximum: Float
  private let dither: Dither

  /// Writes a component of pictures.
  init(_ picture: PictureDescription, isFullRange: Bool, component: Int, dither: Dither) {
    kind = SampleKind(picture.format)
    stride = picture.format.place(ofComponent: component).stride
    let quantization = Quantization(
      isChroma: component > 0 && !picture.isRGB, isFullRange: isFullRange,
      bitDepth: picture.format.bitDepth)
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
      switch kind {
      case .byte:
        let samples = unsafe row.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count {
          unsafe samples[index * stride] = UInt8(
            truncatingIfNeeded: code(numbers[index], add[index & OrderedDither.mask]))
        }
      case .word(let shift):
        let samples = unsafe row.assumingMemoryBound(to: UInt16.self)
        for index in 0..<count {
          unsafe samples[index * stride] =
            UInt16(truncatingIfNeeded: code(numbers[index], add[index & OrderedDither.mask]))
            << shift
        }
      case .half:
        let samples = unsafe row.assumingMemoryBound(to: Float16.self)
        for index in 0..<count { unsafe samples[index * stride] = Float16(numbers[index]) }
      }
    }
  }

  /// Rounding to nearest: what is added before the fraction is cut off.
  private static let rounding = [Float](repeating: 0.5, count: OrderedDither.size)

  @inline(__always)
  private func code(_ number: Float, _ add: Float) -> Int32 {
    // What is not a number becomes black, and no color.
    let value = (number == number ? number * gain : 0) + offset + add
    let low = value > 0 ? value : 0
    return Int32(low < maximum ? low : maximum)
  }
}
