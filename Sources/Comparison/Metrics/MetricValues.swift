// SPDX-License-Identifier: GPL-2.0-or-later

/// The numbers of the metrics that were measured: of a frame, or of all together.
///
/// Encoded, each metric is a key of the object that they stand in; what has no number is left out.
struct MetricValues: Sendable, Encodable {
  private var numbers: [String: [Double?]] = [:]

  /// The numbers of a metric, in the order of its parts; nil where it was not measured.
  subscript(metric: FrameMetric) -> [Double?]? {
    get { numbers[metric.key] }
    set { numbers[metric.key] = newValue }
  }

  func encode(to encoder: any Encoder) throws {
    var (single, several) = ([String: Double](), [String: [String: Double]]())
    for metric in FrameMetric.all {
      guard let numbers = self[metric] else { continue }
      if numbers.count == 1 {
        single[metric.key] = numbers[0]
      } else {
        let pairs = zip(metric.parts, numbers).compactMap { part, number in
          number.map { (part.key, $0) }
        }
        several[metric.key] = Dictionary(pairs) { $1 }
      }
    }
    try single.encode(to: encoder)
    try several.encode(to: encoder)
  }
}

/// The values of one frame.
struct FrameValues: Sendable, Encodable {
  /// The number of the source's frame in the order of presentation, from 0.
  let frame: Int
  /// The presentation time of the source's frame, in seconds.
  let time: Double
  let metrics: MetricValues

  func encode(to encoder: any Encoder) throws {
    try ["frame": frame].encode(to: encoder)
    try ["time": time].encode(to: encoder)
    try metrics.encode(to: encoder)
  }
}
