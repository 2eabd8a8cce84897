// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Glibc
internal import MediaCore

extension CommandLine {
  /// What was typed, with negative numbers attached to their options, for the parser.
  static var parsedArguments: [String] {
    var result: [String] = []
    for argument in typedArguments {
      // The parser takes the `-1` of `--seconds -1` for an option and says that a value is missing.
      // No option begins with a digit, so this must be the value of the option before it.
      if argument.hasPrefix("-"), Double(argument) != nil, let option = result.last,
        option.hasPrefix("--"), option.count > 2, !option.contains("=")
      {
        result[result.count - 1] = "\(option)=\(argument)"
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// What was typed after the program's name.
  static var typedArguments: [String] {
    // `arguments` would lose bytes of names that are not UTF-8.
    let pointers = unsafe UnsafeBufferPointer(start: unsafeArgv, count: Int(argc))
    return unsafe pointers.dropFirst().compactMap { pointer in
      guard let pointer = unsafe pointer else { return nil }
      let bytes = unsafe UnsafeBufferPointer(start: pointer, count: strlen(pointer))
      let text = unsafe String(systemBytes: bytes.map { UInt8(bitPattern: $0) })
      // Users also type the short name, but the parser knows only the long one (see `helpNames`).
      return text == "-h" ? "--help" : text
    }
  }

  /// Returns the last value of an option; `nil` if the option is not among the arguments. The
  /// option is given with its dashes.
  static func value(of option: String) -> String? {
    let words = typedArguments.prefix { $0 != "--" }
    return zip(words, words.dropFirst() + [""]).compactMap { word, next in
      if word == option { return next }
      return word.hasPrefix(option + "=") ? String(word.dropFirst(option.count + 1)) : nil
    }.last
  }
}

/// How many cores the program and the processes that it starts may use.
struct CoreCount: ExpressibleByArgument {
  static let option = "--threads"
  static let help = ArgumentHelp(
    "Uses at most this many cores in all processes together. By default, all are used.",
    valueName: "N")

  /// Checks the number. It is not kept here, because `main` reads it before any thread starts.
  init?(argument: String) {
    guard let count = Int(argument), count > 0 else { return nil }
  }
}
