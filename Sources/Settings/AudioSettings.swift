// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV

/// The treatment of audio tracks.
public struct AudioSettings: Hashable, Sendable {
  /// Audio is copied where the container and its players know the codec, and encoded as AAC
  /// otherwise.
  public static let auto = AudioSettings(treatment: .auto)
  /// Audio is copied; a track that the container cannot hold is left out.
  public static let passthrough = AudioSettings(treatment: .passthrough)
  /// Audio is left out.
  public static let none = AudioSettings(treatment: .none)

  /// The words of presets.
  package enum Treatment: String, Sendable, CaseIterable {
    case auto, passthrough, none
  }

  /// Treatment of tracks that no rule is for.
  package let treatment: Treatment
  /// Rules, of which the first that matches a track counts.
  package var rules: [AudioRule] = []

  init(treatment: Treatment) { self.treatment = treatment }

  /// The rule that is being read.
  var rule: AudioRule {
    get { rules.last ?? AudioRule() }
    set {
      if rules.isEmpty { rules.append(newValue) }
      rules[rules.count - 1] = newValue
    }
  }
}

/// Rule for encoding audio tracks.
package struct AudioRule: Hashable, Sendable {
  /// The channels of the output.
  package enum Channels: String, Sendable, CaseIterable {
    case source, stereo, mono
  }

  /// Treatment of a track that cannot be encoded as the rule says.
  package enum Fallback: Hashable, Sendable {
    case encode(AudioCodec)
    case passthrough
    case none

    static let words = ["passthrough", "none"]

    /// The names that presets have.
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

  /// The language of the tracks, three letters (ISO 639-2); nil for all tracks.
  package var language: String?
  /// The codec.
  package var codec = AudioCodec.aac
  /// Bits a second of all channels; nil for the usual rate.
  package var bitRate: Int?
  /// The channels.
  package var channels = Channels.source
  /// Samples a second of each channel; nil for the source's, or the next that the codec has.
  package var sampleRate: Int?
  /// Treatment of tracks that the container or the encoder has no place for.
  package var fallback = Fallback.encode(.aac)

  /// A rule for all tracks.
  package init() {}
}
