// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc

/// A program in a process of its own, with a process group of its own: a terminal's interruption
/// is for the process that started it.
final class ChildProcess {
  /// End of a process.
  enum End: Hashable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The number of the process.
  let identifier: Int32
  /// End of the process; nil as long as it was not seen.
  private var end: End?
  /// The open end of its standard input, which ends with this process.
  private let leash: OpenFile

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the arguments behind the program's name.
  ///   - log: an open file for its standard error. Its standard output goes nowhere.
  /// - Throws: the system's error number.
  init(_ program: String, _ arguments: [String], log: OpenFile) throws(SystemError) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(number: errno) }
    // Other processes must not keep it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = OpenFile(closing: ends[0])
    leash = OpenFile(closing: ends[1])
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.descriptor, STDIN_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, log.descriptor, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What this program ignores in order to end in its own way, the other must not find ignored.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    let words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    var number: pid_t = 0
    let error = unsafe posix_spawn(&number, program, &actions, &attributes, words + [nil], environ)
    guard error == 0 else { throw SystemError(number: error) }
    identifier = number
  }

  /// True as long as the process works.
  var isRunning: Bool { poll(WNOHANG) == nil }

  /// Waits for the end of the process.
  func wait() -> End { poll(0) ?? .exit(0) }

  /// End of the process; nil while it runs.
  private func poll(_ options: Int32) -> End? {
    if let end { return end }
    var status: Int32 = 0
    var result: pid_t
    repeat {
      result = unsafe waitpid(identifier, &status, options)
    } while result < 0 && errno == EINTR
    guard result != 0 else { return nil }
    // The parts of the status, as wait(2) has them.
    let signal = status & 0x7F
    end = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    return end
  }
}

/// A failure of the system.
struct SystemError: Error {
  /// The system's number for it.
  let number: Int32
}
