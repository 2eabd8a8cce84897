// SPDX-License-Identifier: GPL-2.0-or-later
extension ConfigurationRecord {
  // Levels 10 and 11 differ only in width. Levels also limit the bit rate, which depends on the
  // encoder's settings and is not checked.
  /// The largest number of pixels per second and the largest width that each of the levels 1 to 13
  /// allows (Dolby Vision Profiles and Levels; FFmpeg, `dovi_rpuenc.c`).
  private static let limits: [(sampleRate: Int, width: Int)] = [
    (1280 * 720 * 24, 1280), (1280 * 720 * 30, 1280),
    (1920 * 1080 * 24, 1920), (1920 * 1080 * 30, 2560), (1920 * 1080 * 60, 3840),
    (3840 * 2160 * 24, 3840), (3840 * 2160 * 30, 3840), (3840 * 2160 * 48, 3840),
    (3840 * 2160 * 60, 3840), (3840 * 2160 * 120, 3840), (3840 * 2160 * 120, 7680),
    (7680 * 4320 * 60, 7680), (7680 * 4320 * 120, 7680),
  ]

  /// The levels that exist.
  static let levels: ClosedRange<UInt8> = 1...13

  /// Returns the lowest level (`dv_level`) that allows frames of this size at this rate, or `nil`
  /// if no level does.
  ///
  /// - Parameters:
  ///   - width: the coded width in pixels.
  ///   - height: the coded height in pixels.
  ///   - frameRate: frames per second.
  package static func level(width: Int, height: Int, frameRate: Double) -> UInt8? {
    let samples = Double(width) * Double(height) * frameRate
    guard width > 0, height > 0, frameRate > 0 else { return nil }
    let index = limits.firstIndex { limit in
      samples <= Double(limit.sampleRate) && width <= limit.width
    }
    return index.map { UInt8($0 + 1) }
  }

  /// Returns the nominal frame rate for some presentation times, or `nil` for fewer than two
  /// frames.
  ///
  /// - Parameter seconds: the times at which frames are presented, in any order.
  package static func nominalFrameRate(ofTimes seconds: [Double]) -> Double? {
    // Take the median of the gaps. Phones record at a variable rate. The average rate is lower than
    // the rate of most frames, so it would give a level that is too low.
    let times = seconds.sorted()
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return gaps.isEmpty ? nil : nominalFrameRate(1 / gaps[gaps.count / 2])
  }

  /// Returns the usual frame rate nearest to a measured one, or the measured rate if no usual rate
  /// is near.
  package static func nominalFrameRate(_ measured: Double) -> Double {
    // Levels are defined for nominal rates. In short clips and clips from phones, measured rates
    // are a few percent off. A tolerance of 5 % still keeps 24 and 25 apart, since the nearest rate
    // wins.
    let usual: [Double] = [24, 25, 30, 48, 50, 60, 100, 120, 240]
    let nearest = usual.min { abs(measured - $0) < abs(measured - $1) } ?? measured
    return abs(measured / nearest - 1) < 0.05 ? nearest : measured
  }
}
