internal import Foundation

/// Standard output and standard error.
enum Console {
  /// Whether somebody watches standard error.
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// The columns of the terminal at standard error; 80 where it does not tell.
  static var errorWidth: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// Prints a line to standard output.
  static func printLine(_ text: String) { write(text + "\n", to: .standardOutput) }

  /// Prints a line to standard error.
  static func printError(_ text: String) { write(text + "\n", to: .standardError) }

  /// Writes text to standard error as it is.
  static func writeError(_ text: String) { write(text, to: .standardError) }

  private static func write(_ text: String, to handle: FileHandle) {
    // A closed pipe is nobody's error: the reader has seen enough.
    try? handle.write(contentsOf: Data(text.utf8))
  }
}
