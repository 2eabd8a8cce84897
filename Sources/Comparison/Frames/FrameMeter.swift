// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import LibAV
internal import MediaCore

/// Measures pairs of frames, one after the other.
final class FrameMeter {
  private let source: AssetTrack
  private let output: AssetTrack
  private let turn: FrameTurn?
  private var parts: Parts?
  private var metrics: [(row: FrameMetric, sums: any MetricSums)] = []
  private var hasDifference = false
  private var pictures = FrameWatch()
  private(set) var frames: [FrameValues] = []
  /// The reasons why something was not measured, in the order in which they were found.
  private(set) var reasons: [String] = []

  /// What is made for the first pair and used for all later pairs. A meter is `nil` if its metrics
  /// cannot be measured.
  private typealias Parts = (
    fit: FrameFit, samples: SampleDifferenceMeter?, light: LightDifferenceMeter?
  )

  init(_ source: AssetTrack, _ output: AssetTrack) {
    (self.source, self.output) = (source, output)
    let matrices = [source, output].map { $0.matrix ?? $0.demuxed.displayMatrix }
    // If the matrices are equal, no turn is needed, even if they do more than rotate.
    turn =
      matrices[0] == matrices[1]
      ? FrameTurn(from: nil, to: nil) : FrameTurn(from: matrices[1], to: matrices[0])
  }

  /// Measures a pair of frames.
  func measure(_ one: TimedFrame, _ other: TimedFrame, number: Int) throws {
    guard let turned = turn?(other.frame.pixelBuffer, as: one.frame.pixelBuffer.size) else {
      return state("frames: one file is rotated in a way that cannot be undone")
    }
    let buffers = (one.frame.pixelBuffer, turned)
    // Watch the frames before they are fitted, because fitting might fail, and a wrong image should
    // be found even then.
    pictures.add(buffers.0, buffers.1)
    guard let parts = try parts(buffers.0, buffers.1) else { return }
    let pair = ComparedPair(
      try parts.fit.source(buffers.0), try parts.fit.output(buffers.1), parts.samples, parts.light)
    hasDifference = hasDifference || pair.planes.contains { $0.squaredError > 0 }
    var values = MetricValues()
    for index in metrics.indices {
      values[metrics[index].row] = metrics[index].sums.add(pair)
    }
    frames.append(FrameValues(frame: number, time: one.start.seconds, metrics: values))
  }

  /// Adds the sums over all pairs to a result.
  func complete(_ result: inout FrameComparison) {
    (result.frames, result.reasons, result.comparedCount) = (frames, reasons, frames.count)
    result.otherContentCount = pictures.otherCount
    result.isScaled = parts?.fit.isScaled ?? false
    guard let parts, !frames.isEmpty else { return }
    for metric in metrics { result.metrics[metric.row] = metric.sums.numbers }
    // Equal values in different formats, such as 8 and 10 bits, are not the same samples.
    result.isIdentical =
      parts.samples != nil && !hasDifference
      && parts.fit.formats.first == parts.fit.formats.last
  }

  /// - Returns: `nil` if the size or format differs from that of the first pair.
  private func parts(_ one: PixelBuffer, _ other: PixelBuffer) throws -> Parts? {
    if let parts {
      guard parts.fit.fits(one, other) else {
        state("frames: their size or format changes in the middle")
        return nil
      }
      return parts
    }
    let fit = try FrameFit(source, one, other)
    let parts: Parts = (fit, samples(one, other, fit), light(one, other, fit))
    self.parts = parts
    metrics = FrameMetric.all.filter { metric in
      switch metric.needs {
      case .codeValues: parts.samples != nil
      case .light: parts.light != nil
      }
    }.map { ($0, $0.sums()) }
    return parts
  }

  private func state(_ reason: String) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  private func signal(_ track: AssetTrack) -> SignalDescription {
    track.shownVideo?.tags.signal ?? SignalDescription()
  }

  private func samples(
    _ one: PixelBuffer, _ other: PixelBuffer, _ fit: FrameFit
  ) -> SampleDifferenceMeter? {
    let name = FrameMetric.names(needing: .codeValues)
    let subsampling = one.format.chromaSubsampling
    if let reason = signal(source).difference(from: signal(output), subsampling) {
      state("\(name): \(reason)")
      return nil
    }
    let meter = SampleDifferenceMeter(
      one.format, other.format, width: fit.size.width, height: fit.size.height)
    if meter == nil { state("\(name): the chroma subsamplings differ") }
    return meter
  }

  private func light(
    _ one: PixelBuffer, _ other: PixelBuffer, _ fit: FrameFit
  ) -> LightDifferenceMeter? {
    func description(_ track: AssetTrack, _ frame: PixelBuffer) -> FrameDescription {
      FrameDescription(
        signal: signal(track), format: frame.format,
        isInterlaced: (track.video?.fieldOrder ?? .progressive) != .progressive)
    }
    let name = FrameMetric.names(needing: .light)
    if let obstacle = source.dolbyVisionObstacle ?? output.dolbyVisionObstacle {
      state("\(name): \(obstacle)")
      return nil
    }
    do {
      return try LightDifferenceMeter(
        description(source, one), description(output, other), width: fit.size.width,
        height: fit.size.height)
    } catch {
      state("\(name): \(error.reason)")
      return nil
    }
  }
}
