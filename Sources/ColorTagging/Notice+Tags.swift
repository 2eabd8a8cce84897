// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Notices about faults in what a file declares about its signal.
extension Notice {
  /// Two places contradict each other, and one of them is believed.
  package static func tagConflict(_ conflict: TagConflict) -> Notice {
    let (winner, loser) = (conflict.winner.rawValue, conflict.loser.rawValue)
    return Notice(
      "tagConflict", severity: .warning,
      [
        "field": conflict.field.rawValue, "believed": winner, "other": loser,
        "statement": conflict.winningStatement, "otherStatement": conflict.losingStatement,
      ],
      "\(conflict.field.rawValue): \(conflict.winner.subject) says \(conflict.winningStatement), "
        + "\(conflict.loser.subject) says \(conflict.losingStatement); "
        + "\(conflict.winner.subject) is believed")
  }

  /// A place declares a number that means nothing.
  static func meaninglessStatement(
    _ field: SignalField, in source: ClaimSource, _ statement: String, because fault: String
  ) -> Notice {
    Notice(
      "meaninglessStatement", severity: .warning,
      ["field": field.rawValue, "place": source.rawValue, "statement": statement],
      "\(field.rawValue): \(source.subject) says \(statement), \(fault); it counts as unstated")
  }
}

extension [Notice] {
  package mutating func add(_ conflicts: [TagConflict]) {
    append(contentsOf: conflicts.map { Notice.tagConflict($0) })
  }
}
