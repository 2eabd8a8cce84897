package import CodePoints
package import ColorTagging

/// Collects what a user should know before the work begins: what is assumed, and what is lost.
package struct Notices {
  /// In the order in which they were found.
  package private(set) var all: [Notice] = []

  /// What was found before; nothing yet by default.
  package init(_ all: [Notice] = []) { self.all = all }

  package mutating func add(_ notice: Notice) { all.append(notice) }

  package mutating func add(contentsOf more: [Notice]) { all += more }

  package mutating func add(_ conflicts: [TagConflict]) {
    all += conflicts.map { .tagConflict($0) }
  }
}
