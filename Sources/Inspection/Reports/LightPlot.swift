// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Host
internal import LibAV
internal import MediaCore

/// A plot of light over time, in PQ and cd/m².
package struct LightPlot {
  /// A line of the plot.
  struct Line {
    let name: String
    let color: PlotCanvas.Color
    /// The PQ signal of each frame, 0…1; `nil` for a frame without a value.
    let signals: [Double?]
  }

  /// The numbers of the frames, and their times in seconds if they are known.
  let frames: [(number: Int, time: Double?)]
  let lines: [Line]

  /// Writes the plot as a PNG.
  ///
  /// - Parameters:
  ///   - input: the file that the plot is about.
  ///   - overwrite: whether a file at `output` is replaced.
  ///   - plot: reads the file and makes the plot.
  static func write(
    of input: String, to output: String, overwrite: Bool,
    _ plot: @escaping @Sendable (@escaping Pipeline.Checkpoint) throws -> LightPlot
  ) async throws {
    try TranscodingError.refuseUnusable(input: input)
    try checkName(output)
    let file = try UnfinishedFile(
      destination: output, overwrite: overwrite, in: RunFiles(reading: input))
    defer { file.discard() }
    try await Pipeline.onThread("plot") { checkpoint in
      let canvas = try plot(checkpoint).drawn
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

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the name has an extension other
  ///   than `.png`.
  package static func checkName(_ output: String) throws {
    let parts = PosixPath.name(of: output).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.last?.lowercased() == "png" else {
      throw TranscodingError(
        .invalidSettings,
        "\(output): a plot is a PNG file; use the extension .png")
    }
  }

  private static let area = (left: 90, top: 50, right: 1190, bottom: 640)
  private static let size = VideoDimensions(width: 1280, height: 720)
  /// The width of a line's name in the legend.
  private static let legendWidth = 180

  private var drawn: PlotCanvas {
    var canvas = PlotCanvas(width: Self.size.width, height: Self.size.height)
    drawAxes(&canvas)
    for (index, line) in lines.enumerated() {
      let left = Self.area.left + index * Self.legendWidth
      canvas.text(line.name, x: left + 30, y: 20, color: line.color)
      canvas.fill(x: left, y: 25, width: 22, height: 3, line.color)
      var before: (x: Double, y: Double)?
      for (position, signal) in line.signals.enumerated() {
        // A frame without a value leaves a gap. A line across it would look like measured values.
        guard let signal else {
          before = nil
          continue
        }
        let point = (x: x(position), y: Self.y(signal))
        // A point without a predecessor becomes a line of one pixel.
        canvas.line(from: before ?? (point.x - 1, point.y), to: point, line.color)
        before = point
      }
    }
    return canvas
  }

  private func x(_ index: Int) -> Double {
    let share = frames.count > 1 ? Double(index) / Double(frames.count - 1) : 0.5
    return Double(Self.area.left) + share * Double(Self.area.right - Self.area.left)
  }

  private static func y(_ signal: Double) -> Double {
    Double(area.bottom) - signal * Double(area.bottom - area.top)
  }

  /// Draws PQ codes on the left, cd/m² on the right, and frame numbers and times below.
  private func drawAxes(_ canvas: inout PlotCanvas) {
    let (gray, faint) = (PlotCanvas.Color(90, 90, 90), PlotCanvas.Color(222, 222, 222))
    let area = Self.area
    let width = area.right - area.left
    for code in stride(from: 0, through: 4096, by: 512) {
      // The last multiple of 512 is 4096, but the largest code is 4095.
      let row = Int(Self.y(Double(min(code, 4095)) / 4095))
      canvas.fill(x: area.left, y: row, width: width, height: 1, faint)
      canvas.text("\(min(code, 4095))", x: area.left - 8, y: row - 6, color: gray, isRight: true)
    }
    // 203 cd/m² is diffuse white in HDR (BT.2408), the level that people look for.
    for light in [0.1, 1, 10, 100, 203, 1000, 4000, 10_000] {
      let row = Int(Self.y(PQ.inverseEOTF(light)))
      canvas.fill(x: area.right, y: row, width: 6, height: 1, gray)
      let text = light < 1 ? "\(light)" : "\(Int(light))"
      canvas.text(text, x: area.right + 10, y: row - 6, color: gray)
    }
    canvas.text("PQ", x: area.left - 8, y: 20, color: gray, isRight: true)
    canvas.text("cd/m2", x: area.right + 10, y: 20, color: gray)
    canvas.fill(x: area.left, y: area.top, width: 1, height: area.bottom - area.top, gray)
    canvas.fill(x: area.right, y: area.top, width: 1, height: area.bottom - area.top, gray)
    canvas.fill(x: area.left, y: area.bottom, width: width, height: 1, gray)
    drawTimes(&canvas, gray)
  }

  private func drawTimes(_ canvas: inout PlotCanvas, _ color: PlotCanvas.Color) {
    let marks = min(frames.count, 9)
    for mark in 0..<marks {
      let index = marks > 1 ? mark * (frames.count - 1) / (marks - 1) : 0
      let frame = frames[index]
      let (place, bottom) = (Int(x(index)), Self.area.bottom)
      canvas.fill(x: place, y: bottom, width: 1, height: 6, color)
      canvas.text("\(frame.number)", x: place, y: bottom + 12, color: color, isCentered: true)
      guard let time = frame.time else { continue }
      let text = "\(time.text(decimals: 2)) s"
      canvas.text(text, x: place, y: bottom + 32, color: color, isCentered: true)
    }
    canvas.text(
      "frame", x: Self.area.left - 20, y: Self.area.bottom + 12, color: color, isRight: true)
  }
}

extension LightPlot {
  /// Returns the lines for Dolby Vision's level 1.
  static func level1(_ frames: [RPUFrameReport.Brightness?]) -> [Line] {
    func line(
      _ name: String, _ color: PlotCanvas.Color, _ code: (RPUFrameReport.Brightness) -> Int
    ) -> Line {
      Line(
        name: "Level 1 \(name)", color: color,
        signals: frames.map { $0.map { Double(code($0)) / 4095 } })
    }
    return [
      line("max", PlotCanvas.Color(200, 60, 30)) { $0.maxPQ },
      line("avg", PlotCanvas.Color(20, 110, 60)) { $0.avgPQ },
      line("min", PlotCanvas.Color(40, 70, 190)) { $0.minPQ },
    ]
  }

  /// Whether any frame has a value.
  var hasValues: Bool { lines.contains { $0.signals.contains { $0 != nil } } }
}

extension RPUReport {
  /// Writes a PNG that plots level 1: the minimum, average and maximum of each frame.
  ///
  /// - Parameters:
  ///   - input: a video file, or a file of RPUs.
  ///   - overwrite: whether a file at `output` is replaced.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no RPU has level 1;
  ///   `CancellationError` when the task was cancelled.
  package static func writePlot(
    of input: String, to output: String, overwrite: Bool = false
  ) async throws {
    try await LightPlot.write(of: input, to: output, overwrite: overwrite) { checkpoint in
      let frames = try RPUReport(path: input, checkpoint).frames.map { report in
        (place: (number: report.frame, time: report.time), level1: report.level1)
      }
      let plot = LightPlot(
        frames: frames.map(\.place), lines: LightPlot.level1(frames.map(\.level1)))
      guard plot.hasValues else {
        throw TranscodingError(.unusableInput, "\(input): no RPU has level 1")
      }
      return plot
    }
  }
}

extension MetadataReport {
  /// Writes a PNG that plots the light of all frames: Dolby Vision's level 1, and the maximum and
  /// average of HDR10+.
  ///
  /// - Parameter overwrite: whether a file at `output` is replaced.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no frame has level 1 or HDR10+;
  ///   `CancellationError` when the task was cancelled.
  package static func writePlot(
    of input: String, to output: String, overwrite: Bool = false
  ) async throws {
    try await LightPlot.write(of: input, to: output, overwrite: overwrite) { checkpoint in
      let frames = try MetadataFrameReport.all(in: input, checkpoint).map { report in
        (
          place: (number: report.frame, time: report.time), level1: report.dolbyVision?.level1,
          hdr10Plus: report.hdr10Plus
        )
      }
      func line(
        _ name: String, _ color: PlotCanvas.Color, _ light: (MetadataFrameReport.Light) -> Double
      ) -> LightPlot.Line {
        LightPlot.Line(
          name: "HDR10+ \(name)", color: color,
          signals: frames.map { $0.hdr10Plus.map { PQ.inverseEOTF(min(light($0), 10_000)) } })
      }
      let lines =
        LightPlot.level1(frames.map(\.level1)) + [
          line("max", PlotCanvas.Color(220, 140, 20)) { $0.maximum.max() ?? 0 },
          line("avg", PlotCanvas.Color(120, 60, 150)) { $0.average },
        ]
      let plot = LightPlot(
        frames: frames.map(\.place),
        lines: lines.filter { line in line.signals.contains { $0 != nil } })
      guard plot.hasValues else {
        throw TranscodingError(
          .unusableInput, "\(input): no frame has HDR10+ or Dolby Vision with level 1")
      }
      return plot
    }
  }
}
