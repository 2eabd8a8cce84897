// SPDX-License-Identifier: GPL-2.0-or-later
/// The tone map of SMPTE ST 2094-50: gain curves by which a frame is shown with less, or more,
/// headroom above diffuse white than it was made for.
///
/// Colors are linear light in the map's ``space``, in multiples of the reference white. Headrooms
/// and gains are logarithms to base 2.
package struct HeadroomAdaptiveToneMap: Hashable, Sendable {
  // The formulas are those of ST 2094-50:2026, clauses 6.2 to 6.5 and C.3. They were checked
  // against libsmpte2094-50 and Skia, as the standard's own text was not at hand.

  /// Where the gains apply.
  package var space: RGBSpace
  /// The headroom that the frame was made for, 0…6.
  package var baselineHeadroom: Double
  /// How the frame looks with other headrooms, by rising headroom.
  package var alternates: [Alternate]

  /// The look of the frame with another headroom.
  package struct Alternate: Hashable, Sendable {
    /// 0…6, not the baseline's.
    package var headroom: Double
    package var mix: ComponentMix
    package var curve: GainCurve

    package init(headroom: Double, mix: ComponentMix, curve: GainCurve) {
      (self.headroom, self.mix, self.curve) = (headroom, mix, curve)
    }
  }

  package init(space: RGBSpace, baselineHeadroom: Double, alternates: [Alternate]) {
    (self.space, self.baselineHeadroom, self.alternates) = (space, baselineHeadroom, alternates)
  }

  /// Makes the curves that the standard derives from a headroom alone, for the largest of R, G and
  /// B in BT.2020 (C.3.8). They have two alternates, the first for SDR.
  package init(referenceWhiteCurveFor headroom: Double) {
    (space, baselineHeadroom, alternates) = (.bt2020, headroom, [])
    guard headroom > 0 else { return }
    // At the headroom of 1000 cd/m² over 203 cd/m², diffuse white is halved for SDR.
    let share = min(headroom / binaryLogarithm(1000 / 203), 1)
    alternates = [
      (headroom: 0.0, white: 1 - 0.5 * share),
      (headroom: binaryLogarithm(8.0 / 3) * share, white: 1),
    ].map { target in
      Alternate(
        headroom: target.headroom, mix: .maximum,
        curve: GainCurve(
          white: target.white, from: binaryPower(headroom), to: binaryPower(target.headroom)))
    }
  }

  /// Returns the gains of R, G and B in stops for a display's headroom: interpolated between the
  /// two neighbors among the baseline and the alternates (6.2.5).
  package func gains(of color: Triple, headroom: Double) -> Triple {
    let stops =
      (alternates.map { (headroom: $0.headroom, gains: $0.gains(of: color)) }
      + [(headroom: baselineHeadroom, gains: .zero)]).sorted { $0.headroom < $1.headroom }
    guard let next = stops.firstIndex(where: { $0.headroom >= headroom }) else {
      return stops.last?.gains ?? .zero
    }
    guard next > 0 else { return stops[0].gains }
    let (low, high) = (stops[next - 1], stops[next])
    let share = (headroom - low.headroom) / (high.headroom - low.headroom)
    return low.gains * (1 - share) + high.gains * share
  }

  /// Returns how a color looks on a display with a headroom.
  package func map(_ color: Triple, headroom: Double) -> Triple {
    color * gains(of: color, headroom: headroom).componentwise(binaryPower)
  }
}

extension HeadroomAdaptiveToneMap.Alternate {
  fileprivate func gains(of color: Triple) -> Triple {
    mix.values(of: color).componentwise { curve.gain(at: $0) }
  }
}

extension HeadroomAdaptiveToneMap {
  /// The weights by which R, G and B become the numbers that a curve maps (6.4).
  package struct ComponentMix: Hashable, Sendable {
    /// The weights of R, G and B.
    package var components: Triple
    /// The weight of the largest of them.
    package var largest: Double
    /// The weight of the smallest of them.
    package var smallest: Double
    /// The weight of the component that gets the gain.
    package var own: Double

    package init(components: Triple, largest: Double, smallest: Double, own: Double) {
      (self.components, self.largest) = (components, largest)
      (self.smallest, self.own) = (smallest, own)
    }

    /// All components get the gain of the largest.
    package static let maximum = ComponentMix(
      components: .zero, largest: 1, smallest: 0, own: 0)
    /// Each component gets its own gain.
    package static let each = ComponentMix(components: .zero, largest: 0, smallest: 0, own: 1)
    /// Halfway between the largest and the average.
    package static let blend = ComponentMix(
      components: Triple(1.0 / 6, 1.0 / 6, 1.0 / 6), largest: 0.5, smallest: 0, own: 0)

    func values(of color: Triple) -> Triple {
      let sum = components.sum() + largest + smallest + own
      guard sum > 0 else { return .zero }
      let common =
        (components * color).sum() + largest * color.max() + smallest * color.min()
      return color.componentwise { (common + own * $0) / sum }
    }
  }

