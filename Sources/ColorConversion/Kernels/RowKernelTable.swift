// SPDX-License-Identifier: GPL-2.0-or-later
internal import RowKernels
internal import RowOperations

#if arch(x86_64)
internal import RowKernelsAVX2
internal import RowKernelsAVX512
#endif

// This is a class, because copying so many functions takes longer than some of them run.

/// The row kernels of an instruction set. For what each of them does and which rows it needs, see
/// the function of the same name in `RowKernels`.
@safe
final class RowKernelTable: Sendable {
  typealias Numbers = UnsafeMutablePointer<Float>

  /// The parameters are operations, their count, the rows of three components before and after the
  /// operations, the width of the rows, scratch memory, and the list of doubtful pixels.
  typealias Run =
    @Sendable (
      UnsafePointer<RowOperation>, Int, ComponentRows, ComponentRows, Int, Numbers,
      UnsafeMutablePointer<Int32>
    ) -> Void
  let run: Run
  /// The parameters are rows of samples, the samples' layout and count, an offset, and the numbers.
  typealias Read = @Sendable (WeightedRows, SampleLayout, Int, Float, Numbers) -> Void
  let read: Read
  /// The parameters are numbers, their count, thresholds, the largest code value, the samples'
  /// layout, and the samples.
  typealias Write =
    @Sendable (
      UnsafePointer<Float>, Int, UnsafePointer<Float>, Int32, SampleLayout, UnsafeMutableRawPointer
    ) -> Void
  let write: Write
  /// The parameters are samples, whether they are bytes, their count, gain, offset, thresholds, the
  /// largest code value, whether to write bytes, and the new samples.
  typealias Requantize =
    @Sendable (
      UnsafeRawPointer, Bool, Int, Float, Float, UnsafePointer<Float>, Int32, Bool,
      UnsafeMutableRawPointer
    ) -> Void
  let requantize: Requantize
  /// The parameters are half a row, its count, the weights of even results and of odd ones, and the
  /// row.
  typealias Interpolate =
    @Sendable (UnsafePointer<Float>, Int, SIMD8<Float>, SIMD8<Float>, Numbers) -> Void
  let interpolate: Interpolate
  /// The parameters are a row, half of the row's count, weights, and the half row.
  typealias Decimate = @Sendable (UnsafePointer<Float>, Int, SIMD8<Float>, Numbers) -> Void
  let decimate: Decimate
  /// The parameters are eight rows, weights, the count of a row, and the sums.
  typealias Combine =
    @Sendable (UnsafePointer<UnsafePointer<Float>>, SIMD8<Float>, Int, Numbers) -> Void
  let combine: Combine
  /// The parameters are numbers, their count, and the summary that they are added to.
  typealias Summarize =
    @Sendable (UnsafePointer<Float>, Int, UnsafeMutablePointer<RowSummary>) -> Void
  let summarize: Summarize
  /// The parameters are rows of three components, the first column, the column after the last, the
  /// map to R'G'B', the number of the last bin, the largest component of each pixel together with
  /// its bin, and the largest R', G' and B'.
  typealias CollectSignals =
    @Sendable (
      ComponentRows, Int, Int, AffineMap, Float, ComponentRows, UnsafeMutablePointer<SIMD4<Float>>
    ) -> Void
  let collectSignals: CollectSignals
  /// The parameters are two planes, their shape, the first band, the band after the last, memory,
  /// and the differences of the planes.
  typealias Compare =
    @Sendable (
      PlaneSamples, PlaneSamples, PlaneShape, Int, Int, Numbers,
      UnsafeMutablePointer<PlaneDifference>
    ) -> Void
  let compare: Compare
  /// The parameters are rows of three components from each of two frames, the count of pixels,
  /// weights, distances, the histogram of distances, and its count of bins.
  typealias LightDifference =
    @Sendable (
      UnsafePointer<UnsafeRawPointer>, UnsafePointer<UnsafeRawPointer>, Int, SIMD4<Float>, Numbers,
      UnsafeMutablePointer<UInt32>, Int
    ) -> Void
  let lightDifference: LightDifference
  /// The parameters are numbers, their count, the largest code value, the samples' layout, errors,
  /// and the samples.
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

extension InstructionSet {
  /// The functions that are compiled for these instructions.
  var kernels: RowKernelTable {
    switch self {
    #if arch(x86_64)
    case .avx512: .avx512
    case .avx2: .avx2
    #endif
    default: .baseline
    }
  }
}
