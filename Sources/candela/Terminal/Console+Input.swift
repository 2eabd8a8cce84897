// SPDX-License-Identifier: GPL-2.0-or-later
internal import Dispatch
internal import Glibc
internal import Host

/// Standard input of a process that another process of this program has started.
extension Console {
  /// Returns the lines that come in. This process ends when its standard input ends.
  static func inputLines() -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      // Reading blocks, so it gets a separate queue.
      DispatchQueue(label: "standard input").async {
        var line: [UInt8] = []
        while let bytes = readInput() {
          line += bytes
          while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            continuation.yield(Array(line[..<end]))
            line.removeFirst(end + 1)
          }
        }
        // Standard input ends when the process that started this one ends, for whatever reason.
        // Then nobody wants the output anymore.
        UnfinishedFile.discardAll()
        _exit(ExitStatus.interrupted.rawValue)
      }
    }
  }

  /// Ends this process as soon as its standard input ends.
  static func endWithInput() { _ = inputLines() }

  /// Returns the next bytes; `nil` at the end.
  private static func readInput() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      return count > 0 ? Array(bytes.prefix(count)) : nil
    }
  }
}
