// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorScience
package import DolbyVision

/// A report on the Dolby Vision RPU of one frame.
///
/// In JSON, the keys are the properties' names, and values that are `nil` are left out.
package struct RPUFrameReport: Sendable, Encodable {
  /// The frame's position in presentation order, from 0.
  package let frame: Int
  /// The presentation time on the media's timeline, in seconds, or `nil` if the file has no times.
  package let time: Double?
  /// Why the report is empty: the RPU is missing or damaged.
  package let error: String?
  /// The profile of the RPU: 4, 5, 7 or 8; `nil` if unknown.
  package let profile: Int?
  /// Whether the frame begins a shot (`scene_refresh_flag`).
  package let isSceneRefresh: Bool?
  /// The version of content mapping, judged by the blocks: `CM v2.9` or `CM v4.0`.
  package let contentMapping: String?
  /// `source_min_PQ` and `source_max_PQ`, in 12-bit PQ; `nil` if an earlier RPU states them.
  package let sourcePQ: [Int]?
  /// The levels of all extension blocks, in the order of the RPU.
  package let levels: [Int]
  /// The brightness of the frame.
  package let level1: Brightness?
  package let activeArea: Level5?
  package let blocks: [ExtensionBlock]
  /// Invalid values, as text.
  package let issues: [String]

  /// Level 1: the brightness of a frame.
  package struct Brightness: Sendable, Encodable {
    /// The minimum, in 12-bit PQ.
    package let minPQ: Int
    /// The average, in 12-bit PQ.
    package let avgPQ: Int
    /// The maximum, in 12-bit PQ.
    package let maxPQ: Int
    /// The minimum in cd/m².
    package let minLuminance: Double
    /// The average in cd/m².
    package let avgLuminance: Double
    /// The maximum in cd/m².
    package let maxLuminance: Double

    init(_ level: Level1) {
      (minPQ, avgPQ, maxPQ) = (Int(level.minPQ), Int(level.avgPQ), Int(level.maxPQ))
      minLuminance = Self.luminance(level.minPQ)
      avgLuminance = Self.luminance(level.avgPQ)
      maxLuminance = Self.luminance(level.maxPQ)
    }

    /// Returns the luminance of a 12-bit PQ code, in cd/m².
    private static func luminance(_ code: UInt16) -> Double {
      let value = PQ.eotf(Double(code) / 4095)
      return (value * 10_000).rounded() / 10_000
    }
  }

  init(frame: Int, time: Double?, _ rpu: DolbyVisionRPU?) {
    self.frame = frame
    self.time = time
    let unit = rpu?.unit
    error = rpu == nil ? "no RPU" : rpu?.damage?.description
    let data = unit?.displayManagement
    profile = unit?.profile.map(Int.init)
    isSceneRefresh = data?.isSceneRefresh
    contentMapping = data.map { "\($0.version)" }
    sourcePQ = data?.color.map { [Int($0.sourceMinPQ), Int($0.sourceMaxPQ)] }
    levels = data?.blocks.map { Int($0.level) } ?? []
    level1 = data?.level1.map(Brightness.init)
    activeArea = data?.level5
    blocks = data?.blocks ?? []
    issues = unit?.issues ?? []
  }
}
