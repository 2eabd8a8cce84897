// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import Host
internal import MediaCore

/// A measure of how much an output's frames differ from the source's frames.
struct FrameMetric: Sendable {
  /// What two files must have so that a metric makes sense.
  enum Need: Sendable {
    /// Code values with the same meaning, in planes of the same shape.
    case codeValues
    /// Colors whose light is known.
    case light
  }

  /// One of the numbers that a metric consists of.
  struct Part: Sendable {
    /// The name in JSON.
    let key: String
    /// The name to display.
    let name: String
    /// How many decimals to display.
    let decimals: Int
  }

  /// How to plot a metric over time: curves that share a scale.
  struct Plot: Sendable {
    /// The title, in ASCII, since the canvas has no other letters.
    let title: String
    /// The range of the scale, which grows only for values outside it.
    let range: ClosedRange<Double>
    /// The curves, each for one part. Only parts that a single frame has can be plotted.
    let curves: [(part: Int, name: String, color: PlotCanvas.Color)]
  }

  /// The metric's name in JSON.
  let key: String
  /// The metric's name to display.
  let name: String
  /// The unit to display, empty if there is none.
  var unit = ""
  let needs: Need
  /// The parts in the order of display. JSON has a number for a single part and an object for
  /// several parts.
  let parts: [Part]
  /// What to display for a part without a number.
  var absence = "not measured"
  let plot: Plot
  /// Makes empty sums.
  let sums: @Sendable () -> any MetricSums

  /// All metrics, in the order of display.
  static let all = [
    psnr,
    ssim,
    deltaEITP,
  ]

  /// Returns the names of all metrics with this need as text, such as `PSNR and SSIM`.
  static func names(needing need: Need) -> String {
    let names = all.filter { $0.needs == need }.map(\.name)
    let end = names.suffix(2).joined(separator: " and ")
    return (names.dropLast(2) + [end]).joined(separator: ", ")
  }

  /// Returns the parts as text.
  func text(_ numbers: [Double?]) -> String {
    // The unit comes once, after the last number. If some parts have no number, each number has its
    // unit, because an absence has none.
    let isComplete = !numbers.contains(nil)
    let suffix = unit.isEmpty ? "" : " \(unit)"
    let texts = zip(parts, numbers).map { part, number in
      number.map { $0.text(decimals: part.decimals) + (isComplete ? "" : suffix) } ?? absence
    }
    // Gray frames have one plane, so its value is also the value for all samples. Say it once.
    let isOne =
      numbers.dropFirst().dropLast().allSatisfy { $0 == nil } && numbers.first == numbers.last
    let text =
      isOne
      ? texts.first ?? absence
      : zip(parts, texts).map { "\($0.name) \($1)" }.joined(separator: ", ")
    return isComplete ? text + suffix : text
  }
}

/// Sums of one metric over frames.
protocol MetricSums: Sendable {
  /// Adds a pair of frames, and returns the values of that pair alone: all parts, or only the first
  /// ones.
  mutating func add(_ pair: ComparedPair) -> [Double?]
  /// The values of the parts over all frames.
  var numbers: [Double?] { get }
}

/// An output's frame and the source's frame at the same time, with measurements for all metrics.
struct ComparedPair {
  /// The part of the source's frame that the output shows.
  let source: PixelBuffer
  /// The output's frame, turned and scaled to match.
  let output: PixelBuffer
  /// The differences of samples, plane by plane. Empty if code values have different meanings.
  let planes: [SampleDifferenceMeter.Plane]
  /// The largest code value in the bit depth of the comparison.
  let peak: Double
  /// The difference in light, and the meter over all frames. `nil` if the light is unknown.
  let light: (ofPair: LightDifferenceMeter.Summary, meter: LightDifferenceMeter)?

  init(
    _ source: PixelBuffer, _ output: PixelBuffer, _ samples: SampleDifferenceMeter?,
    _ light: LightDifferenceMeter?
  ) {
    (self.source, self.output) = (source, output)
    planes = samples?.measure(source, output) ?? []
    peak = samples?.peak ?? 0
    self.light = light.map { ($0.measure(source, output), $0) }
  }
}

extension PlotCanvas.Color {
  static let red = PlotCanvas.Color(200, 60, 30)
  static let green = PlotCanvas.Color(20, 110, 60)
  static let blue = PlotCanvas.Color(40, 70, 190)
}
