// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorScience
internal import DolbyVision

/// A report on the Dolby Vision RPU of one frame.
///
/// Encoded, the keys are the properties' names; what is absent is left out.
package struct RPUFrameReport: Sendable, Encodable {
  /// The frame's number in the order of presentation, from 0.
  package let frame: Int
  /// The presentation time, in seconds of the track's media timeline; nil if the file does not
  /// state it.
  package let time: Double?
  /// The reason for an empty report: no RPU, or a damaged one; nil for an RPU that can be read.
  package let error: String?
  /// The profile that the RPU is of: 4, 5, 7 or 8.
  package let profile: Int?
  /// `scene_refresh_flag`: true if the frame begins a shot.
  package let isSceneRefresh: Bool?
  /// `CM v2.9` or `CM v4.0`: the blocks that there are.
  package let contentMapping: String?
  /// `source_min_PQ` and `source_max_PQ`, PQ in 12 bits.
  package let sourcePQ: [Int]?
  /// The levels of all extension blocks, in their order.
  package let levels: [Int]
  /// Level 1.
  package let level1: Brightness?
  /// Level 5: left, right, top and bottom offsets of the active area.
  package let activeArea: [Int]?
  /// All blocks with their fields, for people.
  package let blocks: [String]
  /// Values that are not valid, for people.
  package let issues: [String]

  /// Level 1: how bright the frame is.
  package struct Brightness: Sendable, Encodable {
    /// The minimum, PQ in 12 bits.
    package let minPQ: Int
    /// The average, PQ in 12 bits.
    package let avgPQ: Int
    /// The maximum, PQ in 12 bits.
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

    /// Luminance of a PQ code value of 12 bits, in cd/m², to four significant digits or so: more
    /// are not in 12 bits.
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
    activeArea = data?.level5.map {
      [
        $0.activeAreaLeftOffset, $0.activeAreaRightOffset, $0.activeAreaTopOffset,
        $0.activeAreaBottomOffset,
      ].map(Int.init)
    }
    blocks = data?.blocks.map(\.text) ?? []
    issues = unit?.issues.map { "\($0)" } ?? []
  }
}

extension ExtensionBlock {
  /// The level with its fields, by their names.
  fileprivate var text: String {
    var content: Any = self
    if let payload = Mirror(reflecting: self).children.first?.value { content = payload }
    let fields = Mirror(reflecting: content).children.compactMap { child in
      child.label.map { name in
        "\(name) \(Self.text(child.value))"
      }
    }
    return "level \(level): \(fields.joined(separator: ", "))"
  }

  /// A field's value; one that is absent is a dash.
  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { "\($0.value)" } ?? "–"
  }
}
