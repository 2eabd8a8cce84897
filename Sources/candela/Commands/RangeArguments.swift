// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Reading

/// The arguments for a part of a presentation.
struct RangeArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Where to begin: \(TimeRange.Bound.spellings).", valueName: "time"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Where to end, in the same forms. The frame that begins there is left out.", valueName: "time"
    ))
  var to: String?

  /// Returns the part; `nil` if the whole is wanted.
  ///
  /// - Parameter hasFolder: whether the command takes a folder for outputs.
  func range(hasFolder: Bool = false) throws -> TimeRange? {
    guard from != nil || to != nil else { return nil }
    let range = TimeRange(
      start: try from.map { try TimeRange.Bound($0, option: "--from") },
      end: try to.map {
        // In some other programs, `--to` takes the folder.
        let hint = hasFolder ? "; for the folder of the outputs, use --into \($0)" : ""
        return try TimeRange.Bound($0, option: "--to", hint)
      })
    guard !range.isEmpty else {
      throw TranscodingError(
        .invalidSettings,
        "the range from \(from ?? "") to \(to ?? "") is empty: its end must be later than its "
          + "beginning")
    }
    return range
  }
}

extension TimeRange.Bound {
  /// Reads the value of an option.
  ///
  /// - Parameter hint: what the user may have meant instead, as the end of the error's sentence.
  init(_ text: String, option: String, _ hint: String = "") throws {
    if let bound = Self(spelling: text) {
      self = bound
      return
    }
    let seconds = text.prefixMatch(of: /([0-9.]+) ?s/).flatMap { Double($0.1) == nil ? nil : $0.1 }
    throw TranscodingError(
      .invalidSettings,
      "\(option) \(text): write \(seconds ?? "12.5") (seconds), 0:00:12.5, 375f (a frame) or "
        + "10:00:12:12 (time code)\(hint)")
  }
}
