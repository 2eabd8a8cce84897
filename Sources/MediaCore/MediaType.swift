// SPDX-License-Identifier: GPL-2.0-or-later
/// The kind of media in a track (`AVMediaType`).
public enum MediaType: String, Sendable {
  /// Frames that are shown one after another.
  case video
  /// Audio with one or more channels.
  case audio
  /// A still image that illustrates the file, such as cover art.
  case artwork
  /// Anything else: subtitles, time code, timed metadata.
  case other
}

/// A property by which tracks can be searched for, besides their kind of media:
/// `AVMediaCharacteristic`.
public enum MediaCharacteristic: String, Sendable, CaseIterable {
  /// The track can be seen: video.
  case visual
  /// The track can be heard: audio.
  case audible
  /// At least a part of the track is HLG or PQ.
  case containsHDRVideo
  /// At least a part of the track has primaries wider than those of BT.709.
  case usesWideGamutColorSpace
}
