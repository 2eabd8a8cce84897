// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import ColorScience

/// Groups shots that show the same scene. They share a tone curve, so that nothing in the scene
/// changes its brightness at a cut.
struct Scenes {
  /// The shots in order: ranges of samples, none of them empty.
  let shots: [Range<Int>]
  /// For each scene, its samples.
  let members: [[Int]]
  /// Whether a scene has several shots.
  let isShared: [Bool]
  private let sceneOfSample: [Int]

  /// A shot that is shorter than this, in seconds, between two shots of one scene is a flash, or a
  /// part of a flicker. At the end of a file, what follows is not known.
  private static let short = 0.6
  /// How many shots before a shot may show the same scene. Conversations and concerts go back and
  /// forth between a few cameras.
  private static let reach = 6
  /// The largest distance between the midtones of two shots of one scene.
  private static let sameScene = 0.25
  /// The midtones that are compared, in cd/m². Darker light is noise, and
  /// brighter light comes from lamps and the sky.
  private static let midtones = 2.0...110

  /// - Parameters:
  ///   - samples: measured frames, sorted by time, at least one.
  ///   - end: the time of the last frame, in seconds.
  init(_ samples: [ShotSurvey.Sample], end: Double) {
    let starts = samples.indices.filter { $0 == 0 || samples[$0].cut != nil }
    let shots = zip(starts, starts.dropFirst() + [samples.count]).map { $0..<$1 }
    let looks = shots.map { shot in MidtoneLook(samples[shot].map(\.histogram), Self.midtones) }
    func start(_ index: Int) -> Double {
      index < shots.count
        ? samples[shots[index].lowerBound].cut ?? samples[shots[index].lowerBound].time : end
    }
    /// For each shot, an earlier one of the same scene, or itself.
    var earlier = Array(shots.indices)
    func scene(_ shot: Int) -> Int {
      var shot = shot
      while earlier[shot] != shot { shot = earlier[shot] }
      return shot
    }
    func join(_ one: Int, _ other: Int) {
      let (first, second) = (scene(one), scene(other))
      earlier[max(first, second)] = min(first, second)
    }
    for index in shots.indices.dropFirst() {
      for before in max(index - Self.reach, 0)..<index
      where looks[index].distance(to: looks[before]) < Self.sameScene {
        join(index, before)
      }
    }
    for index in shots.indices.dropFirst() where start(index + 1) - start(index) < Self.short {
      let isLast = index == shots.count - 1
      if isLast || scene(index - 1) == scene(index + 1) { join(index, index - 1) }
    }
    let roots = shots.indices.filter { earlier[$0] == $0 }
    let scenes = shots.indices.map { roots.firstIndex(of: scene($0)) ?? 0 }
    self.shots = shots
    sceneOfSample = shots.indices.flatMap { index in shots[index].map { _ in scenes[index] } }
    members = roots.indices.map { root in
      shots.indices.filter { scenes[$0] == root }.flatMap { shots[$0] }
    }
    isShared = roots.indices.map { root in scenes.count { $0 == root } > 1 }
  }

  /// Returns the scene that a sample shows.
  func scene(ofSample index: Int) -> Int { sceneOfSample[index] }
}

/// The midtones of a shot.
private struct MidtoneLook {
  /// The share of each level, without light outside the midtones. Empty if there are hardly any
  /// midtones.
  private let shares: [Double]

  /// How many levels there are. Grain moves no pixel from one to another.
  private static let count = 24
  /// The share of pixels that must be midtones, so that they say something about the scene.
  private static let least = 0.05

  init(_ histograms: [LightHistogram], _ midtones: ClosedRange<Double>) {
    let (low, high) = (
      PQ.inverseEOTF(midtones.lowerBound), PQ.inverseEOTF(midtones.upperBound)
    )
    var sums = [Double](repeating: 0, count: Self.count)
    for histogram in histograms {
      for (signal, share) in histogram.shares(from: 0, to: 1) where signal > low && signal <= high {
        sums[Int((signal - low) / (high - low) * Double(Self.count - 1))] += share
      }
    }
    let total = sums.reduce(0, +)
    let isEnough = total > Self.least * Double(histograms.count)
    shares = isEnough ? sums.map { $0 / total } : []
  }

  /// Returns which share of the midtones would have to move for one shot to look like the other,
  /// 0…1. The distance is 1 if one of them has no midtones.
  func distance(to other: MidtoneLook) -> Double {
    guard !shares.isEmpty, !other.shares.isEmpty else { return 1 }
    return zip(shares, other.shares).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
  }
}
