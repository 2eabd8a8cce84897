// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import MediaCore
internal import Segments
internal import Settings
internal import Synchronization
internal import Transcoding

/// What a process that works on one of many files has to know besides its arguments. It reads this
/// from the first line of its standard input.
struct FileOrder: Codable, Sendable {
  /// The settings, in the form of a preset; `nil` if the command has no preset. The preset may have
  /// come out of a pipe, which cannot be read twice.
  let settings: JSONValue?
  /// Whether to skip the file, instead of failing, if another run makes the output.
  let skips: Bool
  /// How many files share the machine; `nil` if the number of workers does not depend on that.
  let files: Int?
  /// The memory, in bytes, that the file's processes may take together; `nil` if nobody asks what
  /// the file needs.
  let part: UInt64?

  /// Returns the second line of the worker's standard input. The work begins when it arrives.
  ///
  /// - Parameter replaces: whether the work replaces an existing output.
  static func start(replacing replaces: Bool) -> String { replaces ? "replacing" : "making" }
}

/// A process of this program that works on one of many files.
final class FileWorker: Sendable {
  private struct State {
    let output: String
    /// Whether the command makes several files, one after another.
    let makesSeveral: Bool
    var process: ChildProcess?
    /// Readers of the events and messages that come in; `nil` before the process is started, and
    /// once these streams have ended.
    var events: LineReader?
    var messages: LineReader?
    var progress = TranscodeProgress(fraction: 0, frames: 0, seconds: 0, elapsed: 0)
    var need: UInt64?
    var isTaken = false
    var leftOut: DynamicRange?
    var pixels: Double?
    var made: [ExitStatus] = []
    var lastMade: ExitStatus?
    var files: [String] = []
    var texts: [String] = []
    var notices: [FileEvent.Remark] = []
    var stops = StoppedWorkers()
    /// When the file's turn came; `nil` before that.
    var began: ContinuousClock.Instant?
    /// Whether the process was ended because signals kept stopping it.
    var isStuck = false
    /// When to kill the process if it is still running; `nil` until it has been asked to end.
    var deadline: ContinuousClock.Instant?

    mutating func add(_ line: [UInt8]) {
      guard let event = try? JSONDecoder().decode(FileEvent.self, from: Data(line)) else { return }
      if let need = event.need { self.need = need }
      if let progress = event.progress { self.progress = progress }
      if let files = event.files {
        // However the process ends, the records should know early that some of its files exist.
        if makesSeveral, self.files.isEmpty { add(.interrupted) }
        self.files += files
      }
      if let status = event.made.flatMap(ExitStatus.init(rawValue:)) { add(status) }
      if event.isTaken == true { isTaken = true }
      if let range = event.leftOut { leftOut = range }
      if let pixels = event.pixels { self.pixels = pixels }
      if let text = event.text { texts.append(text) }
      if let notice = event.notice { notices.append(notice) }
      // This process survives the worker, so it has to know what to print if all processes are
      // interrupted.
      if let job = event.job { Interruptible.keep(job: job) }
      if let isCompared = event.isCompared { Interruptible.note(isCompared, output) }
    }

    private mutating func add(_ status: ExitStatus) {
      made.append(status)
      lastMade = status
    }
  }

  /// How the work on a file ended.
  enum End {
    case status(ExitStatus)
    /// Another run makes the output.
    case taken
    /// The file has this dynamic range, but another one is wanted.
    case leftOut(DynamicRange)
  }

  private let pair: BatchFiles.Pair
  private let arguments: [String]
  private let order: FileOrder
  private let messages: RunMessages
  private let state: Mutex<State>

  /// How long an interrupted process may take to end before it is killed.
  private static let patience = Duration.milliseconds(1_500)
  /// How soon an interruption is noticed, in milliseconds.
  private static let interval: Int32 = 50

  /// Makes a worker for a file. Its process starts when it is first needed.
  init(
    on pair: BatchFiles.Pair, _ arguments: [String], _ order: FileOrder, _ messages: RunMessages
  ) {
    (self.pair, self.arguments, self.order) = (pair, arguments, order)
    self.messages = messages
    state = Mutex(
      State(output: pair.output, makesSeveral: pair.pattern != nil || pair.isTemplate))
  }

