// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import Host
internal import MediaCore

/// A measure of how far frames of an output are from those of its source.
struct FrameMetric: Sendable {
  /// A thing that two files need so that a metric of them means something.
  enum Need: Sendable {
    /// Code values that mean the same, in planes of the same shape.
    case codeValues
    /// Light that is known.
    case light
  }

  /// One of the numbers of a metric.
  struct Part: Sendable {
    /// The key in JSON.
    let key: String
    /// The words for people.
    let name: String
    /// The digits behind the point, for people.
    let decimals: Int
  }

  /// The frames' numbers over time: curves that share a scale.
  struct Plot: Sendable {
    /// The words above it, in ASCII.
    let title: String
    /// The least range of the scale.
    let range: ClosedRange<Double>
    /// Curves of the parts that a frame has.
    let curves: [(part: Int, name: String, color: PlotCanvas.Color)]
  }

  /// The key in JSON.
  let key: String
  /// The name for people.
  let name: String
  /// The unit for people; empty for none.
  var unit = ""
  let needs: Need
  /// The parts, in the order in which people read them. One alone is a number in JSON; several are
  /// an object.
  let parts: [Part]
  /// The word for people where a part has no number.
  var absence = "not measured"
  let plot: Plot
  /// Makes sums that no frame was added to.
  let sums: @Sendable () -> any MetricSums

  /// All metrics, in the order in which people read them.
  static let all = [
    psnr,
    ssim,
    deltaEITP,
  ]

  /// The names of the metrics that need something.
  static func names(needing need: Need) -> String {
    let names = all.filter { $0.needs == need }.map(\.name)
    let end = names.suffix(2).joined(separator: " and ")
    return (names.dropLast(2) + [end]).joined(separator: ", ")
  }

  /// Text of the parts, for people. What a picture of one plane has is told without a name.
  func text(_ numbers: [Double?]) -> String {
    let texts = zip(parts, numbers).map { $1?.text(decimals: $0.decimals) ?? absence }
    let isOne =
      numbers.dropFirst().dropLast().allSatisfy { $0 == nil } && numbers.first == numbers.last
    let text =
      isOne
      ? texts.first ?? absence
      : zip(parts, texts).map { "\($0.name) \($1)" }.joined(separator: ", ")
    return unit.isEmpty ? text : "\(text) \(unit)"
  }
}

/// Sums of a metric over frames.
protocol MetricSums: Sendable {
  /// Adds a pair of frames, and returns what the metric says of that pair alone: all parts, or
  /// fewer of them.
  mutating func add(_ pair: ComparedPair) -> [Double?]
  /// The parts for all frames together.
  var numbers: [Double?] { get }
}

/// Frames that are presented at the same time, with what is measured once for all metrics.
struct ComparedPair {
  /// The source's frame: what of it the output shows.
  let source: PixelBuffer
  /// The output's, turned and scaled to the source's.
  let output: PixelBuffer
  /// Differences of samples, plane by plane; empty where the code values mean different things.
  let planes: [SampleDifferenceMeter.Plane]
  /// The largest code value of the depth in which samples are compared.
  let peak: Double
  /// Difference of the light, with what measures that of all frames; nil where it is unknown.
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
