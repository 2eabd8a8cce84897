// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// A plan's notice that announces the loss of facts.
package struct FactLoss: Sendable {
  /// The notice's code.
  package let code: Notice.Code
  /// The notice's argument that must name the lost thing; `nil` if the code is enough.
  package let argument: String?
  /// Whether the notice explains only why an output has fewer of something, and not why it has
  /// none.
  let isOfSome: Bool
  /// Makes the notice that a plan adds for the loss. `nil` if the notice is added for another
  /// reason and only mentions the loss.
  let notice: (@Sendable (_ lost: [Fact], _ container: FileType?) -> Notice)?

  init(
    _ code: Notice.Code, _ argument: String? = nil, isOfSome: Bool = false,
    notice: (@Sendable ([Fact], FileType?) -> Notice)? = nil
  ) {
    (self.code, self.argument, self.isOfSome) = (code, argument, isOfSome)
    self.notice = notice
  }
}

extension FactKey {
  /// Whether a plan adds a notice about the fact's loss if no other notice mentions the loss.
  package var isAnnounced: Bool { losses.contains { $0.notice != nil } }
}

extension Fact {
  /// Returns the code of the notice that announces the loss of this fact.
  package func announcement(
    in notices: [(code: String, arguments: [String: String])]
  ) -> String? {
    key.losses.first { isNamed(by: $0, in: notices) }?.code.rawValue
  }

  fileprivate func isNamed(
    by loss: FactLoss, in notices: [(code: String, arguments: [String: String])]
  ) -> Bool {
    let subject = subject ?? name
    return notices.contains { notice in
      guard notice.code == loss.code.rawValue else { return false }
      guard let argument = loss.argument else { return true }
      // A notice may name several things in one argument.
      let values = (notice.arguments[argument] ?? "").split(separator: ", ")
      return subject.map { values.contains(Substring($0)) } ?? false
    }
  }
}

extension [Notice] {
  /// Adds notices about facts that an output will not state, unless a notice already says why.
  package mutating func add(lost facts: [Fact], in container: FileType?) {
    let told = map { (code: $0.code.rawValue, arguments: $0.arguments) }
    let untold = facts.filter { fact in
      !fact.key.losses.contains { !$0.isOfSome && fact.isNamed(by: $0, in: told) }
    }
    var added: Set<String> = []
    for loss in FactKey.all.compactMap({ key in key.losses.first { $0.notice != nil } })
    where added.insert(loss.code.rawValue).inserted {
      let own = untold.filter { fact in
        fact.key.losses.first { $0.notice != nil }?.code == loss.code
      }
      if !own.isEmpty, let notice = loss.notice { append(notice(own, container)) }
    }
  }
}
