internal import RowKernels
internal import RowOperations

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#endif
#if arch(x86_64)
  internal import RowKernelsAVX2
  internal import RowKernelsAVX512
#endif

/// The row kernels for an instruction set.
///
/// Results are the same to the bit for AVX2 and AVX-512. The baseline of x86, which has no
/// instruction that multiplies and adds, does so in double precision, which is slower and all but
/// always the same: at most one sample of 10 000 differs by a code value.
enum InstructionSet: String, CaseIterable, Sendable {
  /// What every processor of the architecture has.
  case baseline
  /// AVX2, FMA and F16C (Intel Haswell, AMD Zen).
  case avx2
  /// AVX-512 F, BW, DQ, VL (Intel Skylake-X, AMD Zen 4).
  case avx512

  /// The best that this processor and its system have.
  static let current = available.last ?? .baseline

  /// What can be used here, the slowest first.
  static let available: [InstructionSet] = {
    let flags = processorFlags()
    return allCases.filter { $0.flags.isSubset(of: flags) }
  }()

  /// The names that Linux has for what is used.
  private var flags: Set<Substring> {
    #if arch(x86_64)
      switch self {
      case .baseline: []
      case .avx2: ["avx2", "fma", "f16c", "bmi1", "bmi2", "movbe"]
      case .avx512:
        Self.avx2.flags.union(["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"])
      }
    #else
      self == .baseline ? [] : ["never"]
    #endif
  }

  /// What the system says of the processor; nothing where it says nothing.
  private static func processorFlags() -> Set<Substring> {
    guard let file = unsafe fopen("/proc/cpuinfo", "re") else { return [] }
    defer { unsafe _ = fclose(file) }
    var text = [CChar](repeating: 0, count: 8192)
    // The first processor's lines; all are alike.
    let count = unsafe fread(&text, 1, text.count - 1, file)
    let lines = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = lines.split(separator: "\n").first { $0.hasPrefix("flags") }
    return Set(line?.split(separator: " ") ?? [])
  }

  /// Runs operations over rows of pixels, in place; see the kernels for what rows have to be.
  @unsafe
  func run(
    _ operations: UnsafeBufferPointer<RowOperation>, _ rows: Rows,
    scratch: UnsafeMutablePointer<Float>
  ) {
    guard let start = operations.baseAddress else { return }
    let count = operations.count
    let (x, y, z, width) = unsafe (rows.x, rows.y, rows.z, rows.count)
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.run(
          start, count: count, x: x, y: y, z: z, width: width, scratch: scratch)
      case .avx2:
        unsafe RowKernelsAVX2.run(
          start, count: count, x: x, y: y, z: z, width: width, scratch: scratch)
    #endif
    default:
      unsafe RowKernels.run(
        start, count: count, x: x, y: y, z: z, width: width, scratch: scratch)
    }
  }

  /// Reads samples as numbers.
  @unsafe
  func read(
    _ source: WeightedRows, _ layout: SampleLayout, count: Int, offset: Float,
    into numbers: UnsafeMutablePointer<Float>
  ) {
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.read(source, layout, count: count, offset: offset, into: numbers)
      case .avx2:
        unsafe RowKernelsAVX2.read(source, layout, count: count, offset: offset, into: numbers)
    #endif
    default: unsafe RowKernels.read(source, layout, count: count, offset: offset, into: numbers)
    }
  }

  /// Writes code values as samples.
  @unsafe
  func write(
    _ numbers: UnsafePointer<Float>, count: Int, thresholds: UnsafePointer<Float>, maximum: Int32,
    _ layout: SampleLayout, into row: UnsafeMutableRawPointer
  ) {
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.write(
          numbers, count: count, thresholds: thresholds, maximum: maximum, layout, into: row)
      case .avx2:
        unsafe RowKernelsAVX2.write(
          numbers, count: count, thresholds: thresholds, maximum: maximum, layout, into: row)
    #endif
    default:
      unsafe RowKernels.write(
        numbers, count: count, thresholds: thresholds, maximum: maximum, layout, into: row)
    }
  }

  /// Brings bytes or words to another depth or range.
  @unsafe
  func requantize(
    _ source: UnsafeRawPointer, bytes: Bool, count: Int, gain: Float, offset: Float,
    thresholds: UnsafePointer<Float>, maximum: Int32, toBytes: Bool,
    into row: UnsafeMutableRawPointer
  ) {
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.requantize(
          source, bytes: bytes, count: count, gain: gain, offset: offset, thresholds: thresholds,
          maximum: maximum, toBytes: toBytes, into: row)
      case .avx2:
        unsafe RowKernelsAVX2.requantize(
          source, bytes: bytes, count: count, gain: gain, offset: offset, thresholds: thresholds,
          maximum: maximum, toBytes: toBytes, into: row)
    #endif
    default:
      unsafe RowKernels.requantize(
        source, bytes: bytes, count: count, gain: gain, offset: offset, thresholds: thresholds,
        maximum: maximum, toBytes: toBytes, into: row)
    }
  }

  /// Writes code values as samples with error diffusion. Each sample waits for the one before it, so
  /// that there is nothing to gain from an instruction set.
  @unsafe
  func diffuse(
    _ numbers: UnsafePointer<Float>, count: Int, maximum: Int32, _ layout: SampleLayout,
    errors: UnsafeMutablePointer<Float>, into row: UnsafeMutableRawPointer
  ) {
    unsafe RowKernels.diffuse(
      numbers, count: count, maximum: maximum, layout, errors: errors, into: row)
  }

  /// Doubles a row of chroma.
  @unsafe
  func interpolate(
    _ half: UnsafePointer<Float>, count: Int, even: SIMD8<Float>, odd: SIMD8<Float>,
    into row: UnsafeMutablePointer<Float>
  ) {
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.interpolate(half, count: count, even: even, odd: odd, into: row)
      case .avx2:
        unsafe RowKernelsAVX2.interpolate(half, count: count, even: even, odd: odd, into: row)
    #endif
    default: unsafe RowKernels.interpolate(half, count: count, even: even, odd: odd, into: row)
    }
  }

  /// Halves a row of chroma.
  @unsafe
  func decimate(
    _ row: UnsafePointer<Float>, count: Int, weights: SIMD8<Float>,
    into half: UnsafeMutablePointer<Float>
  ) {
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.decimate(row, count: count, weights: weights, into: half)
      case .avx2: unsafe RowKernelsAVX2.decimate(row, count: count, weights: weights, into: half)
    #endif
    default: unsafe RowKernels.decimate(row, count: count, weights: weights, into: half)
    }
  }

  /// The weighted sum of eight rows.
  @unsafe
  func combine(
    _ rows: UnsafePointer<UnsafePointer<Float>>, weights: SIMD8<Float>, count: Int,
    into sums: UnsafeMutablePointer<Float>
  ) {
    switch self {
    #if arch(x86_64)
      case .avx512:
        unsafe RowKernelsAVX512.combine(rows, weights: weights, count: count, into: sums)
      case .avx2: unsafe RowKernelsAVX2.combine(rows, weights: weights, count: count, into: sums)
    #endif
    default: unsafe RowKernels.combine(rows, weights: weights, count: count, into: sums)
    }
  }
}
