// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import Synchronization

/// Standard output, standard error and standard input.
enum Console {
  /// Opens standard input, output and error to nothing where they are closed, so that no other file
  /// takes their place: printed text would be written into it.
  static func occupyClosedStreams() {
    for (stream, flags) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(stream, F_GETFD) < 0 {
      // The system gives the least free number. What is written there fails, as it did.
      _ = unsafe open("/dev/null", flags)
    }
  }

  /// True if somebody watches standard error.
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// The columns of the terminal at standard error; 80 where it does not tell.
  static var errorWidth: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// Prints lines to standard output; what would steer a terminal is escaped.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` where they cannot be written.
  static func printLine(_ text: String) throws {
    try SystemCall.write(
      escaped(text) + "\n", to: STDOUT_FILENO, called: "standard output")
  }

  /// Prints a report for people to standard output, in columns.
  static func printReport(_ text: String) throws { try printLine(fitted(text)) }

  /// True if standard error is for programs: each of its lines is a JSON object.
  ///
  /// It is known before arguments are parsed, whose faults are told so, too.
  static let speaksJSON = {
    let words = CommandLine.arguments.prefix { $0 != "--" }
    let styles = zip(words, words.dropFirst() + [""]).compactMap { word, next in
      word == "--progress" ? next : word.hasPrefix("--progress=") ? String(word.dropFirst(11)) : nil
    }
    return styles.last == ProgressStyle.json.rawValue
  }()

  /// Prints a line to standard error, in place of a bar; what would steer a terminal is escaped.
  static func printError(_ text: String) {
    showBar(nil)
    writeError(escaped(text, keepingLines: false) + "\n")
  }

  /// Prints a report for people to standard error, as it is.
  static func printErrorReport(_ text: String) {
    showBar(nil)
    writeError(escaped(text) + "\n")
  }

  /// Prints a JSON object to standard error, in a line, with the version of its keys.
  static func printObject(_ object: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(versioned(object)) else { return }
    printError(String(decoding: data, as: UTF8.self))
  }

  /// True while the last line of standard error is a bar.
  private static let hasBar = Mutex(false)

  /// Shows a line in place of the bar that is there; nil for none.
  static func showBar(_ text: String?) {
    hasBar.withLock { hasBar in
      if hasBar || text != nil { writeError("\r\(text ?? "")\u{1B}[K") }
      hasBar = text != nil
    }
  }

  /// Writes text to standard error as it is. A failure cannot be reported.
  static func writeError(_ text: String) {
    try? SystemCall.write(text, to: STDERR_FILENO, called: "standard error")
  }

  /// Text without characters that a terminal obeys (ISO 6429, C0 and C1), and without those that
  /// change the direction of what follows (Unicode, Bidi_Control): each is written as its number,
  /// in the way that JSON has.
  ///
  /// - Parameter keepingLines: false for a text that is one line, in which names may have others.
  static func escaped(_ text: String, keepingLines: Bool = true) -> String {
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
    // Bytes of names that are no UTF-8.
    case 0xEF80...0xEFFF: true
    default: false
    }
  }

  /// A report as JSON with the version of its keys: keys in order, so that two reports can be
  /// compared.
  static func json(_ report: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(versioned(report)), as: UTF8.self)
  }

  /// The version of all JSON that the program prints or stores: it counts up where a key changes or
  /// goes, and stays where one is added.
  private static let version = 2

  private static func versioned(_ report: some Encodable) -> JoinedObjects {
    JoinedObjects(["version": version], report)
  }
}

/// Objects of JSON as one, which has the keys of all; what is nil has none.
struct JoinedObjects: Encodable {
  private let objects: [(any Encodable)?]

  init(_ objects: (any Encodable)?...) { self.objects = objects }

  /// Encodes each object into the same one.
  func encode(to encoder: any Encoder) throws {
    for object in objects { try object?.encode(to: encoder) }
  }
}
