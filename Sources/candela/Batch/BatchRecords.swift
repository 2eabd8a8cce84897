// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import Segments
internal import Settings

/// Records the source and the settings of each output of a batch, and looks up in earlier records
/// what is known about an output.
struct BatchRecords: Sendable {
  /// What is known about an output.
  enum State: Hashable, Sendable {
    /// It does not exist, or the run looks at it only when the work begins.
    case missing
    /// It was made from this source with these settings. The status is 1 or 2 if something was
    /// lost.
    case same(status: Int32)
    /// It was made from an earlier state of its source, or with other settings.
    case outdated
    /// It was made from another source, with this path.
    case ofOther(String)
    /// It exists, but no record says what made it.
    case unknown
    /// It was changed after a batch made it.
    case changed
    /// The source's dynamic range is not wanted, as an earlier run found out.
    case leftOut
    /// An earlier run could not make it from this source with these settings, and ended with this
    /// status.
    case failedBefore(status: Int32)

    /// Whether the output has to be made.
    var isWorked: Bool { self == .missing || self == .outdated }

    /// Whether the output seems to be the work of something other than earlier runs on the source.
    fileprivate var isOfOthers: Bool {
      switch self {
      case .unknown, .changed, .ofOther: true
      default: false
      }
    }
  }

  /// A file of a batch, with what is known about its output.
  struct Known: Sendable {
    let pair: BatchFiles.Pair
    let state: State
    /// The version that the output had when these facts were found; `nil` if later changes of the
    /// output do not matter.
    fileprivate let version: [Int]?
    /// The newest record that says that the output was made.
    fileprivate let record: BatchRecord?
    /// Whether ``record`` is the newest record of all about the output.
    fileprivate var isNewest = true
    /// Whether another run may be making the output right now, so that the output's state shows
    /// only later.
    fileprivate var isDoubtful = false
    /// Whether the run refuses existing outputs, except those that another run has just made in the
    /// same way.
    fileprivate var refusesOthers = false

    /// Whether the file needs no work if another run makes the output.
    var isLeftToOthers: Bool { version != nil }
    /// The files that earlier runs made from the source.
    fileprivate var earlier: [BatchRecord.File] { (record?.others ?? []) + (record?.left ?? []) }
  }

  /// The folder of the outputs.
  let folder: BatchFolder
  private let settings: JSONValue
  private let retriesFailed: Bool
  private let only: DynamicRange?
  private let conditions: [String]

  /// - Parameters:
  ///   - folder: the folder of the outputs.
  ///   - settings: the settings of this run, in the form of a preset.
  ///   - options: further options that change outputs. An empty string stands for an option that is
  ///     not set.
  ///   - files: the files that the settings name.
  ///   - conditions: options that change no output, but may make the work fail.
  ///   - retriesFailed: whether to work on files that an earlier run failed on.
  ///   - only: the dynamic range of the files that are wanted; `nil` if all are.
  init(
    of folder: BatchFolder, settings: JSONValue, options: [String], files: [String],
    conditions: [String], retriesFailed: Bool, only: DynamicRange?
  ) {
    (self.folder, self.retriesFailed, self.only) = (folder, retriesFailed, only)
    self.conditions = conditions
    var settings = settings
    // The name and the description of a preset change no output.
    for key in ["$schema", "name", "description"] { settings[[key]] = nil }
    var all: JSONValue = ["settings": settings, "options": .array(options.map { .string($0) })]
    if !files.isEmpty {
      all[["files"]] = .array(
        files.map { .array(BatchRecord.version(of: $0).map { .number(Double($0)) }) })
    }
    self.settings = all
  }

  /// Returns how much time and space earlier work with the same settings took on this machine.
  func costs(_ history: BatchHistory) -> [WorkCost] {
    history.records(of: folder).compactMap { record in
      guard record.settings == settings, var cost = record.cost,
        cost.machine == WorkCost.thisMachine
      else { return nil }
      cost.bytes = record.outputVersion.first.map(Double.init)
      return cost
    }
  }

