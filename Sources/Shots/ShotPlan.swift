// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import ColorConversion
package import MediaCore

/// The shots of a track, and the light that tone curves are fitted to: a function of time, so that
/// frames can be converted in any order and by anyone.
package struct ShotPlan: Hashable, Sendable, Codable {
  /// A shot: from a cut to the next.
  package struct Shot: Hashable, Sendable, Codable {
    /// Beginning, in seconds of the track's media timeline.
    package let start: Double
    /// The brightest light that its curve tells apart, in cd/m².
    package let peak: Double
    /// The shares of bright pixels and when they hold, in seconds; between two of them they change
    /// evenly. Not empty.
    package let keys: [Key]
  }

  /// A share of bright pixels at a time.
  package struct Key: Hashable, Sendable, Codable {
    /// Time at which it holds, in seconds.
    package var time: Double
    /// The share, 0 to 1.
    package var brightShare: Double
  }

  /// The shots in order, of which there is one at least.
  package let shots: [Shot]

  /// Shares of one shot that differ by no more are one: nothing moves where a lamp is lit.
  private static let negligibleChange = 0.1
  /// The peak of usual PQ, in cd/m², to which a curve reaches where no lower one is stated.
  private static let usualPeak = 1000.0
  /// The most that a share changes in a second: a gray moves by less than a quarter of an 8-bit
  /// code value from one frame of film to the next.
  private static let fastest = 0.022
  /// The same where what stands still gives way to something else.
  private static let fastestTransition = 0.25
  /// The longest time between what stands still and the next that does in which all of it is that,
  /// and of longer ones how much at either end, in seconds.
  private static let (longestTransition, transitionEdge) = (5.0, 1.0)

  /// The shots of a track, as its pictures show them.
  ///
  /// - Parameter hlgPeakLuminance: peak of the display that HLG is shown on, in cd/m².
  /// - Returns: nil for frames whose light cannot be measured, and where no picture was seen.
  package init?(
    of track: AssetTrack, _ conversion: ConversionPlan, hlgPeakLuminance: Double
  ) throws {
    guard
      let survey = try ShotSurvey(track, conversion, hlgPeakLuminance: hlgPeakLuminance)
    else { return nil }
    self.init(survey.samples, conversion)
  }

  /// A picture as a shot of its own.
  ///
  /// - Parameter hlgPeakLuminance: peak of the display that HLG is shown on, in cd/m².
  /// - Returns: nil for a picture whose light cannot be measured, or that is black.
  package init?(
    of picture: PixelBuffer, _ conversion: ConversionPlan, hlgPeakLuminance: Double
  ) {
    guard
      let sample = ShotSurvey.Sample(of: picture, conversion, hlgPeakLuminance: hlgPeakLuminance)
    else { return nil }
    self.init([sample], conversion)
  }

  private init?(_ samples: [ShotSurvey.Sample], _ conversion: ConversionPlan) {
    let isFixed = conversion.hasDisplayPeak
    // What is seen counts for more than a stated peak that nothing comes near to.
    let least = min(conversion.statedPeak, isFixed ? .infinity : Self.usualPeak)
    self.init(samples, least: least, isFixed: isFixed)
  }

  /// - Parameters:
  ///   - samples: facts about pictures, in order.
  ///   - least: the peak in cd/m² that every curve has at least.
  ///   - isFixed: true if that is the only one, as of HLG.
  /// - Returns: nil where no picture was seen.
  init?(_ samples: [ShotSurvey.Sample], least: Double, isFixed: Bool) {
    var groups: [[ShotSurvey.Sample]] = []
    for sample in samples {
      if groups.isEmpty || sample.cut != nil {
        groups.append([sample])
      } else {
        groups[groups.count - 1].append(sample)
      }
    }
    guard !groups.isEmpty else { return nil }
    shots = groups.enumerated().map { index, samples in
      let start = samples.first?.time ?? 0
      return Shot(
        start: index == 0 ? min(start, 0) : samples.first?.cut ?? start,
        peak: isFixed ? least : samples.reduce(least) { max($0, $1.peak) },
        keys: Self.keys(samples))
    }
  }

  /// The brightest light of all shots, in cd/m².
  package var peak: Double { shots.reduce(0) { max($0, $1.peak) } }

  private static func keys(_ samples: [ShotSurvey.Sample]) -> [Key] {
    let shares = samples.map(\.brightShare)
    let (low, high) = (shares.min() ?? 0, shares.max() ?? 0)
    // Nor where more of a scene that stands still is lit.
    let isStill = samples.dropFirst().allSatisfy(\.isStill)
    guard high - low > negligibleChange, !isStill else {
      let mean = shares.reduce(0, +) / Double(max(shares.count, 1))
      return [Key(time: samples.first?.time ?? 0, brightShare: rounded(mean))]
    }
    return eased(samples)
  }

  /// Shares that change no faster than they may, and nowhere where nothing else does: the middle
  /// between the lowest line above all of them and the highest below.
  private static func eased(_ samples: [ShotSurvey.Sample]) -> [Key] {
    let keys = samples.map { Key(time: $0.time, brightShare: $0.brightShare) }
    let speeds = speeds(samples)
    var (above, below) = (keys, keys)
    func limit(_ index: Int, by neighbor: Int) {
      let most = speeds[max(index, neighbor)] * abs(keys[index].time - keys[neighbor].time)
      above[index].brightShare = max(above[index].brightShare, above[neighbor].brightShare - most)
      below[index].brightShare = min(below[index].brightShare, below[neighbor].brightShare + most)
    }
    for index in keys.indices.dropFirst() { limit(index, by: index - 1) }
    for index in keys.indices.dropLast().reversed() { limit(index, by: index + 1) }
    return zip(above, below).map { high, low in
      Key(time: high.time, brightShare: rounded((high.brightShare + low.brightShare) / 2))
    }
  }

  /// The most that the share changes in a second, up to each sample.
  private static func speeds(_ samples: [ShotSurvey.Sample]) -> [Double] {
    let isStill = samples.indices.map { $0 > 0 && samples[$0].isStill }
    // When what stood still ended last, and when something will again.
    var (ends, next) = ([-Double.infinity], Double.infinity)
    for index in samples.indices.dropFirst() {
      ends.append(isStill[index] ? samples[index].time : ends[index - 1])
    }
    var speeds = [Double](repeating: 0, count: samples.count)
    for index in samples.indices.dropFirst().reversed() {
      if isStill[index] {
        next = samples[index - 1].time
        continue
      }
      let (since, until) = (samples[index - 1].time - ends[index], next - samples[index].time)
      let isTransition =
        min(since, until) < transitionEdge || next - ends[index] <= longestTransition
      speeds[index] = isTransition ? fastestTransition : fastest
    }
    return speeds
  }

  /// Fine enough that no code value tells the difference.
  private static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }

  /// The shot that a frame is in.
  func shot(at time: MediaTime) -> Shot? {
    // Times of other ticks a second may be a little early.
    let seconds = time.seconds + 0.0005
    return shots.last { $0.start <= seconds } ?? shots.first
  }

  /// The light that the curve of a frame is fitted to.
  package func light(at time: MediaTime) -> ShotLight? {
    guard let shot = shot(at: time) else { return nil }
    return ShotLight(peak: shot.peak, brightShare: shot.brightShare(at: time.seconds))
  }
}

extension ShotPlan.Shot {
  fileprivate func brightShare(at seconds: Double) -> Double {
    let next = keys.firstIndex { $0.time > seconds } ?? keys.count
    guard next > 0 else { return keys.first?.brightShare ?? 0 }
    let before = keys[next - 1]
    guard next < keys.count else { return before.brightShare }
    let part = (seconds - before.time) / (keys[next].time - before.time)
    let share = before.brightShare + part * (keys[next].brightShare - before.brightShare)
    return ShotPlan.rounded(share)
  }
}
