// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore
internal import Synchronization

/// This program in a process of its own, with a process group of its own: a terminal's interruption
/// is for the process that started it.
package final class ChildProcess: Sendable {
  /// The program that runs, whatever has its name meanwhile: after an upgrade it has none.
  private static let program = "/proc/self/exe"

  /// The path of this program; nil where the file is there no more.
  package static var programPath: String? { PosixPath.resolved(program) }

  /// End of a process.
  package enum End: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The processes that this one has started and whose end it has not seen, by their numbers, which
  /// are nobody else's that long.
  static let running = Mutex<Set<Int32>>([])

  /// The number of the process.
  package let identifier: Int32
  /// End of the process; nil as long as it was not seen.
  private let end = Mutex<End?>(nil)
  /// The other end of its standard input, which ends with this process.
  private let leash: OpenFile

  /// Starts this program.
  ///
  /// - Parameters:
  ///   - arguments: the arguments behind the program's name.
  ///   - work: the work of the process, in messages: `segment 3`.
  ///   - output: an open file for its standard output; nil for none.
  ///   - log: an open file for its standard error.
  /// - Throws: ``TranscodingError`` of kind `unavailable` where the system gives no process.
  package init(
    _ arguments: [String], for work: String, output: OpenFile? = nil, log: OpenFile
  ) throws(TranscodingError) {
    let (leash, input) = try OpenFile.pair(for: work)
    self.leash = leash
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.descriptor, STDIN_FILENO)
    if let output {
      unsafe posix_spawn_file_actions_adddup2(&actions, output.descriptor, STDOUT_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, log.descriptor, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What this program ignores in order to end in its own way, the other must not find ignored.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP] { _ = unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    let name = CommandLine.arguments.first ?? Self.program
    let words = unsafe ([name] + arguments).map { unsafe strdup(SystemPath.bytes($0)) }
    defer { unsafe words.forEach { unsafe free($0) } }
    var number: pid_t = 0
    let error = Self.running.withLock { running in
      let error = unsafe posix_spawn(
        &number, SystemPath.bytes(Self.program), &actions, &attributes, words + [nil], environ)
      if error == 0 { running.insert(number) }
      return error
    }
    withExtendedLifetime(input) {}
    guard error == 0 else { throw TranscodingError(noProcessFor: work, error) }
    identifier = number
  }

  /// Makes the process nicer than this one. It has to be called before the process has threads,
  /// which are as nice as the one that starts them. Too late, it costs nothing but time.
  package func giveWay(by steps: Int) {
    guard steps > 0 else { return }
    let kind = __priority_which_t(PRIO_PROCESS.rawValue)
    let own = getpriority(kind, 0)
    _ = setpriority(kind, id_t(identifier), own + Int32(clamping: steps))
  }

  /// Sends bytes to the standard input of the process; to one that reads no more, nothing.
  package func send(_ bytes: [UInt8]) { _ = SystemCall.write(bytes, to: leash.descriptor) }

  /// True as long as the process works.
  package var isRunning: Bool { poll() == nil }

  /// True if a signal has stopped the process (SIGSTOP, SIGTSTP) and none has woken it.
  package var isStopped: Bool { Self.state(of: identifier) == UInt8(ascii: "T") }

  /// The system's letter for the state of a process (proc(5)); nil where there is none.
  static func state(of process: Int32) -> UInt8? {
    // The state stands behind the program's name, which is in parentheses and may have others.
    let line = OpenFile.bytes(of: "/proc/\(process)/stat") ?? []
    let state = line.lastIndex(of: UInt8(ascii: ")")).map { line[($0 + 1)...] }
    return state?.first { $0 != UInt8(ascii: " ") }
  }

  /// Waits for the end of the process.
  package func wait() -> End {
    while true {
      if let end = poll() { return end }
      // The number stays the process's until its end is fetched.
      _ = waitid(P_PID, id_t(identifier), nil, WEXITED | WNOWAIT)
    }
  }

  /// Sends a signal to the process, if it works.
  package func signal(_ number: Int32) { if isRunning { kill(identifier, number) } }

  /// End of the process; nil while it runs.
  private func poll() -> End? {
    end.withLock { end in
      if let end { return end }
      var status: Int32 = 0
      let result = Self.running.withLock { running in
        let result = unsafe waitpid(identifier, &status, WNOHANG)
        if result != 0 { running.remove(identifier) }
        return result
      }
      guard result != 0 else { return nil }
      // The parts of the status, as wait(2) has them.
      let signal = status & 0x7F
      end = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
      return end
    }
  }
}

extension ChildProcess {
  /// The processes have up to a second to stop: so many looks, with so many microseconds between.
  private static let looks = 100
  private static let pause: UInt32 = 10_000

  /// Stops this process and all that it has started, as a terminal stops a program (SIGTSTP). They
  /// have process groups of their own, which the terminal does not know. Returns when a signal
  /// has woken this process, and wakes the others.
  package static func stopAll() {
    // No process is started, and no number given to another one, in between.
    running.withLock { processes in
      for process in processes { kill(process, SIGTSTP) }
      // Each stops first what it has started itself.
      for _ in 0..<looks where processes.contains(where: isWorking) { usleep(pause) }
      // Whatever thread this is, it has not blocked this signal, as it may have SIGTSTP.
      raise(SIGSTOP)
      for process in processes { kill(process, SIGCONT) }
    }
  }

  private static func isWorking(_ process: Int32) -> Bool {
    state(of: process).map { ![UInt8(ascii: "T"), UInt8(ascii: "Z")].contains($0) } ?? false
  }
}

extension TranscodingError {
  fileprivate init(noProcessFor work: String, _ number: Int32) {
    self.init(
      .unavailable, "no process can be started for \(work): \(SystemCall.text(number))")
  }
}

extension OpenFile {
  /// Two ends of a way, which no other process has: what is written to one is read from the other.
  ///
  /// They are sockets, since a pipe is open for processes that are started in the same moment.
  ///
  /// - Parameter work: the work of the process that gets one of them, in messages.
  /// - Throws: ``TranscodingError`` of kind `unavailable` where the system gives none.
  package static func pair(for work: String) throws(TranscodingError) -> (OpenFile, OpenFile) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw TranscodingError(noProcessFor: work, errno)
    }
    return (OpenFile(closing: ends[0]), OpenFile(closing: ends[1]))
  }
}
