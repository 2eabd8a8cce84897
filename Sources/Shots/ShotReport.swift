// SPDX-License-Identifier: GPL-2.0-or-later
package import ColorConversion

/// A shot and its tone curve in a plan.
package struct ShotReport: Sendable, Encodable {
  /// Beginning, in seconds of the track's media timeline.
  package let start: Double
  /// The brightest light that the curve tells apart, in cd/m².
  package let peak: Double
  /// The least and the largest share of pixels that are brighter than diffuse white, 0…1.
  package let brightShares: [Double]
  /// The luminances in cd/m² up to which nothing changes, for these shares.
  package let knees: [Double]

  /// A report of a shot in a plan.
  package init(_ shot: ShotPlan.Shot, _ plan: ConversionPlan) {
    (start, peak) = (shot.start, shot.peak)
    let shares = shot.keys.map(\.brightShare)
    brightShares = [shares.min() ?? 0, shares.max() ?? 0]
    knees = brightShares.map { share in
      plan.knee(for: ShotLight(peak: shot.peak, brightShare: share)) ?? 0
    }
  }

  /// The first shots, a line each, and how many more there are.
  package static func lines(_ shots: [ShotReport]) -> [String] {
    let most = 12
    let more = shots.count > most ? ["\(shots.count - most) more"] : []
    return shots.prefix(most).map(\.text) + more
  }

  private var text: String {
    "from \(Self.plain(start)) s: peak \(Self.plain(peak.rounded())) cd/m², "
      + "\(Self.range(brightShares.map { (1000 * $0).rounded() / 10 })) % brighter than white, "
      + "unchanged up to \(Self.range(knees.map { $0.rounded() })) cd/m²"
  }

  private static func range(_ ends: [Double]) -> String {
    ends[0] == ends[1] ? plain(ends[0]) : ends.sorted().map(plain).joined(separator: "…")
  }

  private static func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\((value * 1000).rounded() / 1000)"
  }
}
