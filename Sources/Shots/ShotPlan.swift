// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
package import ColorConversion
package import MediaCore

/// The shots of a track and the light that tone curves are fitted to.
package struct ShotPlan: Hashable, Sendable, Codable {
  // The light is a function of time alone, so frames can be converted in any order, on any thread,
  // and by another process that encodes a segment.

  package struct Shot: Hashable, Sendable, Codable {
    /// Start time, in seconds of the track's media timeline.
    package let start: Double
    /// The brightest light that the shot's curve distinguishes, in cd/m².
    package let peak: Double
    /// Shares of bright pixels by time, at least one. Between two keys the share changes linearly.
    package let keys: [Key]
  }

  /// The share of bright pixels at a time.
  package struct Key: Hashable, Sendable, Codable {
    /// Time in seconds of the track's media timeline.
    package var time: Double
    /// The share of pixels brighter than diffuse white, 0…1.
    package var brightShare: Double
  }

  /// The shots in order, at least one.
  package let shots: [Shot]

  /// Within a shot, shares that differ by less are averaged. Otherwise switching on a lamp would
  /// darken the wall beside it.
  private static let negligibleChange = 0.1
  /// The lowest peak of a curve for PQ, in cd/m², unless a lower one is declared.
  private static let usualPeak = 1000.0
  /// The fastest change of the share, per second. At this speed a gray moves by less than a quarter
  /// of an 8-bit code value between two frames of film, which nobody sees.
  private static let fastest = 0.022
  /// The fastest change when one still scene gives way to another, as in a dissolve.
  private static let fastestTransition = 0.25
  /// The longest dissolve between still scenes, and the part at each end of a longer change that
  /// counts as a dissolve, in seconds.
  private static let (longestTransition, transitionEdge) = (5.0, 1.0)

  /// Measures the shots of a track.
  ///
  /// - Parameter hlgPeakLuminance: peak of the display that HLG is shown on, in cd/m².
  /// - Returns: `nil` if the light of its frames cannot be measured, or no frame could be decoded.
  package init?(
    of track: AssetTrack, _ conversion: ConversionPlan, hlgPeakLuminance: Double
  ) throws {
    guard
      let survey = try ShotSurvey(track, conversion, hlgPeakLuminance: hlgPeakLuminance)
    else { return nil }
    self.init(survey.samples, conversion)
  }

  /// Makes one shot of one frame.
  ///
  /// - Parameter hlgPeakLuminance: peak of the display that HLG is shown on, in cd/m².
  /// - Returns: `nil` if the frame is black, or its light cannot be measured.
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
    // Many files declare a mastering peak of 4000 cd/m² that no frame comes near. A curve up to
    // there would darken everything, so the measured peak counts for more.
    let least = min(conversion.statedPeak, isFixed ? .infinity : Self.usualPeak)
    self.init(samples, least: least, isFixed: isFixed)
  }

  /// - Parameters:
  ///   - samples: measured frames, sorted by time.
  ///   - least: the lowest peak of a curve, in cd/m².
  ///   - isFixed: whether `least` is the peak of every curve, as for HLG.
  /// - Returns: `nil` if there are no samples.
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
        // Nothing precedes the first shot, so frames before its first sample belong to it, too.
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
    // In a still scene, more light means that something was switched on, so one curve serves the
    // whole scene.
    let isStill = samples.dropFirst().allSatisfy(\.isStill)
    guard high - low > negligibleChange, !isStill else {
      let mean = shares.reduce(0, +) / Double(max(shares.count, 1))
      return [Key(time: samples.first?.time ?? 0, brightShare: rounded(mean))]
    }
    return eased(samples)
  }

  /// Returns shares that change no faster than allowed, and stay the same while the scene stands
  /// still.
  private static func eased(_ samples: [ShotSurvey.Sample]) -> [Key] {
    let keys = samples.map { Key(time: $0.time, brightShare: $0.brightShare) }
    let speeds = speeds(samples)
    // The lowest allowed curve above all shares is too high, and the highest one below them is too
    // low. Take the middle between the two.
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

  /// Returns, for each sample, how fast the share may change between the sample before and this
  /// one, per second.
  private static func speeds(_ samples: [ShotSurvey.Sample]) -> [Double] {
    let isStill = samples.indices.map { $0 > 0 && samples[$0].isStill }
    // For each sample, when the last still scene ended; `next` is when the following one begins.
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

  /// Rounds a share so finely that no code value changes.
  private static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }

  func shot(at time: MediaTime) -> Shot? {
    // A time that went through a container's coarser ticks may be up to half a millisecond early.
    let seconds = time.seconds + 0.0005
    return shots.last { $0.start <= seconds } ?? shots.first
  }

  /// Returns the light that the tone curve of a frame is fitted to.
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

extension ShotPlan: JSONObject {
  package static let fields: [JSONField<ShotPlan>] = [
    .init(
      "shots", "The shots in order.", JSONSchema(.list(of: Shot.schema, count: 1...Int.max))
    ) { $0.shots }
  ]
}

extension ShotPlan.Shot: JSONObject {
  package static let fields: [JSONField<ShotPlan.Shot>] = [
    .init("start", "When the shot begins, in seconds of the track's media.") { $0.start },
    .init("peak", "The brightest light that the curve distinguishes, in cd/m².") { $0.peak },
    .init(
      "keys", "Shares of bright pixels by time. Between two keys the share changes linearly.",
      JSONSchema(.list(of: ShotPlan.Key.schema, count: 1...Int.max))
    ) { $0.keys },
  ]
}

extension ShotPlan.Key: JSONObject {
  package static let fields: [JSONField<ShotPlan.Key>] = [
    .init("time", "The time, in seconds of the track's media.") { $0.time },
    .init("brightShare", "The share of pixels brighter than diffuse white.", .share) {
      $0.brightShare
    },
  ]
}
