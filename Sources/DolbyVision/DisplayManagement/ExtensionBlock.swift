// SPDX-License-Identifier: GPL-2.0-or-later
/// One extension block of display management metadata: `ext_dm_data_block` (ETSI GS CCM 001).
package enum ExtensionBlock: Hashable, Sendable {
  /// How bright the frame is.
  case level1(Level1)
  /// A trim for a display, CM v2.9.
  case level2(Level2)
  /// Offsets to level 1.
  case level3(Level3)
  /// A temporally filtered brightness.
  case level4(Level4)
  /// The active area.
  case level5(Level5)
  /// Static metadata, as in SEI 137 and 144.
  case level6(Level6)
  /// A trim for a display, CM v4.0.
  case level8(Level8)
  /// The mastering display's primaries.
  case level9(Level9)
  /// A display for which there are trims.
  case level10(Level10)
  /// The type of content.
  case level11(Level11)
  /// The exact version of CM v4.0.
  case level254(Level254)
  /// Modes of a display, for debugging.
  case level255(Level255)

  // This block has an unknown level, or is in the wrong group, or has an unusual length or padding.
  // It is not parsed, because a parsed block could not be written again with the same bytes.
  /// A block that no other case can represent, with its unchanged payload.
  case other(level: UInt8, payload: [UInt8])

  /// `ext_block_level`.
  package var level: UInt8 {
    if case .other(let level, _) = self { return level }
    return content.map { type(of: $0).level } ?? 0
  }

  /// The group that the block belongs to; `nil` if unknown.
  var version: ContentMappingVersion? {
    if case .other = self { return nil }
    return ContentMappingVersion.v29.levels.contains(level) ? .v29 : .v40
  }

  /// The content of a known block.
  private var content: (any LevelSyntax)? {
    switch self {
    case .level1(let content): content
    case .level2(let content): content
    case .level3(let content): content
    case .level4(let content): content
    case .level5(let content): content
    case .level6(let content): content
    case .level8(let content): content
    case .level9(let content): content
    case .level10(let content): content
    case .level11(let content): content
    case .level254(let content): content
    case .level255(let content): content
    case .other: nil
    }
  }
}

extension ExtensionBlock {
  /// Makes a block from a payload that was found in the group of a version.
  init(level: UInt8, payload: [UInt8], in version: ContentMappingVersion) {
    let known = version.levels.contains(level) ? Self.known(level, payload) : nil
    self = known ?? .other(level: level, payload: payload)
  }

  private static func known(_ level: UInt8, _ payload: [UInt8]) -> Self? {
    switch level {
    case 1: Level1(payload: payload).map(Self.level1)
    case 2: Level2(payload: payload).map(Self.level2)
    case 3: Level3(payload: payload).map(Self.level3)
    case 4: Level4(payload: payload).map(Self.level4)
    case 5: Level5(payload: payload).map(Self.level5)
    case 6: Level6(payload: payload).map(Self.level6)
    case 8: Level8(payload: payload).map(Self.level8)
    case 9: Level9(payload: payload).map(Self.level9)
    case 10: Level10(payload: payload).map(Self.level10)
    case 11: Level11(payload: payload).map(Self.level11)
    case 254: Level254(payload: payload).map(Self.level254)
    case 255: Level255(payload: payload).map(Self.level255)
    default: nil
    }
  }

  /// Returns the block's payload without length and level.
  func payload() throws(DolbyVisionError) -> [UInt8] {
    if case .other(_, let payload) = self { return payload }
    return try content?.payload() ?? []
  }

  mutating func code(
    _ coder: inout some SyntaxCoder, in version: ContentMappingVersion
  ) throws(DolbyVisionError) {
    // Each level is defined for one group only (libdovi, `cmv29.rs` and `cmv40.rs`). In the other
    // group, readers would not recognize the block.
    if let own = self.version, own != version {
      throw .inconsistent("\(version) has no block of level \(level)")
    }
    var payload = try payload()
    var (length, level) = (payload.count, level)
    try coder.ue(&length, "ext_block_length", in: 0...Int(UInt32.max))
    try coder.u(&level, 8, "ext_block_level")
    try coder.bytes(&payload, length, "ext_dm_data_block")
    self = Self(level: level, payload: payload, in: version)
  }
}
