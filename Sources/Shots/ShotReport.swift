// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorConversion

/// What a plan reports about a shot and its tone curve.
package struct ShotReport: Sendable, Encodable {
  package let start: Double
  package let peak: Double
  package let shoulder: Double
  package let whites: [Double]
  package let knees: [Double]

  /// Reports a shot and the knees of its tone curve, the luminances up to which the curve changes
  /// nothing.
  package init(_ shot: ShotPlan.Shot, _ plan: ConversionPlan) {
    (start, peak, shoulder) = (shot.start, shot.peak, shot.shoulder)
    let keys = shot.keys.map(\.white)
    whites = [keys.min() ?? 1, keys.max() ?? 1]
    knees = whites.map { white in
      let light = ShotLight(peak: shot.peak, shoulder: shot.shoulder, white: white)
      return plan.knee(for: light) ?? 0
    }
  }

  /// Returns one line for each of the first shots, and the number of the others.
  package static func lines(_ shots: [ShotReport]) -> [String] {
    // A film has thousands of cuts, but a plan on a terminal should fit a screen.
    let most = 12
    let more = shots.count > most ? ["\(shots.count - most) more"] : []
    return shots.prefix(most).map(\.text) + more
  }

  private var text: String {
    "from \(Self.plain(start)) s: peak \(Self.plain(peak.rounded())) cd/m², "
      + "diffuse white at \(Self.range(whites.map { (1000 * $0).rounded() / 10 })) %, "
      + "light up to \(Self.range(knees.map { $0.rounded() })) cd/m² unchanged"
  }

  private static func range(_ ends: [Double]) -> String {
    ends[0] == ends[1] ? plain(ends[0]) : ends.sorted().map(plain).joined(separator: "…")
  }

  private static func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\((value * 1000).rounded() / 1000)"
  }
}

extension ShotReport: JSONObject {
  package static let fields: [JSONField<ShotReport>] = [
    .init("start", "When the shot begins, in seconds on the track's media timeline.") { $0.start },
    .init("peak", "The brightest light that the curve distinguishes, in cd/m².") { $0.peak },
    .init("shoulder", "The light above which highlights keep less contrast, in cd/m².") {
      $0.shoulder
    },
    .init(
      "whites", "The smallest and the largest share of SDR's signal that diffuse white gets.",
      JSONSchema(.list(of: .share, count: 2...2))
    ) { $0.whites },
    .init(
      "knees",
      "For each of the whites, the luminance up to which the curve changes nothing, in cd/m².",
      JSONSchema(.list(of: Double.schema, count: 2...2))
    ) { $0.knees },
  ]
}
