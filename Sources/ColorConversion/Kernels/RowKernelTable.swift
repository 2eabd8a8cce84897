// SPDX-License-Identifier: GPL-2.0-or-later
internal import RowKernels
internal import RowOperations

#if arch(x86_64)
internal import RowKernelsAVX2
internal import RowKernelsAVX512
#endif

// This is a class because copying so many functions takes longer than some of them run.

/// The row kernels of an instruction set. For what each of them does and which rows it needs, see
/// the function of the same name in `RowKernels`.
@safe
final class RowKernelTable: Sendable {
  typealias Numbers = UnsafeMutablePointer<Float>

  /// Operations, their count, rows of three components before and after, their width, scratch
  /// memory, doubted pixels.
  typealias Run =
    @Sendable (
      UnsafePointer<RowOperation>, Int, ComponentRows, ComponentRows, Int, Numbers,
      UnsafeMutablePointer<Int32>
    ) -> Void
  let run: Run
  /// Rows of samples, their layout, count, an offset, the numbers.
  typealias Read = @Sendable (WeightedRows, SampleLayout, Int, Float, Numbers) -> Void
  let read: Read
  /// Numbers, count, thresholds, the largest code value, the samples' layout, the samples.
  typealias Write =
    @Sendable (
      UnsafePointer<Float>, Int, UnsafePointer<Float>, Int32, SampleLayout, UnsafeMutableRawPointer
    ) -> Void
  let write: Write
  /// Samples, whether they are bytes, count, gain, offset, thresholds, the largest code value,
  /// whether to write bytes, the new samples.
  typealias Requantize =
    @Sendable (
      UnsafeRawPointer, Bool, Int, Float, Float, UnsafePointer<Float>, Int32, Bool,
      UnsafeMutableRawPointer
    ) -> Void
  let requantize: Requantize
  /// Half a row, its count, the weights of even and of odd results, the row.
  typealias Interpolate =
    @Sendable (UnsafePointer<Float>, Int, SIMD8<Float>, SIMD8<Float>, Numbers) -> Void
  let interpolate: Interpolate
  /// A row, the count of half of it, weights, the half row.
  typealias Decimate = @Sendable (UnsafePointer<Float>, Int, SIMD8<Float>, Numbers) -> Void
  let decimate: Decimate
  /// Eight rows, weights, count, the sums.
  typealias Combine =
    @Sendable (UnsafePointer<UnsafePointer<Float>>, SIMD8<Float>, Int, Numbers) -> Void
  let combine: Combine
  /// Numbers, their count, the summary that they are added to.
  typealias Summarize =
    @Sendable (UnsafePointer<Float>, Int, UnsafeMutablePointer<RowSummary>) -> Void
  let summarize: Summarize
  /// Rows of three components, the first column, the one after the last, the map to R'G'B', the
  /// number of the last bin, the largest component of each pixel and its bin, the largest R', G'
  /// and B'.
  typealias CollectSignals =
    @Sendable (
      ComponentRows, Int, Int, AffineMap, Float, ComponentRows, UnsafeMutablePointer<SIMD4<Float>>
    ) -> Void
  let collectSignals: CollectSignals
  /// Two planes, their shape, the first band, the band after the last, memory, their differences.
  typealias Compare =
    @Sendable (
      PlaneSamples, PlaneSamples, PlaneShape, Int, Int, Numbers,
      UnsafeMutablePointer<PlaneDifference>
    ) -> Void
  let compare: Compare
  /// Rows of three components of two frames, the count of pixels, weights, distances, the histogram
  /// of distances, and its count of bins.
  typealias LightDifference =
    @Sendable (
      UnsafePointer<UnsafeRawPointer>, UnsafePointer<UnsafeRawPointer>, Int, SIMD4<Float>, Numbers,
      UnsafeMutablePointer<UInt32>, Int
    ) -> Void
  let lightDifference: LightDifference
  /// Numbers, count, the largest code value, the samples' layout, errors, the samples.
  let diffuse:
    @Sendable (
      UnsafePointer<Float>, Int, Int32, SampleLayout, Numbers, UnsafeMutableRawPointer
    ) -> Void = unsafe RowKernels.diffuse

  private init(
    run: @escaping Run, read: @escaping Read, write: @escaping Write,
    requantize: @escaping Requantize, interpolate: @escaping Interpolate,
    decimate: @escaping Decimate, combine: @escaping Combine, summarize: @escaping Summarize,
    collectSignals: @escaping CollectSignals, compare: @escaping Compare,
    lightDifference: @escaping LightDifference
  ) {
    unsafe self.run = unsafe run
    unsafe self.read = unsafe read
    unsafe self.write = unsafe write
    unsafe self.requantize = unsafe requantize
    unsafe self.interpolate = unsafe interpolate
    unsafe self.decimate = unsafe decimate
    unsafe self.combine = unsafe combine
    unsafe self.summarize = unsafe summarize
    unsafe self.collectSignals = unsafe collectSignals
    unsafe self.compare = unsafe compare
    unsafe self.lightDifference = unsafe lightDifference
  }

  static let baseline = unsafe RowKernelTable(
    run: RowKernels.run, read: RowKernels.read, write: RowKernels.write,
    requantize: RowKernels.requantize, interpolate: RowKernels.interpolate,
    decimate: RowKernels.decimate, combine: RowKernels.combine,
    summarize: RowKernels.summarize, collectSignals: RowKernels.collectSignals,
    compare: RowKernels.compare,
    lightDifference: RowKernels.lightDifference)

  #if arch(x86_64)
  static let avx2 = unsafe RowKernelTable(
    run: RowKernelsAVX2.run, read: RowKernelsAVX2.read, write: RowKernelsAVX2.write,
    requantize: RowKernelsAVX2.requantize, interpolate: RowKernelsAVX2.interpolate,
    decimate: RowKernelsAVX2.decimate, combine: RowKernelsAVX2.combine,
    summarize: RowKernelsAVX2.summarize, collectSignals: RowKernelsAVX2.collectSignals,
    compare: RowKernelsAVX2.compare,
    lightDifference: RowKernelsAVX2.lightDifference)

  static let avx512 = unsafe RowKernelTable(
    run: RowKernelsAVX512.run, read: RowKernelsAVX512.read, write: RowKernelsAVX512.write,
    requantize: RowKernelsAVX512.requantize, interpolate: RowKernelsAVX512.interpolate,
    decimate: RowKernelsAVX512.decimate, combine: RowKernelsAVX512.combine,
    summarize: RowKernelsAVX512.summarize, collectSignals: RowKernelsAVX512.collectSignals,
    compare: RowKernelsAVX512.compare,
    lightDifference: RowKernelsAVX512.lightDifference)
  #endif
}
