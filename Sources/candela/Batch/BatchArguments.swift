// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host

/// Fate of outputs that are there before the run.
enum ExistingOutputs: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// None is replaced, and their sources fail.
  case refuse
  /// Their sources are left out, but for those of which another state or other settings made them.
  case skip
  /// They are replaced.
  case replace
}

/// The arguments for many files at once.
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

  /// Fate of outputs that are there.
  ///
  /// - Parameter overwrites: true if outputs that are there are to be replaced.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where that says something else.
  func existing(overwrites: Bool) throws -> ExistingOutputs {
    guard overwrites else { return existing ?? .refuse }
    guard let existing, existing != .replace else { return .replace }
    throw TranscodingError(
      .invalidSettings,
      "--overwrite and --existing \(existing.rawValue) exclude each other: leave out one")
  }
}
