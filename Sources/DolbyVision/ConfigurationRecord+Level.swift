// SPDX-License-Identifier: GPL-2.0-or-later
extension ConfigurationRecord {
  /// The greatest number of samples in a second and the greatest width, of levels 1 to 13 (Dolby
  /// Vision Profiles and Levels; FFmpeg, `dovi_rpuenc.c`).
  private static let limits: [(sampleRate: Int, width: Int)] = [
    (1280 * 720 * 24, 1280), (1280 * 720 * 30, 1280),
    (1920 * 1080 * 24, 1920), (1920 * 1080 * 30, 2560), (1920 * 1080 * 60, 3840),
    (3840 * 2160 * 24, 3840), (3840 * 2160 * 30, 3840), (3840 * 2160 * 48, 3840),
    (3840 * 2160 * 60, 3840), (3840 * 2160 * 120, 3840), (3840 * 2160 * 120, 7680),
    (7680 * 4320 * 60, 7680), (7680 * 4320 * 120, 7680),
  ]

  /// The levels that there are.
  static let levels: ClosedRange<UInt8> = 1...13

  /// `dv_level`: the first level that allows a frame of some size at some rate; nil for none. The
  /// bit rate, which levels limit too, is not looked at.
  ///
  /// - Parameters:
  ///   - width: coded samples of a row.
  ///   - height: coded rows.
  ///   - frameRate: frames per second.
  package static func level(width: Int, height: Int, frameRate: Double) -> UInt8? {
    let samples = Double(width) * Double(height) * frameRate
    guard width > 0, height > 0, frameRate > 0 else { return nil }
    let index = limits.firstIndex { limit in
      samples <= Double(limit.sampleRate) && width <= limit.width
    }
    return index.map { UInt8($0 + 1) }
  }

  /// The rate that frames are meant to have, by the time between most of them: their average is
  /// less where the rate is variable, and level 1 of a phone's frames of 30 a second is too low.
  ///
  /// - Parameter seconds: the times at which frames are presented, in any order.
  /// - Returns: nil for less than two frames.
  package static func nominalFrameRate(ofTimes seconds: [Double]) -> Double? {
    let times = seconds.sorted()
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return gaps.isEmpty ? nil : nominalFrameRate(1 / gaps[gaps.count / 2])
  }

  /// The rate that frames are meant to have, which levels count: those of phones, and of short
  /// clips, are measured a few percent off.
  package static func nominalFrameRate(_ measured: Double) -> Double {
    let usual: [Double] = [24, 25, 30, 48, 50, 60, 100, 120, 240]
    let nearest = usual.min { abs(measured - $0) < abs(measured - $1) } ?? measured
    return abs(measured / nearest - 1) < 0.05 ? nearest : measured
  }
}
