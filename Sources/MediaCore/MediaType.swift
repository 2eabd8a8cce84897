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

/// The kind of a file that is written (`AVFileType`).
public enum FileType: String, Sendable, CaseIterable {
  /// QuickTime File Format.
  case mov
  /// MP4 (ISO/IEC 14496-14).
  case mp4
  /// Matroska (RFC 9559).
  case mkv

  /// The kinds of movie files, of which one is made first for a file of this kind: in the order in
  /// which they are tried.
  package var movieTypes: [FileType] { self == .mkv ? [.mov, .mp4] : [self] }
}
