// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host

/// What to do about outputs that exist before the run.
enum ExistingOutputs: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Replace none. Their sources fail.
  case refuse
  /// Skip their sources, except if another state of the source or other settings made them.
  case skip
  /// Replace them when the new ones are complete.
  case replace
}

/// The arguments for many files.
struct BatchArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The folder for the outputs of many files; all arguments are files to read then.",
      valueName: "folder"), completion: .directory)
  var into: String?

  @Flag(help: "Takes the video files in folders too; their outputs have the same folders.")
  var recursive = false

  @Option(
    help: ArgumentHelp(
      """
      Names of outputs, {name}.{ext} without this: {name} is that of the source, {ext} the \
      preset's container, or what the source has, or mp4 where that cannot be.
      """,
      valueName: "pattern"))
  var name: String?

  @Option(
    help: """
      What becomes of outputs that are there: refuse, skip or replace. What other settings or an \
      earlier state of the source made is not skipped, but made again; what another source made \
      is refused.
      """)
  var existing: ExistingOutputs?

  @Option(help: "How many files are worked on at once, where --memory has room.")
  var jobs = 1

  /// Refuses options that mean nothing for one file.
  func checkUnused() throws {
    let isUnused = !recursive && name == nil && existing == nil && jobs == 1
    guard !isUnused else { return }
    throw TranscodingError(
      .invalidSettings, "--recursive, --name, --existing and --jobs go with --into")
  }

  /// Returns what to do about existing outputs.
  ///
  /// - Parameter overwrites: whether `--overwrite` asks to replace them.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if `--existing` contradicts that.
  func existing(overwrites: Bool) throws -> ExistingOutputs {
    guard overwrites else { return existing ?? .refuse }
    guard let existing, existing != .replace else { return .replace }
    throw TranscodingError(
      .invalidSettings,
      "--overwrite and --existing \(existing.rawValue) exclude each other: leave out one")
  }
}
