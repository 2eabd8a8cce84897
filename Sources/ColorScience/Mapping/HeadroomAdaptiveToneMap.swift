// SPDX-License-Identifier: GPL-2.0-or-later
/// The tone map of SMPTE ST 2094-50: gain curves by which a frame is shown with less, or more,
/// headroom above diffuse white than it was made for.
///
/// Colors are linear light in the map's ``space``, in multiples of ``referenceWhite``. Headrooms
/// and gains are logarithms to base 2.
package struct HeadroomAdaptiveToneMap: Hashable, Sendable {
  // The formulas are those of ST 2094-50:2026, clauses 6.2 to 6.5 and C.3. They were checked
  // against libsmpte2094-50 and Skia, because the standard's own text was not at hand.

  /// The space of the R, G and B that gains apply to.
  package var space: RGBSpace
  /// The headroom that the frame was made for, 0…6.
  package var baselineHeadroom: Double
  /// How the frame looks with other headrooms, in order of rising headroom.
  package var alternates: [Alternate]
  /// The luminance of the frame's diffuse white, in cd/m².
  package var referenceWhite = LightSystem.diffuseWhite

  /// The look of the frame with another headroom.
  package struct Alternate: Hashable, Sendable {
    /// The headroom of this look, 0…6, which differs from the baseline's.
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

  /// Makes the map that the standard derives from a headroom alone (C.3.8). Its curves are applied
  /// to the largest of R, G and B in BT.2020. The map has two alternates, and the first is for SDR.
  /// If the headroom is 0, the map has no alternates.
  package init(referenceWhiteCurveFor headroom: Double) {
    (space, baselineHeadroom, alternates) = (.bt2020, headroom, [])
    guard headroom > 0 else { return }
    // The share is 1 for a peak of 1000 cd/m² or more, with diffuse white at 203 cd/m². In that
    // case, diffuse white is halved for SDR.
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

  /// Whether the alternates are those that the standard derives from the headroom alone.
  package var isReferenceWhiteCurve: Bool {
    self == HeadroomAdaptiveToneMap(referenceWhiteCurveFor: baselineHeadroom).with(referenceWhite)
  }

  private func with(_ referenceWhite: Double) -> HeadroomAdaptiveToneMap {
    var map = self
    map.referenceWhite = referenceWhite
    return map
  }

  /// How much an alternate contributes to the gains for a headroom.
  package struct Share: Hashable, Sendable {
    package let alternate: Alternate
    /// The factor of the alternate's gains, above 0 and at most 1.
    package let weight: Double
  }

  /// Returns the alternates that give the gains for a display's headroom. They are the neighbors of
  /// that headroom, at most two. The baseline can be a neighbor, too. It is left out, because its
  /// gains are 0 (6.2.5).
  package func shares(at headroom: Double) -> [Share] {
    let stops =
      (alternates.map { (headroom: $0.headroom, alternate: Optional($0)) }
      + [(headroom: baselineHeadroom, alternate: nil)]).sorted { $0.headroom < $1.headroom }
    func share(_ index: Int, _ weight: Double) -> [Share] {
      guard weight > 0, let alternate = stops[index].alternate else { return [] }
      return [Share(alternate: alternate, weight: weight)]
    }
    guard let next = stops.firstIndex(where: { $0.headroom >= headroom }) else {
      return share(stops.count - 1, 1)
    }
    guard next > 0 else { return share(0, 1) }
    let (low, high) = (stops[next - 1].headroom, stops[next].headroom)
    let weight = (headroom - low) / (high - low)
    return share(next - 1, 1 - weight) + share(next, weight)
  }

  /// Returns the gains of R, G and B in stops for a display's headroom.
  package func gains(of color: Triple, headroom: Double) -> Triple {
    shares(at: headroom).gains(of: color)
  }

  /// Returns how a color looks on a display with the given headroom.
  package func map(_ color: Triple, headroom: Double) -> Triple {
    color * gains(of: color, headroom: headroom).componentwise(binaryPower)
  }
}

extension [HeadroomAdaptiveToneMap.Share] {
  /// Returns the gains of R, G and B in stops.
  func gains(of color: Triple) -> Triple {
    reduce(.zero) { sum, share in
      let curve = share.alternate.curve
      let gains = share.alternate.mix.values(of: color).componentwise { curve.gain(at: $0) }
      return sum + gains * share.weight
    }
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

    /// The same weights with a sum of 1.
    package var normalized: ComponentMix {
      let sum = components.sum() + largest + smallest + own
      guard sum > 0 else { return self }
      return ComponentMix(
        components: components / sum, largest: largest / sum, smallest: smallest / sum,
        own: own / sum)
    }

    func values(of color: Triple) -> Triple {
      let mix = normalized
      let common =
        (mix.components * color).sum() + mix.largest * color.max() + mix.smallest * color.min()
      return color.componentwise { common + mix.own * $0 }
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

    /// The curve between two points.
    package struct Piece: Hashable, Sendable {
      /// The x of the first point.
      package let start: Double
      /// The four coefficients, constant first, of a cubic in the distance from ``start``.
      package let coefficients: [Double]

      fileprivate init(from low: Point, to high: Point) {
        let width = high.x - low.x
        let rise = (high.y - low.y) / width
        start = low.x
        coefficients = [
          low.y, low.slope, (3 * rise - 2 * low.slope - high.slope) / width,
          (low.slope + high.slope - 2 * rise) / (width * width),
        ]
      }
    }

    /// The points, in order of rising x.
    package let points: [Point]
    /// The pieces between the points, in order of rising x.
    package let pieces: [Piece]

    /// - Parameter points: at least one, in order of rising x.
    package init(points: [Point]) {
      self.points = points
      pieces = zip(points, points.dropFirst()).map { Piece(from: $0, to: $1) }
    }

    /// Makes a curve whose slopes follow from its points, so that the curve rises and falls as the
    /// points do (C.3.9).
    ///
    /// - Parameter places: at least one, in order of rising x.
    package init(through places: [(x: Double, y: Double)]) {
      let slopes = Self.slopes(places)
      self.init(points: zip(places, slopes).map { Point(x: $0.x, y: $0.y, slope: $1) })
    }

    /// Makes a curve that multiplies light up to the reference white by `white`, and bends brighter
    /// light toward the display's peak. It has eight points of a parabola (formulas C.2 to C.6).
    fileprivate init(white: Double, from sourcePeak: Double, to targetPeak: Double) {
      // The middle control point is at this share of the way from white to the target's peak.
      let reach = 0.65
      let middle = (
        x: 1 - reach + reach * targetPeak / white, y: (1 - reach) * white + reach * targetPeak
      )
      let bend = (x: 1 - 2 * middle.x + sourcePeak, y: white - 2 * middle.y + targetPeak)
      let rise = (x: 2 * (middle.x - 1), y: 2 * (middle.y - white))
      let points = (0..<8).map { number in
        let t = Double(number) / 7
        let x = 1 + t * (rise.x + t * bend.x)
        let y = white + t * (rise.y + t * bend.y)
        let slope = (2 * bend.y * t + rise.y) / (2 * bend.x * t + rise.x)
        return Point(
          x: x, y: binaryLogarithm(y / x),
          slope: (x * slope - y) / (naturalLogarithm(2) * x * y))
      }
      self.init(points: points)
    }

    /// Returns the gain for light.
    package func gain(at x: Double) -> Double {
      guard let first = points.first, let last = points.last, x > first.x else {
        return points.first?.y ?? 0
      }
      // Beyond the last point, all light is shown like the light at that point.
      guard x <= last.x, let piece = pieces.last(where: { $0.start < x }) else {
        return last.y + binaryLogarithm(last.x / x)
      }
      return piece.coefficients.reversed().reduce(0) { $0 * (x - piece.start) + $1 }
    }

    /// How strongly the gain reacts to light where the curve is steepest, in stops for each
    /// increase of light by a factor of e.
    package var steepness: Double {
      let slopes = zip(pieces, pieces.dropFirst().map(\.start) + [points.last?.x ?? 0]).flatMap {
        piece, end in
        (0...8).map { eighth in
          let distance = (end - piece.start) * Double(eighth) / 8
          let c = piece.coefficients
          let slope = (3 * c[3] * distance + 2 * c[2]) * distance + c[1]
          return abs(slope) * (piece.start + distance)
        }
      }
      return slopes.max() ?? 0
    }

    /// Returns the slope of a line at an angle of −0.5…0.5 half turns.
    package static func slope(ofAngle angle: Double) -> Double { tangent(angle * .pi) }

    /// Returns the curve's slopes at its points, by formulas C.7 to C.9.
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
