// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import ColorScience

/// Groups shots that show the same scene. The shots of a scene share a tone curve, so that nothing
/// in the scene changes its brightness at a cut.
struct Scenes {
  /// The shots in order: ranges of samples, none of them empty.
  let shots: [Range<Int>]
  /// For each scene, the samples that its curve is fitted to. Flashes have the curve of the scene
  /// around them, but do not change it.
  let members: [[Int]]
  /// For each scene, whether it has several shots.
  let isShared: [Bool]
  /// The scene of each shot.
  private let scenes: [Int]
  private let isShort: [Bool]
  private let sceneOfSample: [Int]

  /// A shot that is shorter than this, in seconds, counts as a flash or a part of a flicker if the
  /// same scene is before and after it, or if the shot begins or ends the file.
  private static let short = 0.7
  /// How many of the previous shots are searched for a shot of the same scene. Conversations and
  /// concerts go back and forth between a few cameras.
  private static let reach = 6
  /// Two shots belong to the same scene if the distance between their midtones is less than this.
  private static let sameScene = 0.25
  /// The midtones that are compared, in cd/m². Darker light is noise, and brighter light comes from
  /// lamps and the sky.
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
    /// For each shot, an earlier shot of the same scene, or the shot itself.
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
    let short = shots.indices.map { start($0 + 1) - start($0) < Self.short }
    for index in shots.indices.dropFirst().dropLast() where short[index] {
      if scene(index - 1) == scene(index + 1) { join(index, index - 1) }
    }
    if let last = shots.indices.dropFirst().last {
      // A short shot at the beginning or the end keeps the curve of its scene if other shots of the
      // file show that scene, too. Otherwise it gets the curve of its neighbor.
      if short[last], scene(last) == last { join(last, last - 1) }
      if short[0], !shots.indices.dropFirst().contains(where: { scene($0) == 0 }) { join(1, 0) }
    }
    self.init(shots, isShort: short, scenes: shots.indices.map(scene))
  }

  /// - Parameter scenes: a number for each shot. Shots of the same scene have the same number.
  private init(_ shots: [Range<Int>], isShort: [Bool], scenes: [Int]) {
    let numbers = Set(scenes).sorted()
    (self.shots, self.isShort) = (shots, isShort)
    self.scenes = scenes.map { scene in numbers.firstIndex(of: scene) ?? 0 }
    sceneOfSample = zip(shots, self.scenes).flatMap { shot, scene in shot.map { _ in scene } }
    members = numbers.map { number in
      let all = shots.indices.filter { scenes[$0] == number }
      let lasting = all.filter { !isShort[$0] }
      return (lasting.isEmpty ? all : lasting).flatMap { shots[$0] }
    }
    isShared = numbers.map { number in scenes.count { $0 == number } > 1 }
  }

  /// Returns the scenes after joining neighbors that want nearly the same white. A step between
  /// them would be visible and gain almost nothing.
  ///
  /// - Parameter whites: the share of the signal that each sample wants for diffuse white.
  func joined(_ whites: [Double]) -> Scenes {
    var wanted = members.map { members in
      let wanted = members.map { whites[$0] }
      return (wanted.min() ?? 0)...(wanted.max() ?? 0)
    }
    var names = Array(members.indices)
    for (before, scene) in zip(scenes, scenes.dropFirst()) where names[before] != names[scene] {
      let (low, high) = (
        min(wanted[before].lowerBound, wanted[scene].lowerBound),
        max(wanted[before].upperBound, wanted[scene].upperBound)
      )
      guard high - low <= Self.negligibleChange else { continue }
      let (name, other) = (names[before], names[scene])
      names = names.map { $0 == other ? name : $0 }
      for index in names.indices where names[index] == name { wanted[index] = low...high }
    }
    return Scenes(shots, isShort: isShort, scenes: scenes.map { names[$0] })
  }

  /// Returns the scene that a sample shows.
  func scene(ofSample index: Int) -> Int { sceneOfSample[index] }
}

/// The midtones of a shot or, if there are hardly any, all of its light.
private struct MidtoneLook {
  /// The share of the pixels at each level of light.
  private let shares: [Double]
  private let isOfMidtones: Bool

  /// How many levels there are.
  private static let count = 24
  /// At least this share of the pixels must be midtones, so that midtones say something about the
  /// scene.
  private static let least = 0.05

  init(_ histograms: [LightHistogram], _ midtones: ClosedRange<Double>) {
    func sums(from low: Double, to high: Double) -> [Double] {
      var sums = [Double](repeating: 0, count: Self.count)
      for histogram in histograms {
        for (signal, share) in histogram.shares(from: 0, to: 1)
        where signal > low && signal <= high {
          // A pixel counts for the two levels beside it. If it counted for the nearer level only, a
          // wall whose light is halfway between two levels would jump from one level to the other
          // at the slightest change of light.
          let level = (signal - low) / (high - low) * Double(Self.count - 1)
          let lower = min(Int(level), Self.count - 2)
          sums[lower] += share * (1 - (level - Double(lower)))
          sums[lower + 1] += share * (level - Double(lower))
        }
      }
      return sums
    }
    let middle = sums(
      from: PQ.inverseEOTF(midtones.lowerBound), to: PQ.inverseEOTF(midtones.upperBound))
    isOfMidtones = middle.reduce(0, +) > Self.least * Double(histograms.count)
    let counted = isOfMidtones ? middle : sums(from: 0, to: 1)
    let total = counted.reduce(0, +)
    shares = counted.map { $0 / max(total, .leastNormalMagnitude) }
  }

  /// Returns the share of the pixels whose level would have to change for one shot to look like the
  /// other, 0…1. If only one of the two shots has enough midtones, returns 1.
  func distance(to other: MidtoneLook) -> Double {
    guard isOfMidtones == other.isOfMidtones else { return 1 }
    return zip(shares, other.shares).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
  }
}
