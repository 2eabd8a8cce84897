// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import LibAV
package import MediaCore

/// Notices about audio that is not simply copied. Each notice names the track.
extension Notice {
  /// Audio is encoded because the container cannot store a correct copy, or because its players
  /// would not play one.
  static func audioEncoded(
    _ id: Int, _ codec: String, as newCodec: AudioCodec, because reason: String
  ) -> Notice {
    Notice(
      "audioEncoded", ["track": "\(id)", "codec": codec, "newCodec": newCodec.rawValue],
      "track \(id) (audio, \(codec)) is encoded as \(newCodec.rawValue): \(reason)")
  }

  /// Audio is encoded with a codec other than the one that the settings ask for.
  static func audioFallback(
    _ id: Int, _ codec: String, as newCodec: AudioCodec, because obstacle: AudioObstacle
  ) -> Notice {
    Notice(
      "audioFallback", severity: .warning,
      ["track": "\(id)", "codec": codec, "newCodec": newCodec.rawValue],
      "track \(id) (audio) is encoded as \(newCodec.rawValue) instead: \(obstacle)")
  }

  /// Channels are mixed although the settings do not ask for it.
  static func audioMixed(
    _ id: Int, _ codec: String, from source: ChannelLayout, to layout: ChannelLayout
  ) -> Notice {
    Notice(
      "audioMixed", severity: .warning,
      ["track": "\(id)", "codec": codec, "from": "\(source)", "to": "\(layout)"],
      "track \(id) (audio) is mixed from \(source) to \(layout)")
  }

  /// The audio has a gap that is too long to fill with silence.
  package static func audioGap(_ id: Int, from start: MediaTime, lasting length: MediaTime)
    -> Notice
  {
    Notice(
      "audioGap", severity: .warning,
      [
        "track": "\(id)", "start": "\(start.roundedSeconds)", "length": "\(length.roundedSeconds)",
      ],
      "track \(id) (audio): its times jump by \(length.roundedSeconds) s at "
        + "\(start.roundedSeconds) s; the output has no samples there")
  }

  /// The encoder does not support the requested bit rate for this number of channels.
  static func audioBitRateBounded(
    _ id: Int, _ codec: AudioCodec, from wanted: Int, to taken: Int
  ) -> Notice {
    Notice(
      "audioBitRateBounded",
      ["track": "\(id)", "codec": codec.rawValue, "from": "\(wanted)", "to": "\(taken)"],
      "track \(id) (audio): \(codec.rawValue) does not support \(wanted) bits a second for this "
        + "number of channels; the track is encoded at \(taken) bits a second")
  }

  /// Audio is left out because the settings only allow copying and the container cannot store its
  /// codec.
  static func audioNotStorable(
    _ id: Int, _ codec: String, in container: FileType, other: FileType?, because reason: String
  ) -> Notice {
    var arguments = ["track": "\(id)", "codec": codec, "container": container.rawValue]
    if let other { arguments["otherContainer"] = other.rawValue }
    return Notice(
      .audioNotStorable, severity: .warning, arguments,
      "track \(id) (audio) is left out: \(reason)")
  }

  /// Audio is left out because it cannot be encoded.
  static func audioNotCarried(
    _ id: Int, _ codec: String, because obstacle: AudioObstacle
  ) -> Notice {
    Notice(
      "audioNotCarried", severity: .warning,
      ["track": "\(id)", "codec": codec, "reason": "\(obstacle)"],
      "track \(id) (audio, \(codec)) is left out: \(obstacle)")
  }
}

extension Notice.Code {
  /// The container cannot store a track. Encoding the track or choosing another container helps.
  package static let audioNotStorable: Self = "audioNotStorable"
}
