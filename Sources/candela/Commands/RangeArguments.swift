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

  /// Returns the part; `nil` for the whole.
  ///
  /// - Parameter hasFolder: whether the command takes a folder for outputs.
  func range(hasFolder: Bool = false) throws -> TimeRange? {
    guard from != nil || to != nil else { return nil }
    // In some other programs `--to` takes the folder.
    let hint = hasFolder ? "; give the folder for outputs with --into" : ""
    let range = TimeRange(
      start: try from.map { try Self.bound($0, option: "--from") },
      end: try to.map { try Self.bound($0, option: "--to", hint) })
    guard !range.isEmpty else {
      throw TranscodingError(
        .invalidSettings,
        "the range from \(from ?? "") to \(to ?? "") is empty: its end must be later than its "
          + "beginning")
    }
    return range
  }

  private static func bound(
    _ text: String, option: String, _ hint: String = ""
  ) throws -> TimeRange.Bound {
    guard let bound = TimeRange.Bound(spelling: text) else {
      throw TranscodingError(
        .invalidSettings,
        "\(option) cannot be '\(text)': \(TimeRange.Bound.spellings)\(hint)")
    }
    return bound
  }
}
