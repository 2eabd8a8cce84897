// SPDX-License-Identifier: GPL-2.0-or-later
public import LibAV

/// What happens to audio tracks: `audio` in a preset.
///
/// To encode audio, set rules: `var audio = AudioSettings.auto; audio.rules = [AudioRule(codec:
/// .opus)]`.
public struct AudioSettings: Hashable, Sendable {
  /// Audio is copied if the container and its players know the codec, or if source and output are
  /// both MP4 or both Matroska. Otherwise, it is encoded as AAC, or as Opus in WebM.
  public static let auto = AudioSettings(treatment: .auto)
  /// Audio is copied. A track that the container cannot store is dropped.
  public static let passthrough = AudioSettings(treatment: .passthrough)
  /// Audio is dropped.
  public static let none = AudioSettings(treatment: .none)

  /// The words that presets use.
  package enum Treatment: String, Sendable, CaseIterable {
    case auto, passthrough, none
  }

  /// What happens to tracks that no rule applies to.
  package let treatment: Treatment
  /// Rules for encoding. The first one that matches a track applies. Tracks that match no rule are
  /// treated as if there were no rules.
  public var rules: [AudioRule] = []

  init(treatment: Treatment) { self.treatment = treatment }

  // Each row of ``PresetKey/all`` stores its value through a fixed key path, which cannot say which
  // rule of an array is meant. So the rows of `audio` write to the last rule, and a new rule is
  // appended before its keys are read.
  var rule: AudioRule {
    get { rules.last ?? AudioRule() }
    set {
      if rules.isEmpty { rules.append(newValue) }
      rules[rules.count - 1] = newValue
    }
  }
}

/// A rule for encoding audio tracks.
public struct AudioRule: Hashable, Sendable {
  /// How many channels the output has.
  public enum Channels: String, Sendable, CaseIterable {
    /// As many as the source.
    case source
    /// Two. If the source has more, they are mixed down as ITU-R BS.775 says.
    case stereo
    /// One. All channels are mixed down to it.
    case mono
  }

  /// What happens to a track that cannot be encoded as the rule says.
  public enum Fallback: Hashable, Sendable {
    /// It is encoded with a different codec.
    case encode(AudioCodec)
    /// It is copied.
    case passthrough
    /// It is dropped, and a notice says so.
    case none

    static let words = ["passthrough", "none"]

    /// The names that presets use.
    static let names = AudioCodec.allCases.map(\.rawValue) + words

    init?(name: String) {
      switch name {
      case "passthrough": self = .passthrough
      case "none": self = .none
      default:
        guard let codec = AudioCodec(rawValue: name) else { return nil }
        self = .encode(codec)
      }
    }
  }

  /// The language of the tracks that the rule applies to: three letters (ISO 639-2), or `und` for
  /// tracks without a language. `nil` means all tracks.
  public var language: String?
  /// The codec to encode with. Tracks that already have this codec are encoded again.
  public var codec: AudioCodec
  /// Bits per second for all channels together, 6 000…3 000 000, or `nil` for the codec's usual
  /// rate, which may change in a later version. Lossless codecs have no bit rate to choose.
  public var bitRate: Int?
  /// How many channels the output has.
  public var channels = Channels.source
  /// Samples per second, 8 000…192 000. `nil` means the source's rate, or the next higher rate that
  /// the codec supports.
  public var sampleRate: Int?
  // Every container but WebM, and practically every player, knows AAC.
  /// What happens to tracks that the container or the encoder cannot handle.
  public var fallback = Fallback.encode(.aac)

  /// Creates a rule that applies to all tracks.
  public init(codec: AudioCodec = .aac) { self.codec = codec }
}
