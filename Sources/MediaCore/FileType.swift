/// The kind of a movie file that is written (`AVFileType`).
public enum FileType: String, Sendable, CaseIterable {
  /// QuickTime File Format.
  case mov
  /// MP4 (ISO/IEC 14496-14).
  case mp4
}
