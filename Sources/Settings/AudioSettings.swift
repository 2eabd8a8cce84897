// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV

/// What happens to audio tracks.
public struct AudioSettings: Hashable, Sendable {
  /// Audio is copied if the container and its players know the codec, and encoded as AAC otherwise.
  public static let auto = AudioSettings(treatment: .auto)
  /// Audio is copied. A track that the container cannot hold is dropped.
  public static let passthrough = AudioSettings(treatment: .passthrough)
  /// Audio is dropped.
  public static let none = AudioSettings(treatment: .none)

  /// The words that presets use.
  package enum Treatment: String, Sendable, CaseIterable {
    case auto, passthrough, none
  }

  /// What happens to tracks that no rule applies to.
  package let treatment: Treatment
  /// Rules for encoding. The first one that matches a track applies.
  package var rules: [AudioRule] = []

  init(treatment: Treatment) { self.treatment = treatment }

  // Keys are read through key paths, which cannot have an index. So the rows of `audio` write to
  // the last rule, which is appended just before it is read.
  var rule: AudioRule {
    get { rules.last ?? AudioRule() }
    set {
      if rules.isEmpty { rules.append(newValue) }
      rules[rules.count - 1] = newValue
    }
  }
}

/// A rule for encoding audio tracks.
package struct AudioRule: Hashable, Sendable {
  /// How many channels the output has.
  package enum Channels: String, Sendable, CaseIterable {
    case source, stereo, mono
  }

  /// What happens to a track that cannot be encoded as the rule says.
  package enum Fallback: Hashable, Sendable {
    case encode(AudioCodec)
    case passthrough
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

  /// The language of the tracks as three letters (ISO 639-2), or `nil` for all tracks.
  package var language: String?
  package var codec = AudioCodec.aac
  /// Bits per second for all channels together, or `nil` for the codec's usual rate.
  package var bitRate: Int?
  package var channels = Channels.source
  /// Samples per second, or `nil` for the source's rate or the next that the codec has.
  package var sampleRate: Int?
  // Every container and practically every player knows AAC.
  /// What happens to tracks that the container or the encoder cannot take.
  package var fallback = Fallback.encode(.aac)

  /// Creates a rule that applies to all tracks.
  package init() {}
}
