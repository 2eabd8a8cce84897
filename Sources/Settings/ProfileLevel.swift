internal import CodePoints
package import MediaCore

/// A profile and level in the spelling of Video Toolbox's constants: `HEVC_Main10_AutoLevel`,
/// `H264_High_4_1`.
public struct ProfileLevel: Hashable, Sendable, CustomStringConvertible {
  /// The profiles, by their name in the spelling.
  package struct Profile: Hashable, Sendable {
    let codec: VideoCodec
    let name: String
    /// What x264 or x265 calls it.
    package let encoderName: String
    package let bitDepths: ClosedRange<Int>
    package let chromaSubsampling: ChromaSubsampling
  }

  static let profiles: [Profile] = [
    .init(.hevc, "Main", "main", 8...8, .cs420),
    .init(.hevc, "Main10", "main10", 10...10, .cs420),
    .init(.hevc, "Main12", "main12", 12...12, .cs420),
    .init(.hevc, "Main42210", "main422-10", 10...10, .cs422),
    .init(.hevc, "Main444", "main444-8", 8...8, .cs444),
    .init(.hevc, "Main44410", "main444-10", 10...10, .cs444),
    .init(.h264, "Baseline", "baseline", 8...8, .cs420),
    .init(.h264, "ConstrainedBaseline", "baseline", 8...8, .cs420),
    .init(.h264, "Main", "main", 8...8, .cs420),
    .init(.h264, "High", "high", 8...8, .cs420),
    .init(.h264, "High10", "high10", 10...10, .cs420),
    .init(.h264, "High422", "high422", 8...10, .cs422),
    .init(.h264, "High444", "high444", 8...10, .cs444),
  ]

  /// The levels of H.264 (table A-1) and H.265 (table A.8).
  static func levels(of codec: VideoCodec) -> Set<String> {
    let shared: Set = [
      "1", "2", "2.1", "3", "3.1", "4", "4.1", "5", "5.1", "5.2", "6", "6.1", "6.2",
    ]
    return codec == .h264 ? shared.union(["1.1", "1.2", "1.3", "2.2", "3.2", "4.2"]) : shared
  }

  package let profile: Profile
  /// The level as `4.1`; nil for the lowest that fits.
  package let level: String?

  /// The spelling with an automatic or a stated level.
  public var description: String {
    let prefix = profile.codec.rawValue.uppercased()
    let suffix = level.map { $0.replacing(".", with: "_") } ?? "AutoLevel"
    return "\(prefix)_\(profile.name)_\(suffix)"
  }

  /// Every spelling with an automatic level.
  static let spellings: [String] = profiles.map {
    ProfileLevel(profile: $0, level: nil).description
  }

  init(profile: Profile, level: String?) {
    self.profile = profile
    self.level = level
  }

  /// A profile and level from a spelling; nil for one that is unknown.
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
      guard Self.levels(of: profile.codec).contains(level.replacing(".0", with: "")) else {
        return nil
      }
      self.level = level
    }
  }
}

extension ProfileLevel.Profile {
  init(
    _ codec: VideoCodec, _ name: String, _ encoderName: String, _ bitDepths: ClosedRange<Int>,
    _ chromaSubsampling: ChromaSubsampling
  ) {
    self.init(
      codec: codec, name: name, encoderName: encoderName, bitDepths: bitDepths,
      chromaSubsampling: chromaSubsampling)
  }
}
