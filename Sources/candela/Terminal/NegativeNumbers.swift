// SPDX-License-Identifier: GPL-2.0-or-later

/// Numbers below zero as values of options. The parser takes `-1` for an option and says that a
/// value is missing; no option here begins with a digit.
enum NegativeNumbers {
  /// The arguments with such a value and its option in one: `--seconds=-1`.
  static func joined(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for argument in arguments {
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
}