  /// What a command for the file alone would have printed so far.
  var texts: [String] { state.withLock { $0.texts } }

  /// The files that were made, if the command makes several.
  var files: [String] { state.withLock { $0.files } }

  /// How long the process has worked since its turn came. Its work before that does not count,
  /// because it overlapped the work on other files, and their times include it.
  var workTime: Duration { state.withLock { $0.began?.duration(to: .now) ?? .zero } }

  /// How far the work has come.
  var progress: TranscodeProgress { state.withLock { $0.progress } }

  /// Whether the command has made some of several files, but not all.
  var hasUnfinishedFiles: Bool {
    state.withLock { !$0.files.isEmpty && $0.lastMade == .interrupted }
  }

  /// The losses and assumptions so far.
  var notices: [FileEvent.Remark] { state.withLock { $0.notices } }

  /// Returns an estimate of how much memory the work takes at most, in bytes; 0 if nothing is
  /// known.
  func need() async -> UInt64 {
    if let known = state.withLock({ $0.need }) { return known }
    try? await Pipeline.onThread("file") { [self] checkpoint in
      try start()
      _ = follow(checkpoint) { state.withLock { $0.need } != nil }
    }
    return state.withLock { state in
      let known = state.need ?? 0
      state.need = known
      return known
    }
  }

  /// Works on the file.
  ///
  /// - Parameters:
  ///   - replaces: whether the work replaces an existing output.
  ///   - made: is called when the output exists, with the status of the work so far, and with the
  ///     number of pixels that were encoded, if any.
  /// - Returns: how the work ended.
  /// - Throws: ``TranscodingError`` of kind `internalFault` if a fault ended the process,
  ///   `unavailable` if the process was killed or cannot be started; `CancellationError` if it was
  ///   interrupted.
  func work(
    replacing replaces: Bool, made: @escaping @Sendable (ExitStatus, _ pixels: Double?) -> Void
  ) async throws -> End {
    state.withLock { $0.began = .now }
    return try await ProgressDisplay(
      style: .none, progress: { [self] in progress }
    ).showing { [self] in
      let end = try await Pipeline.onThread("file") { [self] checkpoint in
        try start()
        let line = FileOrder.start(replacing: replaces) + "\n"
        state.withLock { $0.process }?.send(Array(line.utf8))
        return follow(checkpoint) {
          for (status, pixels) in takeStatuses() { made(status, pixels) }
          return false
        }
      }
      return try self.end(of: end)
    }
  }

  private func end(of end: ChildProcess.End?) throws -> End {
    let state = state.withLock { $0 }
    if state.isTaken { return .taken }
    if let range = state.leftOut { return .leftOut(range) }
    switch end {
    case .exit(let code): return .status(ExitStatus(rawValue: code) ?? .internalFault)
    // Without a deadline, nobody asked the process to end, so the signal is an error.
    case .signal(let number) where state.deadline == nil:
      throw endedError(by: number, isStuck: state.isStuck)
    case .signal, nil: throw CancellationError()
    }
  }

  private func endedError(by number: Int32, isStuck: Bool) -> TranscodingError {
    let name = unsafe String(cString: strsignal(number))
    let words =
      "\(pair.input): the process that worked on it was ended by signal \(number) (\(name)): "
    if isStuck {
      return TranscodingError(
        .unavailable, words + "signals kept stopping it, so this program ended it")
    }
    return number == SIGKILL
      ? TranscodingError(
        .unavailable, words + "somebody killed it, or the system did because memory ran out")
      : TranscodingError(
        .internalFault,
        words + "this is a bug in this program or in a library; please report it, with the file")
  }

  /// Starts the process, unless it runs already.
  private func start() throws {
    try state.withLock { state in
      guard state.process == nil else { return }
      let (events, output) = try OpenFile.pair(for: "it")
      let (messages, log) = try OpenFile.pair(for: "it")
      let process = try ChildProcess(arguments, for: "it", output: output, log: log)
      process.send(Array(try JSONEncoder().encode(order)) + [UInt8(ascii: "\n")])
      (state.process, state.events, state.messages) = (
        process, LineReader(events), LineReader(messages)
      )
    }
  }

