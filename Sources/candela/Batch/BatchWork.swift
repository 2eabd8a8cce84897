// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import Planning
internal import Settings

/// The files of a batch, with what is known about their outputs.
struct BatchWork {
  let files: [BatchRecords.Known]
  let unreadable: [UnreadablePath]
  let found: BatchFiles
  let records: BatchRecords
  let place: BatchFolder
  let history: BatchHistory

  /// Finds the files and their outputs.
  ///
  /// - Parameters:
  ///   - paths: the files and folders of the user.
  ///   - json: the settings as JSON.
  ///   - options: the options that change outputs, besides the settings. An empty string stands for
  ///     an option that is not set.
  ///   - settingsFiles: the files that the settings name.
  ///   - conditions: options that change no output, but may make the work fail.
  ///   - read: what the run reads besides its files and those that the settings name.
  /// - Throws: ``TranscodingError`` for errors that concern all files.
  init(
    _ paths: [String], named names: BatchNames, _ json: JSONValue, options: [String],
    settingsFiles: [String] = [], conditions: [String] = [], reading read: RunFiles,
    _ batch: BatchArguments, _ existing: ExistingOutputs
  ) throws {
    let history = BatchHistory()
    found = try BatchFiles(
      paths, recursive: batch.recursive, excluding: batch.exclude, names, history)
    place = BatchFolder(names.folder)
    let records = BatchRecords(
      of: place, settings: json, options: options, files: settingsFiles, conditions: conditions,
      retriesFailed: batch.retryFailed, only: batch.only)
    // No record may be written into a file that the run reads.
    try read.read(settingsFiles + found.pairs.map(\.input))
    try read.check(PosixPath.joined(names.folder, BatchRecord.fileName))
    files = records.known(of: found.pairs, existing, history, found.moves)
    for file in files { try BatchRecords.check(file.pair, file.state) }
    unreadable = records.known(found.unreadable, existing, history)
    (self.records, self.history) = (records, history)
  }

  /// Finds the files that are transcoded with a preset.
  ///
  /// - Parameters:
  ///   - json: the settings in the form of a preset.
  init(
    _ paths: [String], into folder: String, _ json: JSONValue, options: [String],
    conditions: [String], reading read: RunFiles, _ batch: BatchArguments,
    _ existing: ExistingOutputs
  ) throws {
    let settings = try TranscodeSettings(json)
    let names = try BatchNames(into: folder, pattern: batch.name) {
      TranscodePlan.container(ofSource: $0, settings)
    }
    try self.init(
      paths, named: names, json, options: options, settingsFiles: settings.files,
      conditions: conditions, reading: read, batch, existing)
    // A name that no container fits should fail now, not after hours.
    for pair in found.pairs { _ = try TranscodePlan.container(pair.output, settings) }
  }

  /// Says what is left out, and why. Takes note of files that were moved, and of paths that can be
  /// read again.
  func begin(_ messages: RunMessages) {
    records.adopt(files, messages)
    records.noteReadable(history, messages)
    for (path, source) in found.leftOut {
      messages.warn("note: \(path) is left out: it was made from \(source)")
    }
    for (path, reason) in history.refused {
      messages.warn("note: the records in \(path) are ignored: the file \(reason.text)")
    }
  }
}