  /// Returns what is known about the outputs of files.
  ///
  /// - Parameter existing: what the run does about existing outputs.
  func known(
    of pairs: [BatchFiles.Pair], _ existing: ExistingOutputs, _ history: BatchHistory,
    _ moves: BatchMoves
  ) -> [Known] {
    guard existing == .skip else {
      return pairs.map { unknown(of: $0, refusesOthers: existing == .refuse, history) }
    }
    var files = pairs.map { known(of: $0, history, moves) }
    let doubtful = files.indices.filter { files[$0].state.isOfOthers }
    guard !doubtful.isEmpty else { return files }
    // Another run may have made outputs after the records were read. It holds a claim on an output
    // until it has written the record.
    let claimed = doubtful.map { OutputClaim.isHeld(on: files[$0].pair.output, for: .work) }
    let newHistory = BatchHistory()
    for (index, isClaimed) in zip(doubtful, claimed) {
      files[index] =
        isClaimed
        ? Known(
          pair: pairs[index], state: .missing, version: [], record: nil, isDoubtful: true)
        : known(of: pairs[index], newHistory, moves)
    }
    return files
  }

  private func known(
    of pair: BatchFiles.Pair, _ history: BatchHistory, _ moves: BatchMoves
  ) -> Known {
    let version = BatchRecord.version(of: pair.output)
    return Known(
      pair: pair, state: state(of: pair, history, moves), version: version,
      record: history.made(pair.output, in: folder),
      isNewest: history.last(of: pair.output, in: folder)?.isMade ?? true)
  }

  private func unknown(
    of pair: BatchFiles.Pair, refusesOthers: Bool, _ history: BatchHistory
  ) -> Known {
    let version = BatchRecord.version(of: pair.output)
    return Known(
      pair: pair, state: .missing, version: refusesOthers && version.isEmpty ? version : nil,
      record: history.made(pair.output, in: folder), refusesOthers: refusesOthers)
  }

  /// Returns a file from which no output is made.
  static func unknown(of pair: BatchFiles.Pair) -> Known {
    Known(pair: pair, state: .missing, version: nil, record: nil)
  }

  /// Returns the present state of an output.
  ///
  /// - Parameter waited: whether another run had claimed the output.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if it was made from another source.
  func state(now file: Known, waited: Bool) throws -> State {
    guard let version = file.version else { return file.state }
    let mayHaveChanged =
      waited || file.isDoubtful || version != BatchRecord.version(of: file.pair.output)
    guard mayHaveChanged else { return file.state }
    // Another run, or somebody, may have touched the output since this run began, so read its
    // records again.
    let state = state(of: file.pair, BatchHistory(of: file.pair.output), BatchMoves())
    if file.refusesOthers {
      // Only an output that another run made in the same way needs no work. For any other, let the
      // work begin, which then refuses to replace the output.
      if case .same = state { return state }
      return file.state
    }
    try Self.check(file.pair, state)
    return state
  }

  private func state(
    of pair: BatchFiles.Pair, _ history: BatchHistory, _ moves: BatchMoves
  ) -> State {
    if let status = failure(of: pair, history) { return .failedBefore(status: status) }
    if isLeftOut(pair, history) { return .leftOut }
    let record: BatchRecord
    let isThere = pair.isTemplate || PosixPath.kind(of: pair.output) == .file
    if isThere, !pair.isTemplate {
      guard let found = history.record(of: pair.output) else {
        return history.hasRecords(of: pair.output) ? .changed : .unknown
      }
      record = found
    } else {
      // If several files were made, the first may be missing although others exist.
      guard let found = history.made(pair.output, in: folder),
        isThere || found.others?.contains(where: { !$0.isGone(from: folder) }) == true
      else { return .missing }
      record = found
    }
    let others = (record.others ?? []).filter { !$0.isUnchanged(in: folder) }
    let isComplete = isThere && others.isEmpty
    guard others.allSatisfy({ $0.isGone(from: folder) }) else { return .changed }
    // An unchanged source is the same source wherever it is now. A copy of it counts as the same
    // source, too.
    let isUnchanged = record.isOfSource(pair.input)
    let isHere = moves.isSource(pair.input, of: record) || record.isReplaced(by: pair.input)
    guard isHere || isUnchanged else { return .ofOther(record.source) }
    // After interrupted work, files of the output are missing. After an interrupted comparison,
    // nobody knows what the output lost. The record has the same status for both.
    let isWhole = record.status != ExitStatus.interrupted.rawValue
    return isUnchanged && isWhole && isComplete && record.settings == settings
      ? .same(status: record.status ?? 0) : .outdated
  }

