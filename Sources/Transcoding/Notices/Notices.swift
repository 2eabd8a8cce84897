internal import ColorTagging

/// Collects what a user should know before the work begins: what is assumed, and what is lost.
struct Notices {
  private(set) var lines: [String] = []

  mutating func add(_ line: String) { lines.append(line) }

  mutating func add(contentsOf more: [String]) { lines += more }

  mutating func add(_ conflicts: [TagConflict]) {
    lines += conflicts.map { Self.text($0) }
  }

  /// A conflict in a sentence.
  static func text(_ conflict: TagConflict) -> String {
    "\(conflict.field.rawValue): the \(conflict.winner.rawValue) says "
      + "\(conflict.winningStatement), the \(conflict.loser.rawValue) says "
      + "\(conflict.losingStatement); the \(conflict.winner.rawValue) is believed"
  }
}