  /// Takes the lines that come in, until the process ends or a condition is met.
  ///
  /// - Returns: how the process ended; `nil` if it is still running.
  private func follow(
    _ checkpoint: Pipeline.Checkpoint, until isReached: () -> Bool
  ) -> ChildProcess.End? {
    while true {
      let (process, files) = state.withLock { state in
        (state.process, [state.events, state.messages].map { $0?.file.descriptor ?? -1 })
      }
      guard let process else { return nil }
      // Both streams end with the process, so this does not wait for long.
      if files.allSatisfy({ $0 < 0 }) { return process.wait() }
      var requests = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // `poll` ignores descriptors below zero, which stand for a stream that has ended.
      _ = unsafe poll(&requests, nfds_t(requests.count), Self.interval)
      if (try? checkpoint()) == nil { stop(process) }
      wakeIfStopped(process)
      let messages = take(requests)
      let isOver = RunMessages.$input.withValue(pair.input) {
        messages.forEach(RunMessages.forward)
        return isReached()
      }
      if isOver { return nil }
    }
  }

  /// Returns the statuses that have come in since the last call, with the pixels encoded so far.
  private func takeStatuses() -> [(ExitStatus, Double?)] {
    state.withLock { state in
      defer { state.made = [] }
      return state.made.map { ($0, state.pixels) }
    }
  }

  /// Reads what has come in.
  ///
  /// - Returns: lines for the user.
  private func take(_ requests: [pollfd]) -> [[UInt8]] {
    state.withLock { state in
      if requests[0].revents != 0, let lines = state.events?.next() {
        for line in lines { state.add(line) }
        if state.events?.isAtEnd == true { state.events = nil }
      }
      guard requests[1].revents != 0, let lines = state.messages?.next() else { return [] }
      if state.messages?.isAtEnd == true { state.messages = nil }
      return lines
    }
  }

  /// Resumes a process that a signal has stopped. If the process is stopped again, kills it.
  private func wakeIfStopped(_ process: ChildProcess) {
    let isStopped = process.isStopped
    let measure = state.withLock { state in
      let measure = state.stops.measure(for: process.identifier, isStopped: isStopped)
      if measure == .end { state.isStuck = true }
      return measure
    }
    switch measure {
    case .nothing: break
    case .wake:
      messages.warn(
        "\(pair.input): the process that works on it was stopped by a signal and has been resumed")
      process.signal(SIGCONT)
    case .end: process.signal(SIGKILL)
    }
  }

  /// Asks the process to end, and ends it by force if it does not.
  private func stop(_ process: ChildProcess) {
    let (isFirst, isLate) = state.withLock { state in
      guard let deadline = state.deadline else {
        state.deadline = .now + Self.patience
        return (true, false)
      }
      return (false, deadline < .now)
    }
    // SIGTERM lets it remove its unfinished output.
    if isFirst { process.signal(SIGTERM) }
    if isLate { process.signal(SIGKILL) }
  }
}

/// Reads lines from an open file.
struct LineReader: Sendable {
  let file: OpenFile
  private(set) var isAtEnd = false
  private var rest: [UInt8] = []

  init(_ file: OpenFile) { self.file = file }

  /// Reads once more and returns the lines that are complete. At the end of the file, it returns
  /// all lines that are left.
  mutating func next() -> [[UInt8]] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(file.descriptor, &bytes, bytes.count)
    if count < 0 && [EINTR, EAGAIN].contains(errno) { return [] }
    isAtEnd = count <= 0
    // What is left from before has no line break. Do not search it again, because a report with
    // all frames of a file is one very long line.
    let new = bytes.prefix(max(count, 0))
    let lastBreak = new.lastIndex(of: UInt8(ascii: "\n")).map { rest.count + $0 + 1 }
    rest += new
    let end = isAtEnd ? rest.endIndex : lastBreak ?? 0
    guard end > 0 else { return [] }
    defer { rest.removeFirst(end) }
    let lines = rest[..<end].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // There is no line after the last line break.
    return (lines.last?.isEmpty == true ? lines.dropLast() : lines[...]).map(Array.init)
  }
}