  /// A piecewise cubic curve from light to gain (6.5).
  package struct GainCurve: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
      /// Light in multiples of the reference white.
      package var x: Double
      /// The gain in stops.
      package var y: Double
      /// The slope, in stops for each multiple of the reference white.
      package var slope: Double

      package init(x: Double, y: Double, slope: Double) {
        (self.x, self.y, self.slope) = (x, y, slope)
      }
    }

    /// The points by rising x.
    package let points: [Point]

    /// - Parameter points: at least one, by rising x.
    package init(points: [Point]) { self.points = points }

    /// Makes a curve whose slopes follow from its points, so that it rises and falls as they do
    /// (C.3.9).
    ///
    /// - Parameter places: at least one, by rising x.
    package init(through places: [(x: Double, y: Double)]) {
      let slopes = Self.slopes(places)
      points = zip(places, slopes).map { Point(x: $0.x, y: $0.y, slope: $1) }
    }

    /// Makes the curve that keeps dark light, scaled to a place for white, and bends toward the
    /// display's peak: eight points of a parabola (formulas C.2 to C.6).
    fileprivate init(white: Double, from sourcePeak: Double, to targetPeak: Double) {
      // How far the middle control point is from white toward the target's peak.
      let reach = 0.65
      let middle = (
        x: 1 - reach + reach * targetPeak / white, y: (1 - reach) * white + reach * targetPeak
      )
      let bend = (x: 1 - 2 * middle.x + sourcePeak, y: white - 2 * middle.y + targetPeak)
      let rise = (x: 2 * (middle.x - 1), y: 2 * (middle.y - white))
      points = (0..<8).map { number in
        let t = Double(number) / 7
        let x = 1 + t * (rise.x + t * bend.x)
        let y = white + t * (rise.y + t * bend.y)
        let slope = (2 * bend.y * t + rise.y) / (2 * bend.x * t + rise.x)
        return Point(
          x: x, y: binaryLogarithm(y / x),
          slope: (x * slope - y) / (naturalLogarithm(2) * x * y))
      }
    }

    /// Returns the gain for light.
    package func gain(at x: Double) -> Double {
      guard let first = points.first, let last = points.last, x > first.x else {
        return points.first?.y ?? 0
      }
      guard let next = points.firstIndex(where: { $0.x >= x }), next > 0 else {
        // Beyond the last point, all light is shown as that point's.
        return last.y + binaryLogarithm(last.x / x)
      }
      let (low, high) = (points[next - 1], points[next])
      let width = high.x - low.x
      let t = (x - low.x) / width
      let (before, after) = (low.slope * width, high.slope * width)
      let cubic = 2 * low.y + before - 2 * high.y + after
      let square = -3 * low.y + 3 * high.y - 2 * before - after
      return ((cubic * t + square) * t + before) * t + low.y
    }

    /// Returns the slope of a line at an angle in half turns, −0.5…0.5.
    package static func slope(ofAngle angle: Double) -> Double { tangent(angle * .pi) }

    /// Formulas C.7 to C.9.
    private static func slopes(_ places: [(x: Double, y: Double)]) -> [Double] {
      let widths = zip(places, places.dropFirst()).map { $1.x - $0.x }
      let rises = zip(places, places.dropFirst()).enumerated().map { number, pair in
        (pair.1.y - pair.0.y) / widths[number]
      }
      guard widths.count > 1 else {
        return places.map { _ in rises.first ?? 0 }
      }
      func end(_ near: Int, _ far: Int) -> Double {
        ((2 * widths[near] + widths[far]) * rises[near] - widths[near] * rises[far])
          / (widths[near] + widths[far])
      }
      let inner = (1..<widths.count).map { index -> Double in
        let (before, after) = (rises[index - 1], rises[index])
        let (left, right) = (widths[index - 1], widths[index])
        let weighted = (2 * left + right) * before + (left + 2 * right) * after
        guard before * after >= 0, weighted != 0 else { return 0 }
        return 3 * (left + right) * before * after / weighted
      }
      return [end(0, 1)] + inner + [end(widths.count - 1, widths.count - 2)]
    }
  }
}
