// SPDX-License-Identifier: GPL-2.0-or-later

/// The measured metrics of one frame, or of all frames.
///
/// Each metric is encoded as a key of the surrounding object. Missing numbers are left out.
struct MetricValues: Sendable, Encodable {
  private var numbers: [String: [Double?]] = [:]

  /// The numbers of a metric in the order of its parts, or `nil` if it was not measured.
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

/// The metrics of one frame.
package struct FrameValues: Sendable {
  /// The source frame's position in presentation order, from 0.
  let frame: Int
  /// The source frame's presentation time in seconds.
  let time: Double
  let metrics: MetricValues
}
