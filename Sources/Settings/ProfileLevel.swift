// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import VideoEncoders

extension VideoSettings {
  /// A profile and level, spelled like Video Toolbox's constants: `HEVC_Main10_AutoLevel`,
  /// `H264_High_4_1`.
  public struct ProfileLevel: Hashable, Sendable, CustomStringConvertible {
    /// The profiles of all encoders.
    static let profiles = VideoCodec.allCases.flatMap { $0.encoder.profiles }

    package let profile: EncoderProfile
    /// The level, such as `4.1`, or `nil` for the lowest that fits.
    package let level: String?

    /// The spelling of the constant: `HEVC_Main10_AutoLevel` or `HEVC_Main10_4_1`.
    public var description: String {
      let prefix = profile.codec.rawValue.uppercased()
      let suffix = level.map { $0.replacing(".", with: "_") } ?? "AutoLevel"
      return "\(prefix)_\(profile.name)_\(suffix)"
    }

    /// Every spelling with an automatic level.
    static let spellings: [String] = profiles.map {
      ProfileLevel(profile: $0, level: nil).description
    }

    init(profile: EncoderProfile, level: String?) {
      self.profile = profile
      self.level = level
    }

    /// Parses a spelling. Returns `nil` if it is unknown.
    public init?(spelling: String) {
      let parts = spelling.split(separator: "_").map(String.init)
      guard parts.count >= 3 else { return nil }
      let codec = VideoCodec(rawValue: parts[0].lowercased())
      guard let profile = Self.profiles.first(where: { $0.codec == codec && $0.name == parts[1] })
      else { return nil }
      self.profile = profile
      if parts[2] == "AutoLevel" && parts.count == 3 {
        level = nil
      } else {
        guard parts.count <= 4, parts[2...].allSatisfy({ UInt8($0) != nil }) else { return nil }
        let level = parts[2...].joined(separator: ".")
        // The standards call a level `4`, but Video Toolbox's constants say `4_0`. Both are
        // accepted.
        guard profile.codec.encoder.levels.contains(level.replacing(".0", with: "")) else {
          return nil
        }
        self.level = level
      }
    }
  }
}
