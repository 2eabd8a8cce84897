// SPDX-License-Identifier: GPL-2.0-or-later

/// How many processes encode the frames of one file.
///
/// A plain number works, too: `options.workers = 8`.
public enum WorkerCount: Hashable, Sendable {
  /// As many processes as suit the machine and the clip. Often this is one, without segments.
  case auto
  /// Like `auto`, but for a machine that works on the given number of files at the same time.
  case shared(files: Int)
  /// The given number of processes, 1…1024. With one process, there are no segments.
  case fixed(Int)

  /// The numbers that ``fixed(_:)`` can have.
  package static let counts = 1...1024

  /// Reads a count from text: `auto`, or a number from 1 to 1024.
  package init?(_ text: String) {
    if text == "auto" {
      self = .auto
    } else if let count = Int(text), Self.counts.contains(count) {
      self = .fixed(count)
    } else {
      return nil
    }
  }

  /// The count as a user spells it; `nil` if it has no spelling.
  package var spelling: String? {
    switch self {
    case .auto: "auto"
    case .fixed(let count): "\(count)"
    case .shared: nil
    }
  }

  /// Whether the machine and the clip decide.
  package var isAutomatic: Bool {
    if case .fixed = self { return false }
    return true
  }
}

extension WorkerCount: ExpressibleByIntegerLiteral {
  /// Creates a fixed number of processes.
  public init(integerLiteral value: Int) { self = .fixed(value) }
}
