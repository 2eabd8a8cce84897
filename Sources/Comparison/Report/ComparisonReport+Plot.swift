// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
internal import LibAV
internal import MediaCore

/// A plot of a comparison: the metrics of each frame over time.
extension ComparisonReport {
  /// Reserves the file of a plot before the comparison begins.
  ///
  /// - Parameters:
  ///   - output: the path of the plot.
  ///   - overwrite: whether a file at `output` is replaced.
  ///   - files: all files that the run reads and writes. The plot is added to them.
  /// - Throws: ``TranscodingError`` if the plot cannot be written to this path.
  package static func plotFile(
    at output: String, overwrite: Bool, in files: RunFiles
  ) throws -> UnfinishedFile {
    let parts = PosixPath.name(of: output).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.last?.lowercased() == "png" else {
      throw TranscodingError(
        .invalidSettings,
        "\(output): a plot is a PNG file; use the extension .png")
    }
    return try UnfinishedFile(destination: output, overwrite: overwrite, in: files)
  }

  /// Writes the plot.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no frames were compared.
  package func writePlot(to file: UnfinishedFile) throws {
    defer { file.discard() }
    let frames = tracks.lazy.compactMap(\.frames).first?.frames ?? []
    guard !frames.isEmpty else {
      throw TranscodingError(.unusableInput, "there are no frames to plot")
    }
    let canvas = Self.draw(frames)
    do {
      try file.write(
        try ImageEncoder.png(canvas.pixels, width: canvas.width, height: canvas.height))
    } catch let error as LibAVError {
      throw TranscodingError(.unavailable, "cannot write the PNG: \(error)")
    }
    try file.publish()
  }

  private static let sides = (left: 110, right: 1240)
  private static let width = 1280
  private static let panelHeight = 220
  private static let panelDistance = 290

  /// Returns the metrics that have numbers.
  private static func metrics(of frames: [FrameValues]) -> [FrameMetric] {
    let all = FrameMetric.all.filter { metric in
      metric.plot.curves.contains { !numbers($0.part, of: metric, frames).allSatisfy { $0 == nil } }
    }
    // What a viewer sees matters most, so metrics of light come before metrics of code values.
    return all.filter { $0.needs == .light } + all.filter { $0.needs != .light }
  }

  /// Returns the numbers of a metric's part, frame by frame.
  private static func numbers(
    _ part: Int, of metric: FrameMetric, _ frames: [FrameValues]
  ) -> [Double?] {
    frames.map { $0.metrics[metric]?.dropFirst(part).first ?? nil }
  }

  private static func draw(_ frames: [FrameValues]) -> PlotCanvas {
    let metrics = metrics(of: frames)
    var canvas = PlotCanvas(width: width, height: max(metrics.count, 1) * panelDistance + 10)
    for (index, metric) in metrics.enumerated() {
      draw(metric, top: 50 + index * panelDistance, frames, &canvas)
    }
    return canvas
  }

  private static func draw(
    _ metric: FrameMetric, top: Int, _ frames: [FrameValues], _ canvas: inout PlotCanvas
  ) {
    let (gray, faint) = (PlotCanvas.Color(90, 90, 90), PlotCanvas.Color(222, 222, 222))
    let plot = metric.plot
    let curves = plot.curves.map { numbers($0.part, of: metric, frames) }
    let values = curves.joined().compactMap { $0 }
    // A fixed range makes plots comparable. It grows only if values are outside it.
    let low = min(plot.range.lowerBound, values.min() ?? .infinity)
    let high = max(plot.range.upperBound, values.max() ?? -.infinity)
    func row(_ value: Double) -> Double {
      Double(top + panelHeight) - (value - low) / (high - low) * Double(panelHeight)
    }
    canvas.text(plot.title, x: sides.left, y: top - 28, color: gray)
    for mark in 0...4 {
      let value = low + (high - low) * Double(mark) / 4
      let place = Int(row(value))
      canvas.fill(x: sides.left, y: place, width: sides.right - sides.left, height: 1, faint)
      let text = value.text(decimals: high - low < 2 ? 3 : 1)
      canvas.text(text, x: sides.left - 8, y: place - 6, color: gray, isRight: true)
    }
    for (index, curve) in plot.curves.enumerated() {
      let x = sides.left + 220 + index * 160
      canvas.fill(x: x, y: top - 23, width: 22, height: 3, curve.color)
      canvas.text(curve.name, x: x + 30, y: top - 28, color: curve.color)
      draw(curves[index], curve.color, frames, row, &canvas)
    }
    drawTimes(frames, bottom: top + panelHeight, gray, &canvas)
  }

  private static func draw(
    _ curve: [Double?], _ color: PlotCanvas.Color, _ frames: [FrameValues],
    _ row: (Double) -> Double, _ canvas: inout PlotCanvas
  ) {
    var before: (x: Double, y: Double)?
    for (frame, value) in zip(frames, curve) {
      let point = value.map { (x: column(frame.time, frames), y: row($0)) }
      if let point { canvas.line(from: before ?? (point.x - 1, point.y), to: point, color) }
      before = point
    }
  }

  private static func column(_ time: Double, _ frames: [FrameValues]) -> Double {
    let (first, last) = (frames.first?.time ?? 0, frames.last?.time ?? 0)
    let share = last > first ? (time - first) / (last - first) : 0.5
    return Double(sides.left) + share * Double(sides.right - sides.left)
  }

  private static func drawTimes(
    _ frames: [FrameValues], bottom: Int, _ color: PlotCanvas.Color, _ canvas: inout PlotCanvas
  ) {
    let (first, last) = (frames.first?.time ?? 0, frames.last?.time ?? 0)
    for mark in 0...8 {
      let time = first + (last - first) * Double(mark) / 8
      let x = Int(column(time, frames))
      canvas.fill(x: x, y: bottom, width: 1, height: 6, color)
      canvas.text(
        "\(time.text(decimals: 2)) s", x: x, y: bottom + 12, color: color, isCentered: true)
    }
  }
}
