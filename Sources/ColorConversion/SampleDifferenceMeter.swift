// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Dispatch
internal import FoundationEssentials
package import MediaCore
internal import RowOperations

/// Compares the samples of two frames with the same size and chroma subsampling. For each plane, it
/// measures squared differences and SSIM.
///
/// Vector code computes what `SampleDifference` of `ColorScience` defines.
package final class SampleDifferenceMeter: Sendable {
  /// The result for one plane of two frames.
  package struct Plane: Hashable, Sendable {
    /// The sum of the squared differences, in code values of the larger depth.
    package let squaredError: Double
    /// The number of samples in the plane.
    package let count: Int
    /// SSIM, or `nil` for planes smaller than a window.
    package let similarity: Double?
  }

  /// The largest code value of the depth in which frames are compared.
  package let peak: Double

  private let first: PixelFormat
  private let second: PixelFormat
  private let shapes: [PlaneShape]
  private let kernels: RowKernelTable
  /// Each worker's memory, with one entry for each plane.
  private let memory: [Exclusive<[NumberMemory<Float>]>]

  /// Makes a meter for frames of two formats. Returns `nil` unless both formats are planar and have
  /// the same chroma subsampling.
  package convenience init?(
    _ first: PixelFormat, _ second: PixelFormat, width: Int, height: Int
  ) {
    self.init(first, second, width: width, height: height, instructionSet: .current)
  }

  init?(
    _ first: PixelFormat, _ second: PixelFormat, width: Int, height: Int,
    instructionSet: InstructionSet
  ) {
    guard first.layout == .planar, second.layout == .planar,
      first.chromaSubsampling == second.chromaSubsampling
    else { return nil }
    (self.first, self.second) = (first, second)
    kernels = instructionSet.kernels
    // Samples of fewer bits are converted to the larger depth, so that nothing is lost.
    let peak = SampleDifference.peak(bitDepth: max(first.bitDepth, second.bitDepth))
    let constants = SampleDifference.constants(peak: peak)
    self.peak = peak
    let shapes = (0..<first.planeCount).map { plane in
      let size = first.planeSize(plane, width: width, height: height)
      return PlaneShape(
        width: size.width, height: size.height, middle: Float((peak / 2).rounded()),
        constants: [Float(constants.mean), Float(constants.variance)])
    }
    self.shapes = shapes
    memory = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Exclusive(shapes.map { NumberMemory(count: $0.memoryCount) })
    }
  }

  /// Compares two frames of the meter's formats and size.
  package func measure(_ one: PixelBuffer, _ other: PixelBuffer) -> [Plane] {
    let parts = shapes.indices.flatMap { plane in
      stripes(shapes[plane].bandCount).map { (plane: plane, bands: $0) }
    }
    let results = memory.map { _ in
      Exclusive([PlaneDifference](repeating: PlaneDifference(), count: shapes.count))
    }
    DispatchQueue.concurrentPerform(iterations: memory.count) { worker in
      // A part always goes to the same worker, so that sums are added in the same order in every
      // run.
      for index in stride(from: worker, to: parts.count, by: memory.count) {
        let (plane, bands) = parts[index]
        let difference = compare(one, other, plane: plane, bands, worker: worker)
        results[worker].use { $0[plane] += difference }
      }
    }
    return shapes.indices.map { plane in
      var sum = PlaneDifference()
      for result in results { sum += result.use { $0[plane] } }
      return Plane(
        squaredError: sum.squares, count: shapes[plane].width * shapes[plane].height,
        similarity: sum.windowCount > 0 ? sum.similarity / Double(sum.windowCount) : nil)
    }
  }

  /// Cuts the bands of a plane, which have four rows each, into runs.
  private func stripes(_ bandCount: Int) -> [Range<Int>] {
    // The last rows can be too few for a band. The kernel handles them together with the last
    // band.
    let count = max(min(bandCount / 8, memory.count * 4), 1)
    return (0..<count).map { bandCount * $0 / count..<bandCount * ($0 + 1) / count }
  }

  private func compare(
    _ one: PixelBuffer, _ other: PixelBuffer, plane: Int, _ bands: Range<Int>, worker: Int
  ) -> PlaneDifference {
    memory[worker].use { memory in
      var difference = PlaneDifference()
      unsafe kernels.compare(
        samples(one, first, plane), samples(other, second, plane), shapes[plane],
        bands.lowerBound, bands.upperBound, memory[plane].start, &difference)
      return difference
    }
  }

  private func samples(_ frame: PixelBuffer, _ format: PixelFormat, _ plane: Int) -> PlaneSamples {
    let depth = max(first.bitDepth, second.bitDepth)
    let place = unsafe frame.planes[plane]
    return unsafe PlaneSamples(
      start: place.baseAddress, bytesPerRow: place.bytesPerRow, isWide: format.bitDepth > 8,
      weight: Float(UInt64(1) << UInt64(depth - format.bitDepth)))
  }
}
