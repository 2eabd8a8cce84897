// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Settings

/// What to do about outputs that exist before the run.
enum ExistingOutputs: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Refuse to replace them, so their sources fail.
  case refuse
  /// Skip their sources, unless the outputs were made with other settings or from an earlier state
  /// of the source.
  case skip
  /// Replace them when the new ones are complete.
  case replace
}

/// What to encode.
enum EncodingNeed: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Encode video that is not yet what the preset would make of it, and copy other video.
  case needed
  /// Encode all video.
  case always
}

/// The argument that decides whether video is copied. `segments plan`, which always encodes, does
/// not have it.
struct EncodingArguments: ParsableArguments, Sendable {
  @Option(
    help: """
      What to encode. With 'needed', which is the default with --into, video is copied if it is \
      already what the preset would produce.
      """)
  var encode: EncodingNeed?
}

extension JSONValue {
  /// The same settings, except that video is copied. Audio and all other tracks are treated as
  /// before.
  var copyingVideo: JSONValue {
    var settings = self
    settings[["video"]] = ["codec": "passthrough"]
    return settings
  }
}

/// The arguments for many files.
struct BatchArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Works on every file given, and writes the outputs into this folder.",
      valueName: "folder"), completion: .directory)
  var into: String?

  @Flag(help: "Searches folders for video files. Outputs go into subfolders of the same names.")
  var recursive = false

  @Option(
    help: ArgumentHelp(
      """
      How to name outputs, {name}.{ext} by default: {name} is the source's name without its \
      extension, {folder} is the name of its folder, and {ext} is the usual extension of an output.
      """,
      valueName: "pattern"))
  var name: String?

  @Option(
    help: """
      What to do if an output exists. 'skip' replaces it if it is incomplete, or was made with \
      other settings or before the source changed. If it was made from another source, that is an \
      error.
      """)
  var existing: ExistingOutputs?

  @Option(help: "Takes only files whose video has this dynamic range.")
  var only: DynamicRange?

  @Flag(
    help:
      "With --existing skip: retries files that an earlier run failed on, even unchanged ones."
  )
  var retryFailed = false

  @Option(
    help: ArgumentHelp(
      """
      Leaves out files and folders whose name or path matches this pattern, such as '*.tmp.mov' \
      or Archive/2019; repeatable.
      """,
      valueName: "pattern"))
  var exclude: [String] = []

  @Option(
    help: """
      What to do, after the work, about outputs whose sources are gone, and about stills that were \
      made with other options. Only outputs that earlier runs made, and that have not changed \
      since, are removed.
      """)
  var orphans: OrphanMeasure?

  @Option(
    help: """
      How many files to work on at once. By default, 'transcode' and 'still' keep all cores busy; \
      others take one file after another.
      """)
  var jobs: Int?

  @Option(help: .forOwnUse) var workOn: [String] = []

  /// Refuses options that mean nothing for one file.
  func checkUnused() throws {
    try [
      ("--recursive", recursive), ("--name", name != nil), ("--existing", existing != nil),
      ("--retry-failed", retryFailed), ("--exclude", !exclude.isEmpty),
      ("--orphans", orphans != nil), ("--only", only != nil), ("--jobs", jobs != nil),
    ].refuse(without: "--into with a folder")
  }

  /// Returns what to do about existing outputs.
  ///
  /// - Parameter overwrites: whether `--overwrite` asks to replace them.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if `--existing` contradicts
  ///   `--overwrite`.
  func existing(overwrites: Bool) throws -> ExistingOutputs {
    guard overwrites else { return existing ?? .refuse }
    guard let existing, existing != .replace else { return .replace }
    throw TranscodingError(
      .invalidSettings,
      "--overwrite and --existing \(existing.rawValue) cannot be combined: use one")
  }
}
