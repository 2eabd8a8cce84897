internal import CFFmpeg

/// FFmpeg's libraries print to standard error; what went wrong is in the errors that are thrown,
/// and nothing is printed below the command line.
enum LibraryLog {
  /// Turns the printing off, once for the process.
  static let isSilent: Bool = {
    av_log_set_level(AV_LOG_QUIET)
    return true
  }()
}
