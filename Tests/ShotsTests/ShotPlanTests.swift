// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import MediaCore
import Testing

@testable import ColorConversion
@testable import Shots

/// Tone curves are fitted to samples of a movie's light, so that they suit each scene and do not
/// flicker.
@Suite struct ShotPlanTests {
  /// Makes a frame whose midtones are around a luminance, while a share of the frame is between 400
  /// and 900 cd/m².
  private func sample(
    _ time: Double, _ share: Double, midtone: Double = 20, peak: Double = 900, cut: Double? = nil,
    still: Bool = false
  ) -> ShotSurvey.Sample {
    var histogram = LightHistogram()
    for index in 0..<1000 {
      let place = Double(index) / 1000
      let rest = (place - share) / (1 - share)
      let light = place < share ? 400 + 500 * place / share : midtone * (0.7 + 0.6 * rest)
      histogram.add(bin: LightHistogram.bin(of: Float(PQ.inverseEOTF(light))))
    }
    histogram.brightCells = share
    return ShotSurvey.Sample(
      time: time, histogram: histogram, peak: peak,
      distance: cut == nil ? 0 : 1, isStill: still,
      brightLuma: peak > 215 ? max(share, 0.01) : 0,
      glareLuma: peak > 305 ? max(share, 0.001) : 0, gap: 1, cut: cut)
  }

  private func plan(
    _ samples: [ShotSurvey.Sample], end: Double = 60, least: Double = 1000
  ) throws -> ShotPlan {
    try #require(ShotPlan(samples, end: end, white: 203, least: least, isFixed: false))
  }

  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(value: Int64(seconds * 24_000), timescale: 24_000)
  }

  /// Returns for each frame, at 24 frames a second, how many 8-bit code values diffuse white is
  /// above black.
  private func whites(_ plan: ShotPlan, seconds: Int = 60) throws -> [Double] {
    try (0..<24 * seconds).map {
      219 * (try #require(plan.light(at: time(Double($0) / 24)))).white
    }
  }

  /// Highlights get more room if they touch more of the frame. Without highlights, white is at nine
  /// tenths of the signal.
  @Test func highlightsGetRoom() throws {
    let whites = try [0, 0.01, 0.02, 0.1].map { share in
      try #require(plan([sample(0, share)]).light(at: .zero)).white
    }
    #expect(abs(whites[0] - 0.9) < 0.02)
    #expect(zip(whites, whites.dropFirst()).allSatisfy { $0 > $1 + 0.01 })
  }

  /// Room for highlights comes from the range between midtones and white. White is darkened less if
  /// the midtones are bright than if they are dark.
  @Test func midtonesAreSpared() throws {
    let lights = try [20.0, 100].map { midtone in
      try #require(plan([sample(0, 0.3, midtone: midtone)]).light(at: .zero))
    }
    #expect(lights[1].white > lights[0].white + 0.01)
  }

  /// If a lamp goes on or a person passes, the tone curve stays the same.
  @Test func smallChangesMoveNothing() throws {
    let samples = (0..<60).map { index in
      sample(Double(index), index < 30 ? 0.2 : 0.25, peak: index < 30 ? 900 : 4000)
    }
    let plan = try plan(samples)
    let lights = Set((0..<1440).compactMap { plan.light(at: time(Double($0) / 24)) })
    #expect(lights.count == 1)
    #expect(lights.first?.peak == 4000)
  }

  /// If many lamps go on in a still scene, the tone curve stays the same, too.
  @Test func nothingMovesInAStillScene() throws {
    let plan = try plan((0..<60).map { sample(Double($0), $0 < 30 ? 0 : 0.5, still: true) })
    let lights = Set((0..<1440).compactMap { plan.light(at: time(Double($0) / 24)) })
    #expect(lights.count == 1)
  }

  /// If a single shot or a dissolve leads from a dark room into the sun, white moves slowly, by
  /// about a ninth of a code value per frame.
  @Test(arguments: [1.0, 0.25]) func largeChangesAreEased(interval: Double) throws {
    let times = stride(from: 0, to: 60, by: interval)
    let plan = try plan(times.map { sample($0, $0 < 30 ? 0 : 0.6) })
    #expect(plan.shots.count == 1)
    let whites = try whites(plan)
    #expect((whites.first ?? 0) - (whites.last ?? 0) > 20)
    #expect(zip(whites, whites.dropFirst()).allSatisfy { (0...0.12).contains($0 - $1) })
  }

  /// At a cut to another scene the curve jumps, but white moves by no more than eight code values.
  @Test func cutsAreSmallJumps() throws {
    var samples = (0..<10).map { sample(Double(10 * $0), 0, midtone: 5) }
    samples.append(sample(96, 0.5, midtone: 60, peak: 2000, cut: 94))
    samples += (1..<4).map { sample(Double(94 + 10 * $0), 0.45, midtone: 60, peak: 3000) }
    let plan = try plan(samples, end: 130)
    #expect(plan.shots.map(\.start) == [0, 94])
    #expect(plan.shots.map(\.peak) == [1000, 3000])
    let before = try #require(plan.light(at: time(93.9)))
    let after = try #require(plan.light(at: time(94)))
    #expect((4...8).contains(219 * (before.white - after.white)))
    #expect(plan.light(at: time(-1)) == before)
    #expect(plan.light(at: time(500)) == after)
  }

  /// Shots of one scene, such as a face, a face with sky, and the face again, share a curve.
  @Test func shotsOfASceneShareACurve() throws {
    let plan = try plan([
      sample(0, 0), sample(5, 0), sample(10, 0.3, cut: 10), sample(15, 0.3),
      sample(20, 0, cut: 20), sample(25, 0),
    ])
    #expect(plan.shots.count == 3)
    #expect(try Set(whites(plan)).count == 1)
  }

  /// At a cut to another scene that needs almost as much room, the tone curve stays the same.
  @Test func nearlyTheSameIsTheSame() throws {
    let plan = try plan(
      (0..<5).map { sample(Double($0), 0.2, midtone: 5) }
        + (5..<10).map { sample(Double($0), 0.25, midtone: 30, cut: $0 == 5 ? 5 : nil) })
    #expect(plan.shots.count == 2)
    #expect(plan.light(at: time(0)) == plan.light(at: time(9)))
  }

  /// A scene with flashes or a strobe looks like several shots, but the tone curve stays the same.
  @Test(arguments: [[2.0, 2.08], [2.0, 2.12, 2.25, 2.37, 2.5, 2.62], [59.9]])
  func flashesMoveNothing(cuts: [Double]) throws {
    var samples = [sample(0, 0.05), sample(1, 0.05)]
    for (index, cut) in cuts.enumerated() {
      samples.append(
        index % 2 == 0 ? sample(cut, 0.7, midtone: 100, cut: cut) : sample(cut, 0.05, cut: cut))
    }
    let plan = try plan(samples)
    #expect(plan.shots.count == cuts.count + 1)
    #expect(try Set(whites(plan)).count == 1)
  }

  /// SDR that was converted to HDR comes back as it was: it has nothing brighter than white, so
  /// nothing is compressed.
  @Test func whiteOfSDRComesBack() throws {
    let light = try #require(plan([sample(0, 0, peak: 207)]).light(at: .zero))
    #expect(light.peak <= 203)
  }

  @Test func nothingSeenIsNoPlan() {
    #expect(ShotPlan([], end: 0, white: 203, least: 1000, isFixed: true) == nil)
  }
}
