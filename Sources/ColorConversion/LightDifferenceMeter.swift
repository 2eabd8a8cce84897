// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Dispatch
internal import FoundationEssentials
package import MediaCore
internal import RowOperations

/// Measures ΔE ITP (BT.2124) between frames of any two signals. Both are converted to the light
/// that their displays show, and then to ICtCp in its PQ form.
///
/// PQ is absolute, and HLG goes through its OOTF for a display of 1000 cd/m². SDR has its white at
/// 203 cd/m², and the BT.709 family is read by BT.1886. Parts of a signal that are not declared
/// count as BT.709.
package final class LightDifferenceMeter: Sendable {
  /// ΔE ITP of the pixels of a frame, or of many frames.
  package struct Summary: Hashable, Sendable {
    /// The mean of all pixels.
    package let mean: Double
    /// The value that 95 % of the pixels do not exceed, rounded to a hundredth.
    package let percentile95: Double
    /// The value of the pixel that differs most.
    package let maximum: Double
  }

  private let converters: [FrameConverter?]
  private let weights: SIMD4<Float>
  private let width: Int
  private let height: Int
  private let kernels = InstructionSet.current.kernels
  private let workers: [Exclusive<Worker>]
  private let total = Exclusive(Distances())

  /// How many bins a histogram of distances has. Each bin is a hundredth wide, and the last one
  /// counts all larger distances.
  private static let binCount = 1 << 16
  private static let binsOfOne = 100.0

  /// The memory of one worker.
  private struct Worker {
    let distances: NumberMemory<Float>
    let histogram = NumberMemory<UInt32>(count: binCount)
    var summary = RowSummary()
  }

  /// The distances of the pixels of a frame, or of many frames.
  private struct Distances {
    /// How many pixels each bin has. The list is only as long as the largest distance needs.
    private var counts: [Int] = []
    private var sum = 0.0
    private var maximum = 0.0

    /// Adds the distances that a worker found, and resets the worker.
    mutating func take(_ worker: inout Worker) {
      // Frames rarely differ much, so nearly all bins are empty. Read only the bins up to the
      // largest distance, and one more, because kernels round.
      let distance = max(Double(worker.summary.maximum), 0)
      let end = min(Int(distance * binsOfOne) + 2, binCount)
      reserve(end)
      for bin in 0..<end {
        counts[bin] += unsafe Int(worker.histogram.start[bin])
        unsafe worker.histogram.start[bin] = 0
      }
      sum += worker.summary.sum
      maximum = max(maximum, distance)
      worker.summary = RowSummary()
    }

    mutating func add(_ other: Distances) {
      reserve(other.counts.count)
      for bin in other.counts.indices { counts[bin] += other.counts[bin] }
      sum += other.sum
      maximum = max(maximum, other.maximum)
    }

    private mutating func reserve(_ count: Int) {
      counts += [Int](repeating: 0, count: max(count - counts.count, 0))
    }

    /// The summary; `nil` if there are no pixels.
    var summary: Summary? {
      let total = counts.reduce(0, +)
      guard total > 0 else { return nil }
      return Summary(
        mean: sum / Double(total), percentile95: percentile(0.95, of: total), maximum: maximum)
    }

    /// Returns the distance that this share of all pixels does not exceed.
    private func percentile(_ share: Double, of total: Int) -> Double {
      // Sorting millions of pixels would be slow. Instead, distances were counted in bins of a
      // hundredth.
      var rest = Int((Double(total) * share).rounded(.up))
      for bin in counts.indices {
        rest -= counts[bin]
        if rest <= 0 { return Double(bin) / binsOfOne }
      }
      return 0
    }
  }

  /// What frames are converted to before they are compared: I, Ct and Cp of PQ, in 16 bits and full
  /// range.
  private static let target = FrameDescription(
    signal: SignalDescription(
      color: ColorDescription(.bt2020, .pq, .iCtCp), videoFullRangeFlag: true),
    format: PixelFormat(bitDepth: 16, chromaSubsampling: .cs444))

  /// Makes a meter for frames of two signals and one size.
  ///
  /// - Throws: ``ConversionRefusal`` if the light of a signal is not known.
  package init(
    _ first: FrameDescription, _ second: FrameDescription, width: Int, height: Int
  ) throws(ConversionRefusal) {
    var options = ConversionOptions()
    // Mapping and dithering would change the differences that are measured.
    (options.toneMapping, options.gamutMapping, options.dither) = (.none, .none, .none)
    var converters: [FrameConverter?] = []
    for var source in [first, second] {
      source.signal.color = source.signal.color.completed()
      // SDR's white is converted to 203 cd/m², the diffuse white of HDR (BT.2408). So SDR and HDR
      // are compared as viewers see them.
      let plan = try ConversionPlan(from: source, to: Self.target, options: options)
        .withoutSignalBeforeICtCp
      converters.append(
        plan.isIdentity ? nil : FrameConverter(plan: plan, width: width, height: height))
    }
    self.converters = converters
    (self.width, self.height) = (width, height)
    let scales = (0..<3).map { component in
      Quantization(component: component, of: .iCtCp, isFullRange: true, bitDepth: 16).scale
    }
    let counts = [
      ICtCp.differenceWeights.x, ICtCp.differenceWeights.y, ICtCp.differenceWeights.z,
    ]
    // Kernels subtract code values of 16 bits, so the weights also contain the size of a code
    // value.
    let unit = zip(counts, scales).map { Float(ICtCp.differenceScale * $0 / $1) }
    weights = [unit[0], unit[1], unit[2], 0]
    workers = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Exclusive(Worker(distances: NumberMemory(count: width)))
    }
  }

  /// Compares two frames. The result also counts for ``summary``.
  package func measure(_ one: PixelBuffer, _ other: PixelBuffer) -> Summary {
    let frames = zip(converters, [one, other]).map { $0?.convert($1) ?? $1 }
    DispatchQueue.concurrentPerform(iterations: workers.count) { index in
      workers[index].use { worker in
        // Each worker has fixed rows, so that sums are added in the same order in every run.
        for line in stride(from: index, to: height, by: workers.count) {
          compare(frames[0], frames[1], line: line, &worker)
        }
      }
    }
    return collect()
  }

  private func compare(
    _ one: PixelBuffer, _ other: PixelBuffer, line: Int, _ worker: inout Worker
  ) {
    func rows(_ frame: PixelBuffer) -> [UnsafeRawPointer] {
      unsafe frame.planes.map { unsafe $0.baseAddress + line * $0.bytesPerRow }
    }
    let (distances, histogram) = (worker.distances, worker.histogram)
    unsafe rows(one).withUnsafeBufferPointer { first in
      unsafe rows(other).withUnsafeBufferPointer { second in
        guard let first = first.baseAddress, let second = second.baseAddress else { return }
        unsafe kernels.lightDifference(
          first, second, width, weights, distances.start, histogram.start, Self.binCount)
      }
    }
    unsafe kernels.summarize(distances.start, width, &worker.summary)
  }

  /// Returns the summary of what all threads found in a frame, and adds it to the total.
  private func collect() -> Summary {
    var frame = Distances()
    for worker in workers { worker.use { frame.take(&$0) } }
    total.use { $0.add(frame) }
    return frame.summary ?? Summary(mean: 0, percentile95: 0, maximum: 0)
  }

  /// The summary of all frames that were compared, or `nil` before the first.
  package var summary: Summary? { total.use(\.summary) }
}
