internal import Foundation
internal import Transcoding

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

  /// A report as JSON: keys in order, so that two reports can be compared.
  static func json(_ report: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Whether a report can be stored, asked before the work that it is about.
  static func checkPlace(of path: String) throws {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) }
    let folder = parent ?? "."
    var isDirectory: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard !(exists && isDirectory.boolValue), FileManager.default.isWritableFile(atPath: folder)
    else {
      throw TranscodingError(
        .cannotCreateOutput, "the report cannot be stored as \(path): is its folder there?")
    }
  }

  /// Stores a report as JSON.
  static func store(_ report: some Encodable, at path: String) throws {
    do {
      try (json(report) + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw TranscodingError(
        .cannotCreateOutput, "the report cannot be stored: \(error.localizedDescription)")
    }
  }

  private static func write(_ text: String, to handle: FileHandle) {
    // A closed pipe is nobody's error: the reader has seen enough.
    try? handle.write(contentsOf: Data(text.utf8))
  }
}
