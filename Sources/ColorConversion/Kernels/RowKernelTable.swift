internal import RowKernels
internal import RowOperations

#if arch(x86_64)
  internal import RowKernelsAVX2
  internal import RowKernelsAVX512
#endif

/// The row kernels of an instruction set. What each does, and what rows have to be for it, stands
/// at the function of its name in `RowKernels`.
@safe
struct RowKernelTable: Sendable {
  typealias Numbers = UnsafeMutablePointer<Float>

  /// Operations, their count, rows of three components, their width, scratch memory, doubted pixels.
  let run:
    @Sendable (
      UnsafePointer<RowOperation>, Int, Numbers, Numbers, Numbers, Int, Numbers,
      UnsafeMutablePointer<Int32>
    ) -> Void
  /// Rows of samples, their layout, count, an offset, the numbers.
  let read: @Sendable (WeightedRows, SampleLayout, Int, Float, Numbers) -> Void
  /// Numbers, count, thresholds, the largest code value, the samples' layout, the samples.
  let write:
    @Sendable (
      UnsafePointer<Float>, Int, UnsafePointer<Float>, Int32, SampleLayout, UnsafeMutableRawPointer
    ) -> Void
  /// Samples, whether they are bytes, count, gain, offset, thresholds, the largest code value,
  /// whether bytes are written, the new samples.
  let requantize:
    @Sendable (
      UnsafeRawPointer, Bool, Int, Float, Float, UnsafePointer<Float>, Int32, Bool,
      UnsafeMutableRawPointer
    ) -> Void
  /// Half a row, its count, the weights of even and of odd results, the row.
  let interpolate:
    @Sendable (UnsafePointer<Float>, Int, SIMD8<Float>, SIMD8<Float>, Numbers) -> Void
  /// A row, the count of half of it, weights, the half row.
  let decimate: @Sendable (UnsafePointer<Float>, Int, SIMD8<Float>, Numbers) -> Void
  /// Eight rows, weights, count, the sums.
  let combine: @Sendable (UnsafePointer<UnsafePointer<Float>>, SIMD8<Float>, Int, Numbers) -> Void
  /// Numbers, count, what is known of them and of others.
  let summarize: @Sendable (UnsafePointer<Float>, Int, UnsafeMutablePointer<RowSummary>) -> Void
  /// Numbers, count, the largest code value, the samples' layout, errors, the samples. Each sample
  /// waits for the one before it, so that no instruction set has anything to gain.
  let diffuse:
    @Sendable (
      UnsafePointer<Float>, Int, Int32, SampleLayout, Numbers, UnsafeMutableRawPointer
    ) -> Void = unsafe RowKernels.diffuse

  static let baseline = unsafe RowKernelTable(
    run: RowKernels.run, read: RowKernels.read, write: RowKernels.write,
    requantize: RowKernels.requantize, interpolate: RowKernels.interpolate,
    decimate: RowKernels.decimate, combine: RowKernels.combine,
    summarize: RowKernels.summarize)

  #if arch(x86_64)
    static let avx2 = unsafe RowKernelTable(
      run: RowKernelsAVX2.run, read: RowKernelsAVX2.read, write: RowKernelsAVX2.write,
      requantize: RowKernelsAVX2.requantize, interpolate: RowKernelsAVX2.interpolate,
      decimate: RowKernelsAVX2.decimate, combine: RowKernelsAVX2.combine,
      summarize: RowKernelsAVX2.summarize)

    static let avx512 = unsafe RowKernelTable(
      run: RowKernelsAVX512.run, read: RowKernelsAVX512.read, write: RowKernelsAVX512.write,
      requantize: RowKernelsAVX512.requantize, interpolate: RowKernelsAVX512.interpolate,
      decimate: RowKernelsAVX512.decimate, combine: RowKernelsAVX512.combine,
      summarize: RowKernelsAVX512.summarize)
  #endif
}
