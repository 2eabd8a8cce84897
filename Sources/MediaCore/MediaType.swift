// SPDX-License-Identifier: GPL-2.0-or-later
/// The kind of media in a track (`AVMediaType`).
public enum MediaType: String, Sendable {
  /// Moving pictures.
  case video
  /// Audio.
  case audio
  /// A still picture that illustrates the file.
  case artwork
  /// Anything else: subtitles, time code, timed metadata.
  case other
}

/// What tracks can be searched by, besides their kind of media: `AVMediaCharacteristic`.
public enum MediaCharacteristic: String, Sendable, CaseIterable {
  /// The track is seen: video.
  case visual
  /// The track is heard: audio.
  case audible
  /// A segment of the track is HLG or PQ.
  case containsHDRVideo
  /// A segment of the track has primaries wider than BT.709's.
  case usesWideGamutColorSpace
}
