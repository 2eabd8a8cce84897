// SPDX-License-Identifier: GPL-2.0-or-later
import ColorConversion
import MediaCore
import Testing

@testable import Shots

/// What tone curves are fitted to, from samples of the light.
@Suite struct ShotPlanTests {
  private func sample(
    _ time: Double, _ share: Double, peak: Double = 500, cut: Double? = nil, still: Bool = false
  ) -> ShotSurvey.Sample {
    ShotSurvey.Sample(
      time: time, brightShare: share, peak: peak, distance: cut == nil ? 0 : 1,
      isStill: still, gap: 1, cut: cut)
  }

  private func plan(
    _ samples: [ShotSurvey.Sample], least: Double = 1000
  ) throws -> ShotPlan {
    try #require(
      ShotPlan(samples, least: least, isFixed: false))
  }

  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(value: Int64(seconds * 24_000), timescale: 24_000)
  }

  /// A lamp that is lit, a person who passes: nothing moves.
  @Test func smallChangesMoveNothing() throws {
    let samples = (0..<60).map { index in
      sample(Double(index), index < 30 ? 0.02 : 0.1, peak: index < 30 ? 203 : 4000)
    }
    let plan = try plan(samples)
    let lights = Set((0..<1440).compactMap { plan.light(at: time(Double($0) / 24)) })
    #expect(lights.count == 1)
    #expect(lights.first?.peak == 4000)
  }

  /// Many lamps in a scene that stands still: nothing moves either.
  @Test func nothingMovesInAStillScene() throws {
    let plan = try plan((0..<60).map { sample(Double($0), $0 < 30 ? 0.1 : 0.5, still: true) })
    let lights = Set((0..<1440).compactMap { plan.light(at: time(Double($0) / 24)) })
    #expect(lights.count == 1 && lights.first?.brightShare == 0.3)
  }

  /// From a dark room into the sun in one shot: slowly, without a jump.
  @Test func largeChangesAreEased() throws {
    let plan = try plan((0..<60).map { sample(Double($0), $0 < 30 ? 0 : 0.6) })
    #expect(plan.shots.count == 1)
    let shares = (0..<1440).compactMap { plan.light(at: time(Double($0) / 24))?.brightShare }
    #expect(shares.count == 1440)
    #expect(shares.first ?? 1 < 0.1 && shares.last ?? 0 > 0.5)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { (0...0.0012).contains($1 - $0) })
  }

  /// What stood still gives way quickly; where the camera moves later, the curve is as slow as
  /// ever.
  @Test func onlyTransitionsAreQuick() throws {
    let plan = try plan(
      (0..<60).map { sample(Double($0), $0 < 3 || $0 > 40 ? 0 : 0.6, still: $0 == 1) })
    func change(_ second: Double) throws -> Double {
      let lights = [second, second + 1].map { plan.light(at: time($0))?.brightShare }
      return abs(try #require(lights[1]) - (try #require(lights[0])))
    }
    #expect(try (0..<59).allSatisfy { try $0 == 1 || change(Double($0)) < 0.03 })
  }

  /// A dissolve of two seconds between what stands still, however often it was looked at: nothing
  /// moves before it and behind it, and most of the way is gone.
  @Test(arguments: [0.25, 0.5, 1]) func dissolvesAreWhole(interval: Double) throws {
    let times = stride(from: 0, through: 12, by: interval)
    let plan = try plan(
      times.map { sample($0, min(max(($0 - 5) / 2, 0), 1) * 0.5, still: $0 <= 5 || $0 > 7) })
    let shares = [0, 5, 7, 12].compactMap { plan.light(at: time($0))?.brightShare }
    #expect(shares[0] == shares[1] && shares[2] == shares[3])
    #expect(shares[3] - shares[0] > 0.4, "\(shares)")
  }

  /// At a cut the curve jumps to that of the shot's whole length, also between two samples.
  @Test func cutsAreJumps() throws {
    var samples = (0..<10).map { sample(Double(10 * $0), 0.05) }
    samples.append(sample(96, 0.5, peak: 2000, cut: 94))
    samples += (1..<4).map { sample(Double(94 + 10 * $0), 0.45, peak: 3000) }
    let plan = try plan(samples)
    #expect(plan.shots.map(\.start) == [0, 94])
    #expect(plan.shots.map(\.peak) == [1000, 3000])
    let before = try #require(plan.light(at: time(93.9)))
    let after = try #require(plan.light(at: time(94)))
    #expect(before.brightShare == 0.05 && after.brightShare > 0.45)
    #expect(plan.light(at: time(-1)) == before)
    #expect(plan.light(at: time(500)) == after)
  }

  @Test func nothingSeenIsNoPlan() {
    #expect(ShotPlan([], least: 1000, isFixed: true) == nil)
  }
}
