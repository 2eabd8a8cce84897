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

/// Work on one of many files that another process of this program does: what it needs to know
/// beside its arguments. It is the first line of that process' standard input.
struct FileOrder: Codable, Sendable {
  /// The settings, in the form of a preset, which may have come out of a pipe.
  let settings: JSONValue
  /// True if an output that another run makes is no failure.
  let skips: Bool
  /// Number of files at once; nil where the number of workers is stated.
  let files: Int?
  /// The bytes that several workers of the file may take, where somebody waits for the file's own
  /// need.
  let part: UInt64?
}

/// The next line of that standard input: the work begins.
enum FileStart: String, Sendable {
  case making
  /// An output that is there is replaced.
  case replacing
}

/// A process of this program that works on one of many files, and the way to it.
final class FileWorker: Sendable {
  private struct State {
    let output: String
    var process: ChildProcess?
    /// Events and messages that come in; nil at their end.
    var events: LineReader?
    var messages: LineReader?
    var progress = TranscodeProgress(fraction: 0, frames: 0, seconds: 0, elapsed: 0)
    var need: UInt64?
    var isTaken = false
    var made: [ExitStatus] = []
    var stops = StoppedWorkers()
    /// True for a process that was ended because a signal kept stopping it.
    var isStuck = false
    /// Time from which on the process is ended by force; nil as long as it works on.
    var deadline: ContinuousClock.Instant?

    /// Takes note of an event.
    mutating func add(_ line: [UInt8]) {
      guard let event = try? JSONDecoder().decode(FileEvent.self, from: Data(line)) else { return }
      if let need = event.need { self.need = need }
      if let progress = event.progress { self.progress = progress }
      if let status = event.made.flatMap(ExitStatus.init(rawValue:)) { made.append(status) }
      if event.isTaken == true { isTaken = true }
      if let job = event.job { Interruptible.keep(job: job) }
      if let isCompared = event.isCompared { Interruptible.note(isCompared, output) }
    }
  }

  private let pair: BatchFiles.Pair
  private let arguments: [String]
  private let order: FileOrder
  private let messages: RunMessages
  private let state: Mutex<State>

  /// Time that a process has to end by itself when it is interrupted.
  private static let patience = Duration.milliseconds(1_500)
  /// An interruption is noticed after so many milliseconds at the latest.
  private static let interval: Int32 = 50

  /// A worker on a file, which starts when it is asked.
  init(
    on pair: BatchFiles.Pair, _ arguments: [String], _ order: FileOrder, _ messages: RunMessages
  ) {
    (self.pair, self.arguments, self.order) = (pair, arguments, order)
    self.messages = messages
    state = Mutex(State(output: pair.output))
  }

  /// The bytes that the work takes at most, by estimate; 0 where nothing can be said.
  func need() async -> UInt64 {
    if let known = state.withLock({ $0.need }) { return known }
    let need = try? await Pipeline.onThread("file") { [self] checkpoint in
      try start()
      return follow(checkpoint) { state.withLock { $0.need } != nil }
    }
    let known = (need == nil ? nil : state.withLock { $0.need }) ?? 0
    state.withLock { $0.need = known }
    return known
  }

  /// Works on the file.
  ///
  /// - Parameter made: is called when the output is there, with the status of the work so far.
  /// - Returns: the status; nil where another run makes the output.
  /// - Throws: ``TranscodingError`` of kind `internalFault` where a fault ended the process,
  ///   `unavailable` where somebody or the system did, or where there is none; `CancellationError`
  ///   where it was interrupted.
  func work(
    _ start: FileStart, made: @escaping @Sendable (ExitStatus) -> Void
  ) async throws -> ExitStatus? {
    try await ProgressDisplay(
      style: .none, progress: { [self] in state.withLock { $0.progress } }
    ).showing { [self] in
      let end = try await Pipeline.onThread("file") { [self] checkpoint in
        try self.start()
        state.withLock { $0.process }?.send(Array((start.rawValue + "\n").utf8))
        return follow(checkpoint) {
          takeStatuses().forEach(made)
          return false
        }
      }
      return try status(of: end)
    }
  }

  private func status(of end: ChildProcess.End?) throws -> ExitStatus? {
    let state = state.withLock { $0 }
    if state.isTaken { return nil }
    switch end {
    case .exit(let code): return ExitStatus(rawValue: code) ?? .internalFault
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
      return TranscodingError(.unavailable, words + "it had been stopped again and again")
    }
    return number == SIGKILL
      ? TranscodingError(
        .unavailable, words + "somebody ended it, or the system, for want of memory")
      : TranscodingError(
        .internalFault,
        words + "a fault of this program or of a library; please report it, with the file")
  }

  /// Starts the process, unless it works already.
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

  /// Takes what comes in, until the process ends, or until something is reached.
  ///
  /// - Returns: the end of the process; nil where it works on.
  private func follow(
    _ checkpoint: Pipeline.Checkpoint, until isReached: () -> Bool
  ) -> ChildProcess.End? {
    while true {
      let (process, files) = state.withLock { state in
        (state.process, [state.events, state.messages].map { $0?.file.descriptor ?? -1 })
      }
      guard let process else { return nil }
      if files.allSatisfy({ $0 < 0 }) { return process.wait() }
      var requests = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
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

  /// The statuses of the output that have come in and were not told.
  private func takeStatuses() -> [ExitStatus] {
    state.withLock { state in
      defer { state.made = [] }
      return state.made
    }
  }

  /// Takes what has come in.
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

  /// Has the process go on where a signal stopped it, and ends it where that happens again.
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
        "\(pair.input): the process that works on it was stopped by a signal, and is woken")
      process.signal(SIGCONT)
    case .end: process.signal(SIGKILL)
    }
  }

  /// Asks the process to end, and ends it by force where it does not.
  private func stop(_ process: ChildProcess) {
    let (isFirst, isLate) = state.withLock { state in
      guard let deadline = state.deadline else {
        state.deadline = .now + Self.patience
        return (true, false)
      }
      return (false, deadline < .now)
    }
    if isFirst { process.signal(SIGTERM) }
    if isLate { process.signal(SIGKILL) }
  }
}

/// Lines that come in from an open file.
struct LineReader: Sendable {
  let file: OpenFile
  private(set) var isAtEnd = false
  private var rest: [UInt8] = []

  init(_ file: OpenFile) { self.file = file }

  /// The lines that are complete by now, after one more step of reading; at the end, all.
  mutating func next() -> [[UInt8]] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(file.descriptor, &bytes, bytes.count)
    if count < 0 && [EINTR, EAGAIN].contains(errno) { return [] }
    isAtEnd = count <= 0
    rest += bytes.prefix(max(count, 0))
    let end = isAtEnd ? rest.endIndex : rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    defer { rest.removeFirst(end) }
    let lines = rest[..<end].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Behind the last end of a line, there is none.
    return (lines.last?.isEmpty == true ? lines.dropLast() : lines[...]).map(Array.init)
  }
}
