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
    /// Start time, in seconds on the track's media timeline.
    package let start: Double
    /// The brightest light that the curve distinguishes, in cd/m².
    package let peak: Double
    /// The light above which highlights keep less of their contrast, in cd/m².
    package let shoulder: Double
    /// The brightest light that was measured or stated in the shot itself, in cd/m².
    package let brightest: Double
    /// The signal of diffuse white by time: at least one key. Between two keys, the signal changes
    /// linearly.
    package let keys: [Key]
  }

  /// The signal of diffuse white at a time.
  package struct Key: Hashable, Sendable, Codable {
    /// Time, in seconds on the track's media timeline.
    package var time: Double
    /// The share of SDR's signal that diffuse white gets, 0…1.
    package var white: Double
  }

  /// The shots in order, at least one.
  package let shots: [Shot]

  /// The lowest peak of a curve for PQ, in cd/m², unless the source declares a lower one.
  private static let usualPeak = 1000.0

  /// Measures the shots of a track.
  ///
  /// - Parameter hlgPeakLuminance: peak of the display that HLG is shown on, in cd/m².
  /// - Returns: `nil` if the light of the track's frames cannot be measured, if no frame could be
  ///   decoded, or if all of them are black.
  package init?(
    of track: AssetTrack, _ conversion: ConversionPlan, hlgPeakLuminance: Double
  ) throws {
    guard
      let survey = try ShotSurvey(track, conversion, hlgPeakLuminance: hlgPeakLuminance)
    else { return nil }
    self.init(survey.samples, end: survey.end, conversion)
  }

  /// Makes a plan with a single shot, from a single frame.
  ///
  /// - Parameter hlgPeakLuminance: peak of the display that HLG is shown on, in cd/m².
  /// - Returns: `nil` if the frame is black, or its light cannot be measured.
  package init?(
    of picture: PixelBuffer, _ conversion: ConversionPlan, hlgPeakLuminance: Double
  ) {
    guard
      let sample = ShotSurvey.Sample(of: picture, conversion, hlgPeakLuminance: hlgPeakLuminance)
    else { return nil }
    self.init([sample], end: sample.time, conversion)
  }

  private init?(_ samples: [ShotSurvey.Sample], end: Double, _ conversion: ConversionPlan) {
    let isFixed = conversion.hasDisplayPeak
    // Many files declare a mastering peak of 4000 cd/m² that no frame comes near. A curve for that
    // peak would darken everything. So unless the peak is fixed, a curve goes above `usualPeak`
    // only for light that was measured, or that dynamic metadata states.
    let least = min(conversion.statedPeak, isFixed ? .infinity : Self.usualPeak)
    self.init(
      samples, end: end, white: conversion.brightLuminance, least: least, isFixed: isFixed)
  }

  /// - Parameters:
  ///   - samples: measured frames, sorted by time.
  ///   - end: the time of the last frame, in seconds.
  ///   - white: the luminance of diffuse white, in cd/m².
  ///   - least: the lowest peak of a curve, in cd/m².
  ///   - isFixed: whether `least` is the peak of every curve, as for HLG.
  /// - Returns: `nil` if there are no samples.
  init?(
    _ samples: [ShotSurvey.Sample], end: Double, white: Double, least: Double, isFixed: Bool
  ) {
    guard !samples.isEmpty else { return nil }
    // A file in which nothing is brighter than white was made from SDR, and becomes SDR again.
    guard samples.contains(where: { $0.isBrighter(than: white) }) else {
      let key = Key(time: samples[0].time, white: 1)
      shots = [
        Shot(
          start: min(samples[0].time, 0), peak: white, shoulder: white,
          brightest: Self.brightest(samples[...]), keys: [key])
      ]
      return
    }
    let fits = samples.map { HighlightFit(histogram: $0.histogram, white: white) }
    typealias Light = (peak: Double, shoulder: Double)
    func measured(_ scenes: Scenes) -> (lights: [Light], whites: [Double]) {
      let lights = scenes.members.map { members in
        let peak = isFixed ? least : members.reduce(least) { max($0, samples[$1].peak) }
        let shoulders = members.compactMap { fits[$0].shoulder }
        return (peak: peak, shoulder: min(shoulders.max() ?? peak, peak))
      }
      let whites = fits.enumerated().map { index, fit in
        let light = lights[scenes.scene(ofSample: index)]
        return fit.white(peak: light.peak, shoulder: light.shoulder)
      }
      return (lights, whites)
    }
    let looks = Scenes(samples, end: end)
    let scenes = looks.joined(measured(looks).whites)
    let (lights, wanted) = measured(scenes)
    let whites = scenes.easedWhites(wanted, samples)
    shots = scenes.shots.enumerated().map { index, shot in
      let light = lights[scenes.scene(ofSample: shot.lowerBound)]
      let first = samples[shot.lowerBound]
      let keys = shot.map { Key(time: samples[$0].time, white: whites[$0]) }
      return Shot(
        // Nothing precedes the first shot, so frames before its first sample belong to it, too.
        start: index == 0 ? min(first.time, 0) : first.cut ?? first.time,
        peak: light.peak, shoulder: light.shoulder, brightest: Self.brightest(samples[shot]),
        keys: keys.allSatisfy { $0.white == keys[0].white } ? [keys[0]] : keys)
    }
  }

  private static func brightest(_ samples: ArraySlice<ShotSurvey.Sample>) -> Double {
    samples.reduce(0) { max($0, $1.peak) }
  }

  /// Returns the brightest light of the shot that a frame belongs to, in cd/m².
  package func brightest(at time: MediaTime) -> Double { shot(at: time)?.brightest ?? 0 }

  /// The highest peak of all shots' curves, in cd/m².
  package var peak: Double { shots.reduce(0) { max($0, $1.peak) } }

  /// Rounds a share of the signal so finely that no code value changes.
  static func rounded(_ white: Double) -> Double { (white * 100_000).rounded() / 100_000 }

  func shot(at time: MediaTime) -> Shot? {
    // A time that went through a container's coarser ticks may be up to half a millisecond early.
    let seconds = time.seconds + 0.0005
    return shots.last { $0.start <= seconds } ?? shots.first
  }

  /// Returns the light that the tone curve of a frame is fitted to.
  package func light(at time: MediaTime) -> ShotLight? {
    shot(at: time).map { shot in
      ShotLight(
        peak: shot.peak, shoulder: shot.shoulder, white: shot.white(at: time.seconds))
    }
  }
}