  /// Returns the status with which an earlier run failed on a file; `nil` if this run may succeed.
  private func failure(of pair: BatchFiles.Pair, _ history: BatchHistory) -> Int32? {
    guard !retriesFailed, let record = outcome(of: pair, history),
      record.status.flatMap(ExitStatus.init(rawValue:))?.isCaused(by: pair.input) == true
    else { return nil }
    return record.status
  }

  /// Whether an earlier run found that the source's dynamic range is not the wanted one.
  private func isLeftOut(_ pair: BatchFiles.Pair, _ history: BatchHistory) -> Bool {
    guard let only, let range = outcome(of: pair, history)?.leftOut else { return false }
    return range != only
  }

  /// Returns what an earlier run with the same options found out about an unchanged source.
  private func outcome(of pair: BatchFiles.Pair, _ history: BatchHistory) -> BatchRecord? {
    guard let record = history.last(of: pair.output, in: folder), record.conditions == conditions,
      // Ignore the records of other versions of this program, which may have failed on a file that
      // this version can read.
      record.candela == SoftwareFacts.version, record.settings == settings,
      record.isFrom(pair.input) || PosixPath.isGone(record.source), record.isOfSource(pair.input)
    else { return nil }
    return record
  }

  /// Refuses to replace an output of another source.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  static func check(_ pair: BatchFiles.Pair, _ state: State) throws {
    guard case .ofOther(let other) = state else { return }
    throw TranscodingError(
      .invalidSettings,
      "\(pair.output) was made from \(other), not from \(pair.input): choose other names with "
        + "--name, or use --existing replace to replace it")
  }

  /// Writes new records about outputs whose sources were moved, and about files that were replaced
  /// by copies of themselves. For a moved source, the record gets the present path, so that later
  /// runs can see when the source is gone. For a copy, it gets new marks, so that later runs need
  /// not read the copy's content.
  func adopt(_ files: [Known], _ messages: RunMessages) {
    for file in files {
      guard case .same = file.state, file.isNewest, var record = file.record else { continue }
      let (source, output) = (file.pair.input, file.pair.output)
      let isSourceOlder = record.sourceMarks?.areOlder(than: source) == true
      let isOutputOlder =
        !file.pair.isTemplate && record.outputMarks?.areOlder(than: output) == true
      let isOriginal = record.isFrom(source)
      guard isSourceOlder || isOutputOlder || !isOriginal else { continue }
      let isMoved = !isOriginal && PosixPath.isGone(record.source)
      if isMoved { record.source = BatchRecord.source(source) }
      // If `source` is a copy and the original still exists, the record stays about the original.
      let isSource = isMoved || isSourceOlder && isOriginal
      // The output's state may come from a record in another folder. Then `record` may be about an
      // earlier version of the output.
      guard isSource || isOutputOlder, file.pair.isTemplate || record.isOfOutput(output) else {
        continue
      }
      if isSource { record.sourceMarks = FileMarks(of: source) }
      if !file.pair.isTemplate { record.outputMarks = FileMarks(of: output) }
      record.others = record.others?.map { BatchRecord.File($0.path, in: folder) }
      guard add(record, messages) else { return }
    }
  }

  /// Returns the folders and links that cannot be read, with what earlier runs found out about
  /// them.
  func known(
    _ unreadable: [UnreadablePath], _ existing: ExistingOutputs, _ history: BatchHistory
  ) -> [UnreadablePath] {
    let causes = history.unreadable(in: folder)
    return unreadable.map { item in
      var item = item
      let known = causes[Array(BatchRecord.source(item.path).utf8)]
      item.isRecorded = item.cause.map { known?.utf8.elementsEqual($0.utf8) == true } ?? false
      item.hasFailedBefore = item.isRecorded && existing == .skip && !retriesFailed
      return item
    }
  }

  /// Records which folders and links cannot be read.
  func note(_ unreadable: [UnreadablePath], _ messages: RunMessages) {
    for item in unreadable where item.cause != nil && !item.isRecorded {
      let record = UnreadableRecord(path: BatchRecord.source(item.path), cause: item.cause)
      guard write(record, messages) else { return }
    }
  }

  /// Records which folders and links can be read again, or were removed.
  func noteReadable(_ history: BatchHistory, _ messages: RunMessages) {
    for path in history.unreadable(in: folder).keys {
      guard let place = String(validating: path, as: UTF8.self),
        UnreadablePath.isSettled(place)
      else { continue }
      guard write(UnreadableRecord(path: place, cause: nil), messages) else { return }
    }
  }

  /// Adds the record of an output that now exists, or of a source from which no output was made.
  /// Prints a note if the record cannot be written.
  ///
  /// - Parameters:
  ///   - status: the status of the work; ``ExitStatus/interrupted`` until the output is compared,
  ///     and as long as some of its files are missing.
  ///   - source: the facts of the source before the work.
  ///   - files: the files that were made; may be empty if there is only the output.
  ///   - leftOut: the source's dynamic range, if the source was left out because of it.
  ///   - cost: how much time and space the work took, if anything was encoded.
  func add(
    _ file: Known, _ status: ExitStatus, _ source: (version: [Int], marks: FileMarks),
    files: [String] = [], leftOut: DynamicRange? = nil, cost: WorkCost? = nil,
    _ messages: RunMessages
  ) {
    let pair = file.pair
    // If this run made no output, a file at the output's path is somebody else's.
    let isMade = leftOut == nil && !status.isFailure
    let made = isMade ? BatchRecord.facts(of: pair.output) : nil
    let others = files.filter { $0 != pair.output }.map {
      BatchRecord.File(relative($0), in: folder)
    }
    let newPaths = Set((files + [pair.output]).map { Array(relative($0).utf8) })
    let left = file.earlier.filter {
      !newPaths.contains(Array($0.path.utf8)) && $0.isUnchanged(in: folder)
    }
    let record = BatchRecord(
      output: relative(pair.output), outputVersion: made?.version ?? [], outputMarks: made?.marks,
      others: others.isEmpty ? nil : others, left: isMade && !left.isEmpty ? left : nil,
      source: BatchRecord.source(pair.input), sourceVersion: source.version,
      sourceMarks: source.marks,
      settings: settings, status: status == .done ? nil : status.rawValue, leftOut: leftOut,
      conditions: isMade ? nil : conditions, cost: cost, candela: SoftwareFacts.version)
    add(record, messages)
  }

  @discardableResult
  private func add(_ record: BatchRecord, _ messages: RunMessages) -> Bool {
    write(record, about: PosixPath.joined(folder.path, record.output), messages)
  }

  private func write(_ record: UnreadableRecord, _ messages: RunMessages) -> Bool {
    write([UnreadableRecord.key: record], about: record.path, messages)
  }

  /// Writes a record, or prints a note if that fails.
  ///
  /// - Returns: whether it was written.
  private func write(_ record: some Encodable, about path: String, _ messages: RunMessages) -> Bool
  {
    guard let line = BatchRecord.line(of: record), let reason = append(line) else { return true }
    messages.warn("note: the record for \(path) could not be written: \(reason)")
    return false
  }

  /// Returns the path of an output relative to the folder.
  private func relative(_ output: String) -> String {
    String(output.utf8.dropFirst(folder.path.utf8.count + 1)) ?? output
  }

  /// Appends a line to the records.
  ///
  /// - Returns: why the line was not written; `nil` if it was written.
  private func append(_ line: [UInt8]) -> String? {
    let name = BatchRecord.fileName
    do {
      // Write only to a plain file of this user in the folder for the outputs, because a link there
      // could lead anywhere. `O_APPEND` is needed because two runs may write at once.
      let file = try OpenFile.own(
        name, O_RDWR | O_APPEND | O_CREAT, in: folder.opened().file)
      let size = lseek(file.descriptor, 0, SEEK_END)
      guard Int(size) + line.count < BatchRecord.largestFile else {
        throw FileRefusal.tooLong(limit: BatchRecord.largestFile)
      }
      let end = [UInt8(ascii: "\n")]
      // A full disk or a crash may have cut off the last line. It must not spoil this one.
      let start = Self.endsLine(file.descriptor, size) ? [] : end
      let error = SystemCall.write(start + line + end, to: file.descriptor)
      return error == 0 ? nil : SystemCall.text(error)
    } catch let refusal as FileRefusal {
      return "\(PosixPath.joined(folder.path, name)) \(refusal.text)"
    } catch {
      return "\(error)"
    }
  }

  private static func endsLine(_ descriptor: Int32, _ size: Int) -> Bool {
    var last = UInt8(ascii: "\n")
    guard size > 0, unsafe pread(descriptor, &last, 1, size - 1) == 1 else { return true }
    return last == UInt8(ascii: "\n")
  }
}
