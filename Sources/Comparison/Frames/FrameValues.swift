// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import ColorScience
internal import MediaCore

/// PSNR and SSIM of planes. Planes of R′G′B′ are G, B, R.
package struct PlaneValues: Sendable, Encodable {
  /// The value of Y′.
  package let y: Double?
  /// The value of Cb; nil where there is none.
  package let cb: Double?
  /// The value of Cr; nil where there is none.
  package let cr: Double?
  /// The value of all samples of all planes together.
  package let weighted: Double?

  private init(_ planes: [Double?], weighted: Double?) {
    func value(_ index: Int) -> Double? { planes.indices.contains(index) ? planes[index] : nil }
    (y, cb, cr, self.weighted) = (value(0), value(1), value(2), weighted)
  }

  /// PSNR in dB, of the mean of all squares; nil for samples that do not differ.
  static func signalToNoise(_ planes: [PlaneSums], peak: Double) -> PlaneValues {
    func value(_ squares: Double, _ count: Double) -> Double? {
      let value = SampleDifference.signalToNoise(
        meanSquaredError: squares / max(count, 1), peak: peak)
      return value.isFinite ? value : nil
    }
    return PlaneValues(
      planes.map { value($0.squares, $0.count) },
      weighted: value(
        planes.reduce(0) { $0 + $1.squares }, planes.reduce(0) { $0 + $1.count }))
  }

  /// SSIM, its mean; nil for planes that are too small.
  static func similarity(_ planes: [PlaneSums]) -> PlaneValues {
    let measured = planes.filter { $0.frames > 0 && $0.hasSimilarity }
    let samples = measured.reduce(0) { $0 + $1.count }
    let sum = measured.reduce(0) { $0 + $1.similarity / $1.frames * $1.count }
    return PlaneValues(
      planes.map { $0.hasSimilarity && $0.frames > 0 ? $0.similarity / $0.frames : nil },
      weighted: samples > 0 ? sum / samples : nil)
  }

  /// Text of the values, for people.
  func text(_ digits: Int, _ identical: String) -> String {
    func text(_ value: Double?) -> String {
      value.map { $0.text(decimals: digits) } ?? identical
    }
    guard cb != nil || cr != nil || weighted != y else { return text(y) }
    return "Y \(text(y)), Cb \(text(cb)), Cr \(text(cr)), all \(text(weighted))"
  }
}

/// Sums over a plane of some frames.
struct PlaneSums: Sendable {
  var squares = 0.0
  var count = 0.0
  var similarity = 0.0
  var hasSimilarity = true
  var frames = 0.0

  static func += (sums: inout PlaneSums, plane: SampleDifferenceMeter.Plane) {
    sums.squares += plane.squaredError
    sums.count += Double(plane.count)
    sums.similarity += plane.similarity ?? 0
    sums.hasSimilarity = sums.hasSimilarity && plane.similarity != nil
    sums.frames += 1
  }
}

/// ΔE ITP of a frame, or of all.
package struct LightValues: Sendable, Encodable {
  /// The mean of all pixels.
  package let mean: Double
  /// The value that 95 % of the pixels are not above.
  package let percentile95: Double
  /// The value of the pixel that differs most.
  package let maximum: Double

  init(_ summary: LightDifferenceMeter.Summary) {
    (mean, percentile95, maximum) = (summary.mean, summary.percentile95, summary.maximum)
  }

  /// Text of the values, for people.
  var text: String {
    "mean \(mean.text(decimals: 3)), 95 % \(percentile95.text(decimals: 2)), "
      + "maximum \(maximum.text(decimals: 2))"
  }
}

/// The values of one frame.
package struct FrameValues: Sendable, Encodable {
  /// The number of the source's frame in the order of presentation, from 0.
  package let frame: Int
  /// The presentation time of the source's frame, in seconds.
  package let time: Double
  /// PSNR in dB of Y′; nil where nothing differs, or where it is not measured.
  package let psnr: Double?
  /// SSIM of Y′; nil where it is not measured.
  package let ssim: Double?
  /// ΔE ITP; nil where it is not measured.
  package let deltaEITP: LightValues?
}