extension ShotPlan.Shot {
  fileprivate func white(at seconds: Double) -> Double {
    let next = keys.firstIndex { $0.time > seconds } ?? keys.count
    guard next > 0 else { return keys.first?.white ?? 1 }
    let before = keys[next - 1]
    guard next < keys.count else { return before.white }
    let part = (seconds - before.time) / (keys[next].time - before.time)
    return ShotPlan.rounded(before.white + part * (keys[next].white - before.white))
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
    .init("start", "When the shot begins, in seconds on the track's media timeline.") { $0.start },
    .init("peak", "The brightest light that the curve distinguishes, in cd/m².") { $0.peak },
    .init("shoulder", "The light above which highlights keep less contrast, in cd/m².") {
      $0.shoulder
    },
    .init("brightest", "The brightest light measured or stated in the shot, in cd/m².") {
      $0.brightest
    },
    .init(
      "keys", "The signal of diffuse white over time. Between two keys, it changes linearly.",
      JSONSchema(.list(of: ShotPlan.Key.schema, count: 1...Int.max))
    ) { $0.keys },
  ]
}

extension ShotPlan.Key: JSONObject {
  package static let fields: [JSONField<ShotPlan.Key>] = [
    .init("time", "The time, in seconds on the track's media timeline.") { $0.time },
    .init("white", "The share of SDR's signal that diffuse white gets.", .share) { $0.white },
  ]
}
