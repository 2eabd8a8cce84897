// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Synchronization

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
