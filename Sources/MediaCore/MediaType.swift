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
