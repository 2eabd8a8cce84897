// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Host
internal import LibAV
internal import MediaCore

/// Plots level 1 over time: minimum, average and maximum of each frame.
extension RPUReport {
  /// Writes the plot of a file as a PNG.
  ///
  /// - Parameters:
  ///   - input: a video file, or a file of RPUs.
  ///   - overwrite: whether a file at `output` is replaced.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no RPU has level 1;
  ///   `CancellationError` when the task was cancelled.
  package static func writePlot(
    of input: String, to output: String, overwrite: Bool = false
  ) async throws {
    try TranscodingError.refuseUnusable(input: input)
    try checkName(output)
    let file = try UnfinishedFile(
      destination: output, overwrite: overwrite, in: RunFiles(reading: input))
    defer { file.discard() }
    try await Pipeline.onThread("plot") { checkpoint in
      let frames = try RPUReport(path: input, checkpoint).frames
      guard frames.contains(where: { $0.level1 != nil }) else {
        throw TranscodingError(.unusableInput, "\(input): no RPU has level 1")
      }
      let canvas = draw(frames)
      let png: [UInt8]
      do {
        png = try ImageEncoder.png(canvas.pixels, width: canvas.width, height: canvas.height)
      } catch {
        throw TranscodingError(.unavailable, "cannot write the PNG: \(error)")
      }
      try file.write(png)
      try file.publish()
    }
  }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the name belongs to another kind
  ///   of file.
  private static func checkName(_ output: String) throws {
    let parts = PosixPath.name(of: output).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.last?.lowercased() == "png" else {
      throw TranscodingError(
        .invalidSettings,
        "\(output): a plot is a PNG file; use the extension .png")
    }
  }

  private static let plot = (left: 90, top: 50, right: 1190, bottom: 640)
  private static let size = VideoDimensions(width: 1280, height: 720)
  private static let lines: [(name: String, color: PlotCanvas.Color)] = [
    ("max", PlotCanvas.Color(200, 60, 30)), ("avg", PlotCanvas.Color(20, 110, 60)),
    ("min", PlotCanvas.Color(40, 70, 190)),
  ]

  private static func draw(_ frames: [RPUFrameReport]) -> PlotCanvas {
    var canvas = PlotCanvas(width: size.width, height: size.height)
    drawAxes(&canvas, frames)
    for (index, line) in lines.enumerated() {
      canvas.text("Level 1 \(line.name)", x: plot.left + index * 180 + 30, y: 20, color: line.color)
      canvas.fill(x: plot.left + index * 180, y: 25, width: 22, height: 3, line.color)
      var before: (x: Double, y: Double)?
      for (position, frame) in frames.enumerated() {
        // A frame without level 1 leaves a gap. A line across it would look like measured values.
        guard let level = frame.level1 else {
          before = nil
          continue
        }
        let code = [level.maxPQ, level.avgPQ, level.minPQ][index]
        let point = (x: x(position, of: frames.count), y: y(Double(code) / 4095))
        // The first point has no predecessor, so it becomes a line of one pixel.
        canvas.line(from: before ?? (point.x - 1, point.y), to: point, line.color)
        before = point
      }
    }
    return canvas
  }

  private static func x(_ index: Int, of count: Int) -> Double {
    let share = count > 1 ? Double(index) / Double(count - 1) : 0.5
    return Double(plot.left) + share * Double(plot.right - plot.left)
  }

  private static func y(_ signal: Double) -> Double {
    Double(plot.bottom) - signal * Double(plot.bottom - plot.top)
  }

  /// Draws PQ codes on the left, cd/m² on the right, and times or frame numbers below.
  private static func drawAxes(_ canvas: inout PlotCanvas, _ frames: [RPUFrameReport]) {
    let (gray, faint) = (PlotCanvas.Color(90, 90, 90), PlotCanvas.Color(222, 222, 222))
    let width = plot.right - plot.left
    for code in stride(from: 0, through: 4096, by: 512) {
      // The scale ends at 4095, one below the last step of 512.
      let row = Int(y(Double(min(code, 4095)) / 4095))
      canvas.fill(x: plot.left, y: row, width: width, height: 1, faint)
      canvas.text("\(min(code, 4095))", x: plot.left - 8, y: row - 6, color: gray, isRight: true)
    }
    // 203 cd/m² is diffuse white in HDR (BT.2408), the level that people look for.
    for light in [0.1, 1, 10, 100, 203, 1000, 4000, 10_000] {
      let row = Int(y(PQ.inverseEOTF(light)))
      canvas.fill(x: plot.right, y: row, width: 6, height: 1, gray)
      let text = light < 1 ? "\(light)" : "\(Int(light))"
      canvas.text(text, x: plot.right + 10, y: row - 6, color: gray)
    }
    canvas.text("PQ", x: plot.left - 8, y: 20, color: gray, isRight: true)
    canvas.text("cd/m2", x: plot.right + 10, y: 20, color: gray)
    canvas.fill(x: plot.left, y: plot.top, width: 1, height: plot.bottom - plot.top, gray)
    canvas.fill(x: plot.right, y: plot.top, width: 1, height: plot.bottom - plot.top, gray)
    canvas.fill(x: plot.left, y: plot.bottom, width: width, height: 1, gray)
    drawTimes(&canvas, frames, gray)
  }

  private static func drawTimes(
    _ canvas: inout PlotCanvas, _ frames: [RPUFrameReport], _ color: PlotCanvas.Color
  ) {
    let marks = min(frames.count, 9)
    for mark in 0..<marks {
      let index = marks > 1 ? mark * (frames.count - 1) / (marks - 1) : 0
      let frame = frames[index]
      let place = Int(x(index, of: frames.count))
      canvas.fill(x: place, y: plot.bottom, width: 1, height: 6, color)
      canvas.text("\(frame.frame)", x: place, y: plot.bottom + 12, color: color, isCentered: true)
      guard let time = frame.time else { continue }
      let text = "\(time.text(decimals: 2)) s"
      canvas.text(text, x: place, y: plot.bottom + 32, color: color, isCentered: true)
    }
    canvas.text("frame", x: plot.left - 20, y: plot.bottom + 12, color: color, isRight: true)
  }
}
