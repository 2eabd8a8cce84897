package import ColorTagging

/// Collects what a user should know before the work begins: what is assumed, and what is lost.
package struct Notices {
  package private(set) var lines: [String] = []

  /// Nothing to say yet.
  package init() {}

  package mutating func add(_ line: String) { lines.append(line) }

  package mutating func add(contentsOf more: [String]) { lines += more }

  package mutating func add(_ conflicts: [TagConflict]) {
    lines += conflicts.map { Self.text($0) }
  }

  /// A conflict in a sentence.
  package static func text(_ conflict: TagConflict) -> String {
    "\(conflict.field.rawValue): the \(conflict.winner.rawValue) says "
      + "\(conflict.winningStatement), the \(conflict.loser.rawValue) says "
      + "\(conflict.losingStatement); the \(conflict.winner.rawValue) is believed"
  }
}
