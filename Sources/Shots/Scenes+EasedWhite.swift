// SPDX-License-Identifier: GPL-2.0-or-later
/// Eases the signal of diffuse white from sample to sample.
extension Scenes {
  /// White stays the same, both within a shot and at a cut, if the best signals for the samples
  /// differ by no more than this. If white followed such small differences, switching on a lamp
  /// would darken the wall beside it.
  static let negligibleChange = 0.02
  /// White changes by at most `fastestOfFrame` from one frame to the next (a ninth of an 8-bit code
  /// value), and by at most `fastest` in a second. Rounding after a weak dither can triple the
  /// change between frames, but even then it is invisible.
  private static let (fastestOfFrame, fastest) = (0.0005, 0.012)
  /// At a cut between two scenes, white changes by at most this much: 7.5 of 219 code values. A
  /// caption or a logo that stays on the screen must not flash.
  private static let largestStep = 7.5 / 219

  /// Returns the share of SDR's signal that diffuse white gets at each sample. It is close to the
  /// share that would suit the sample best, but it is steady within a scene and does not jump
  /// visibly at a cut.
  ///
  /// - Parameters:
  ///   - wanted: for each sample, the signal of white that would suit it best.
  ///   - samples: measured frames, sorted by time.
  func easedWhites(_ wanted: [Double], _ samples: [ShotSurvey.Sample]) -> [Double] {
    let places = places(wanted, samples)
    let count = (places.max() ?? 0) + 1
    var (sums, sizes) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    // `members` leaves out flashes, and yet every size is at least 1: a flash shares its scene with
    // a longer shot, and all samples of a scene with several shots have the same number in
    // `places`.
    for index in members.joined() {
      sums[places[index]] += wanted[index]
      sizes[places[index]] += 1
    }
    let means = zip(sums, sizes).map { $0 / $1 }
    /// The largest allowed change from the previous sample to each sample.
    let steps = samples.indices.map { index in
      guard index > 0 else { return 0.0 }
      let sample = samples[index]
      if sample.cut != nil { return Self.largestStep }
      let speed = min(Self.fastest, Self.fastestOfFrame / max(sample.interval, 1e-6))
      return speed * max(sample.time - samples[index - 1].time, 0)
    }
    // A line is allowed if it nowhere changes faster than `steps`. `above` is the lowest allowed
    // line that is nowhere below the wanted means, so it is too high. `below` is the highest one
    // that is nowhere above them, so it is too low. The middle errs equally in both directions.
    let above = Self.bound(means.map { -$0 }, places, steps).map { -$0 }
    let below = Self.bound(means, places, steps)
    return places.map { ShotPlan.rounded((above[$0] + below[$0]) / 2) }
  }

  /// Returns a number for each sample. Samples with the same number have the same white.
  private func places(_ wanted: [Double], _ samples: [ShotSurvey.Sample]) -> [Int] {
    var (places, next) = ([Int](repeating: 0, count: samples.count), members.count)
    for shot in shots {
      let (low, high) = (wanted[shot].min() ?? 0, wanted[shot].max() ?? 0)
      // In a still scene, more light means that something was switched on, so keep white.
      let isStill = samples[shot].dropFirst().allSatisfy(\.isStill)
      let scene = scene(ofSample: shot.lowerBound)
      let isSteady = isStill || high - low <= Self.negligibleChange || isShared[scene]
      for index in shot {
        places[index] = isSteady ? scene : next
        if !isSteady { next += 1 }
      }
    }
    // Some numbers may have no samples and thus no mean. Renumber, so that only numbers with
    // samples remain.
    let used = Set(places).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    return places.map { numbers[$0] ?? 0 }
  }

  /// Returns the largest signals that are nowhere above the given ones and change by no more than
  /// the steps allow from sample to sample. There is one signal for each number in `places`.
  private static func bound(_ numbers: [Double], _ places: [Int], _ steps: [Double]) -> [Double] {
    var (bound, hasChanged) = (numbers, true)
    func limit(_ index: Int, by neighbor: Int, _ step: Double) {
      let most = bound[places[neighbor]] + step
      guard bound[places[index]] > most + 1e-12 else { return }
      bound[places[index]] = most
      hasChanged = true
    }
    // A scene can have shots at several times. Lowering its signal at one time also lowers it at
    // the others, and the neighbors there may have to follow. So repeat until nothing changes.
    while hasChanged {
      hasChanged = false
      for index in places.indices.dropFirst() { limit(index, by: index - 1, steps[index]) }
      for index in places.indices.dropLast().reversed() {
        limit(index, by: index + 1, steps[index + 1])
      }
    }
    return bound
  }
}
