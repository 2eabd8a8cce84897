// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host
internal import MediaCore

/// The arguments of this process.
enum TypedArguments {
  /// What was typed, with negative numbers attached to their options.
  static var parsed: [String] {
    var result: [String] = []
    for argument in all {
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
  static var all: [String] {
    // `CommandLine.arguments` would lose bytes of names that are not UTF-8.
    let pointers = unsafe UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return unsafe pointers.dropFirst().compactMap { pointer in
      guard let pointer = unsafe pointer else { return nil }
      let bytes = unsafe UnsafeBufferPointer(start: pointer, count: strlen(pointer))
      let text = unsafe SystemPath.text(bytes.map { UInt8(bitPattern: $0) })
      // Users also type the short name, but the parser knows only the long one (see `helpNames`).
      return text == "-h" ? "--help" : text
    }
  }
}
