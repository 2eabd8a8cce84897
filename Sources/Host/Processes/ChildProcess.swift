// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore
internal import Synchronization

/// This program, or another one, running in a child process with its own process group.
package final class ChildProcess: Sendable {
  // The kernel's link leads to the running program, even after an upgrade replaced the file.
  private static let program = "/proc/self/exe"

  /// The path of this program, or `nil` if its file is gone.
  package static var programPath: String? { PosixPath.resolved(program) }

  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The exit status if it is unknown how a process ended: an internal fault (`EX_SOFTWARE`).
  private static let unknownStatus: Int32 = 70

  // Started processes whose exit status this process has not fetched yet. The system gives the ID
  // of such a process to no other process, so signals reach the right one.
  static let running = Mutex<Set<Int32>>([])

  /// The process ID.
  package let identifier: Int32
  // `nil` until the end was seen.
  private let end = Mutex<End?>(nil)
  // The other end of the child's standard input. It closes when this process ends, even if this
  // process is killed. The child ends once its standard input is closed.
  private let leash: OpenFile

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the arguments that follow the program's name.
  ///   - program: the path of the program, or `nil` for this one.
  ///   - work: what the process does, for messages, such as `segment 3`.
  ///   - output: an open file for its standard output, or `nil` to discard it.
  ///   - log: an open file for its standard error.
  /// - Throws: ``TranscodingError`` of kind `unavailable` if the process cannot be started.
  package init(
    _ arguments: [String], of program: String? = nil, for work: String,
    output: OpenFile? = nil, log: OpenFile
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
    // This program ignores the signals that are listed below, so that it can end in its own way. A
    // child would inherit that, so it gets the default actions. In its own process group, the child
    // does not get the terminal's Ctrl-C, so this process decides how the child's work ends.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCHLD] {
      _ = unsafe sigaddset(&signals, number)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    let name = program ?? CommandLine.arguments.first ?? Self.program
    let words = unsafe ([name] + arguments).map { unsafe strdup($0.systemBytes) }
    defer { unsafe words.forEach { unsafe free($0) } }
    var number: pid_t = 0
    let error = Self.running.withLock { running in
      let error = OpenFile.starting {
        unsafe posix_spawn(
          &number, (program ?? Self.program).systemBytes, &actions, &attributes, words + [nil],
          environ)
      }
      if error == 0 { running.insert(number) }
      return error
    }
    withExtendedLifetime(input) {}
    guard error == 0 else { throw TranscodingError(noProcessFor: work, error) }
    identifier = number
  }

  /// Gives the process a lower priority than this one. Call it right after the start.
  package func lowerPriority(by steps: Int) {
    guard steps > 0 else { return }
    // On Linux, niceness belongs to a thread, and new threads inherit it. If the child already has
    // more threads, they keep their old niceness, which does no harm.
    let kind = __priority_which_t(PRIO_PROCESS.rawValue)
    let own = getpriority(kind, 0)
    _ = setpriority(kind, id_t(identifier), own + Int32(clamping: steps))
  }

  /// Sends bytes to the standard input of the process. Does nothing if the process no longer reads.
  package func send(_ bytes: [UInt8]) { _ = SystemCall.write(bytes, to: leash.descriptor) }

  /// Whether the process is still running.
  package var isRunning: Bool { poll() == nil }

  /// Whether a signal (SIGSTOP, SIGTSTP) has stopped the process.
  package var isStopped: Bool { Self.state(of: identifier) == UInt8(ascii: "T") }

  /// Returns the system's letter for the state of a process (proc(5)).
  static func state(of process: Int32) -> UInt8? {
    // The state follows the program's name, which is in parentheses and may itself contain some.
    let line = OpenFile.bytes(of: "/proc/\(process)/stat") ?? []
    let state = line.lastIndex(of: UInt8(ascii: ")")).map { line[($0 + 1)...] }
    return state?.first { $0 != UInt8(ascii: " ") }
  }

  /// Waits until the process ends.
  package func wait() -> End {
    while true {
      if let end = poll() { return end }
      // With `WNOWAIT`, the process stays a zombie until `poll` fetches its exit status. Its ID
      // cannot be reused in between.
      _ = waitid(P_PID, id_t(identifier), nil, WEXITED | WNOWAIT)
    }
  }

  /// Sends a signal to the process, if it is still running.
  package func signal(_ number: Int32) { if isRunning { kill(identifier, number) } }

  /// Returns how the process ended, or `nil` while it runs.
  private func poll() -> End? {
    end.withLock { end -> End? in
      if let end { return end }
      var status: Int32 = 0
      let result = Self.running.withLock { running in
        let result = unsafe waitpid(identifier, &status, WNOHANG)
        if result != 0 { running.remove(identifier) }
        return result
      }
      guard result != 0 else { return nil }
      // If the system does not know the ID, something else has fetched the exit status. The process
      // may have failed.
      guard result > 0 else {
        end = .exit(Self.unknownStatus)
        return end
      }
      // This is how wait(2) encodes the status. Swift does not import the macros for it.
      let signal = status & 0x7F
      end = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
      return end
    }
  }
}

extension ChildProcess {
  /// Returns the path of a program that `PATH` finds, or `nil` if there is none.
  package static func path(of program: String) -> String? {
    guard let pointer = unsafe getenv("PATH") else { return nil }
    return unsafe String(cString: pointer).split(separator: ":").lazy
      .map { PosixPath.joined(String($0), program) }.first(where: isExecutable)
  }

  /// Whether a path names a file that this process may execute.
  package static func isExecutable(_ path: String) -> Bool {
    unsafe access(path.systemBytes, X_OK) == 0 && PosixPath.kind(of: path) == .file
  }
}

extension ChildProcess {
  // How many times to check whether the processes have stopped, and how many microseconds to pause
  // after each check: up to a second in total.
  private static let looks = 100
  private static let pause: UInt32 = 10_000

  /// Stops this process and its children as a terminal would (SIGTSTP). After a signal has
  /// continued this process, continues the children and returns.
  package static func stopAll() {
    // The children have their own process groups, so the terminal's Ctrl-Z does not reach them. The
    // lock is held until they continue. It keeps other threads from starting processes, and keeps
    // the processes' IDs from being reused.
    running.withLock { processes in
      for process in processes { kill(process, SIGTSTP) }
      // Wait, because each child first stops the processes that it has started itself.
      for _ in 0..<looks where processes.contains(where: isWorking) { usleep(pause) }
      // This thread may have blocked SIGTSTP. Nothing can block SIGSTOP.
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
      .unavailable, "cannot start a process for \(work): \(SystemCall.text(number))")
  }
}

extension OpenFile {
  /// Creates two connected files that no other process has. What is written to one can be read from
  /// the other.
  ///
  /// - Parameter work: the work of the process that gets one of the files, for messages.
  /// - Throws: ``TranscodingError`` of kind `unavailable` if the system has none left.
  package static func pair(for work: String) throws(TranscodingError) -> (OpenFile, OpenFile) {
    // A pipe without close-on-exec would leak into processes that start at the same moment. They
    // would keep it open, and its reader would never see the end. Sockets are created with the flag
    // in one call.
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw TranscodingError(noProcessFor: work, errno)
    }
    return (OpenFile(closing: ends[0]), OpenFile(closing: ends[1]))
  }
}
