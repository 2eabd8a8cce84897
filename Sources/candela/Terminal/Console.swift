// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import Synchronization

/// Standard output, standard error and standard input.
enum Console {
  /// Connects standard input, output and error to `/dev/null` if they are closed.
  static func occupyClosedStreams() {
    // Otherwise the next file that is opened would get the free descriptor, and text would be
    // printed into it.
    for (stream, flags) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(stream, F_GETFD) < 0 {
      // The system assigns the lowest free descriptor, which is this one. The flags make reading
      // and writing fail, as they did before.
      _ = unsafe open("/dev/null", flags)
    }
  }

  /// Whether standard error is a terminal that somebody may be watching.
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// The columns of the terminal at standard error; 80 if unknown.
  static var errorWidth: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// Prints lines to standard output, with escapes for characters that control a terminal. If this
  /// process works on one of many files, sends them to the process that started it instead.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if they cannot be written.
  static func printLine(_ text: String) throws {
    guard !FileEvent.isPosted else { return FileEvent(text: text).post() }
    try write(text + "\n")
  }

  /// Prints a part of a document to standard output, with the same escapes.
  static func write(_ text: String) throws {
    try SystemCall.write(escaped(text), to: STDOUT_FILENO, called: "standard output")
  }

  /// Prints a report to standard output, in columns.
  static func printReport(_ text: String) throws { try printLine(fitted(text)) }

  /// Whether standard error is for programs. Each of its lines is then a JSON object.
  static let speaksJSON = {
    // The parser would find this out too late, because its own errors have to be JSON, too.
    CommandLine.value(of: "--progress") == ProgressStyle.json.rawValue
  }()

  /// Prints a line to standard error, in place of the progress bar, with escapes for characters
  /// that control a terminal.
  static func printError(_ text: String) {
    showBar(nil)
    writeError(escaped(text, keepingLines: false) + "\n")
  }

  /// Prints a report to standard error, without breaking its lines.
  static func printErrorReport(_ text: String) {
    showBar(nil)
    writeError(escaped(text) + "\n")
  }

  /// Whether errors are JSON objects, too. A program that reads the result must also be able to
  /// read why there is none.
  static let failsInJSON = {
    speaksJSON || CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
  }()

  /// Prints a JSON object to standard error, on one line, with the version of its keys.
  static func printObject(_ object: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(object) else { return }
    printError(versioned(String(decoding: data, as: UTF8.self)))
  }

  /// Whether the last line of standard error is a progress bar.
  private static let hasBar = Mutex(false)

  /// Shows a line in place of the current bar; `nil` only removes the bar.
  static func showBar(_ text: String?) {
    hasBar.withLock { hasBar in
      // Carriage return and "erase in line" (ECMA-48, EL) replace a bar of any length.
      if hasBar || text != nil { writeError("\r\(text ?? "")\u{1B}[K") }
      hasBar = text != nil
    }
  }

  /// Writes text to standard error without escapes.
  static func writeError(_ text: String) {
    // There is no other place where this failure could be reported.
    try? SystemCall.write(text, to: STDERR_FILENO, called: "standard error")
  }

  /// Returns text with JSON's escapes for characters that a terminal obeys: C0 and C1 (ISO 6429),
  /// and those that change the direction of the text (Unicode, Bidi_Control).
  ///
  /// - Parameter keepingLines: whether line breaks stay; otherwise the text is a single line.
  static func escaped(_ text: String, keepingLines: Bool = true) -> String {
    // Names of files and titles may come from anywhere, and a terminal would obey control sequences
    // in them.
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "\n" ? !keepingLines : steersTerminal(scalar)
    }
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isEscaped(scalar) {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // If a name is not UTF-8, `String(systemBytes:)` turns its invalid bytes into these scalars.
    case 0xEF80...0xEFFF: true
    default: false
    }
  }

  /// Returns a report as JSON with the version of its keys.
  static func json(_ report: some Encodable) throws -> String {
    // With keys in order, two reports can be compared line by line.
    versioned(try text(report))
  }

  /// Returns JSON without a version, for documents that have another version or none.
  static func text(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }

  /// The version of all JSON that the program prints or stores. It is raised when a key changes or
  /// is removed, and stays when one is added.
  static let version = 1

  /// Returns an object with the version as its first key, which an encoder that sorts keys would
  /// put last.
  private static func versioned(_ object: String) -> String {
    let members = object.dropFirst()
    let isEmpty = !members.contains { $0 != "}" && !$0.isWhitespace }
    let (gap, colon) = members.first == "\n" ? ("\n  ", " : ") : ("", ":")
    return "{\(gap)\"version\"\(colon)\(version)" + (isEmpty ? "" : ",") + members
  }
}
