// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import ColorScience

/// Finds out how much room a frame's highlights need above diffuse white, and how much of it they
/// can get without visibly changing the midtones.
struct HighlightFit {
  // What counts is how far highlights reach above white, and over how many parts of the frame they
  // are spread. The number of their pixels hardly counts, because even the sun fills only a few.
  // The midtones set the limit: the curve's knee comes down only as far as it can without changing
  // them visibly on average.

  /// The light of the frame.
  let histogram: LightHistogram
  /// The luminance of diffuse white, in cd/m².
  let white: Double

  /// The curve may change the midtones by at most this much on average, in units of ΔE ITP. After
  /// rounding to 8 bits, less than half of this change remains visible.
  private static let budget = 0.55
  /// The range of the midtones, as shares of diffuse white. Midtones end where the curve of a shot
  /// without highlights begins to bend. Light below the range is black.
  private static let midtones = 0.0025...0.54
  /// The ΔE ITP between two grays whose PQ signals differ by 1 (BT.2124).
  private static let scale = 720.0
  /// If this share of the cells has highlights, further cells with highlights need no more room.
  private static let manyCells = 0.03
  /// What counts is the mean logarithm of the highlights' light relative to white. If it is at most
  /// `nearWhite`, highlights need no room. Above that, the need grows until the mean exceeds
  /// `nearWhite` by `range`. Captions and test charts are at white itself, and need none.
  private static let (nearWhite, range) = (0.1, 0.3)
  /// The shoulder is `distance` times the light that only the share `brightest` of the highlights'
  /// pixels exceeds. ``leastShoulder`` may raise the shoulder.
  private static let (brightest, distance) = (0.03, 1.2)
  /// The shoulder is at least this multiple of diffuse white. If it were lower, the knee would have
  /// to come down for highlights that are hardly above white.
  private static let leastShoulder = 2.0

  /// The light above which highlights keep less of their contrast, in cd/m², or `nil` if highlights
  /// need no room. If there were no shoulder, a lamp or the sun would take much room from all other
  /// highlights, and so would the empty range of light below it.
  var shoulder: Double? {
    guard need > 0 else { return nil }
    let light = PQ.eotf(histogram.quantile(Self.brightest, above: PQ.inverseEOTF(white)))
    return max(Self.distance * light, Self.leastShoulder * white)
  }

  /// How much of the possible room the highlights need, 0…1.
  private var need: Double {
    let least = PQ.inverseEOTF(white)
    let height = histogram.mean(above: least) { naturalLogarithm(PQ.eotf($0) / white) }
    let cells = min(histogram.brightCells / Self.manyCells, 1)
    return cells * min(max((height - Self.nearWhite) / Self.range, 0), 1)
  }

  /// Returns the share of SDR's signal that diffuse white gets from a curve with this peak and this
  /// shoulder, both in cd/m².
  func white(peak: Double, shoulder: Double) -> Double {
    let midtones = midtones
    func curve(_ knee: Double) -> FittedToneCurve {
      FittedToneCurve(
        sourcePeak: peak, targetPeak: white, shoulder: shoulder, knee: knee * white)
    }
    func isCheap(_ knee: Double) -> Bool {
      let curve = curve(knee)
      let cost = midtones.reduce(0) {
        $0 + $1.share * abs(PQ.inverseEOTF(curve.map($1.light)) - PQ.inverseEOTF($1.light))
      }
      return Self.scale * cost <= Self.budget
    }
    let knees = FittedToneCurve.knees
    var (low, high) = (knees.lowerBound, knees.upperBound)
    if isCheap(low) { high = low }
    // Ten halvings leave a thousandth of the range.
    for _ in 0..<10 where high > low {
      let middle = (low + high) / 2
      if isCheap(middle) { high = middle } else { low = middle }
    }
    return curve(knees.upperBound - need * (knees.upperBound - high)).white
  }

  /// The light of midtones, in cd/m², and the share of the midtones' pixels that have it.
  private var midtones: [(light: Double, share: Double)] {
    histogram.shares(
      from: PQ.inverseEOTF(Self.midtones.lowerBound * white),
      to: PQ.inverseEOTF(Self.midtones.upperBound * white)
    ).map { (PQ.eotf($0.signal), $0.share) }
  }
}
