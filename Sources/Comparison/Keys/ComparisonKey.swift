// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// A thing that files say or have, by which two of them are compared.
package struct ComparisonKey: Hashable, Sendable {
  /// Meaning of the lack of a thing.
  enum Kind: Sendable {
    /// It is lost.
    case content
    /// One place of several says it: another may, so that nothing is lost.
    case place
    /// Only movie files have it: of others it says nothing.
    case ofMovies
  }

  /// A notice of a plan that names a loss.
  struct LossName: Hashable, Sendable {
    /// The notice's code.
    let code: Notice.Code
    /// The argument that has to have the thing among its values; nil where the code is enough.
    let argument: String?

    init(_ code: Notice.Code, _ argument: String? = nil) {
      (self.code, self.argument) = (code, argument)
    }
  }

  /// The name as JSON has it, which never changes.
  package let code: String
  /// The thing, in a few words for the documentation.
  package let meaning: String
  let kind: Kind
  /// The notices that name its loss.
  let losses: [LossName]

  init(_ code: String, _ meaning: String, _ kind: Kind = .content, losses: [LossName] = []) {
    (self.code, self.meaning, self.kind, self.losses) = (code, meaning, kind, losses)
  }
}

extension ComparisonKey {
  /// The key's row of the documentation, behind its code: its meaning, the meaning of its lack, and
  /// the notices that name its loss.
  package var row: String {
    let lack =
      switch kind {
      case .content: "lost"
      case .place: "changed"
      case .ofMovies: "lost, of movies"
      }
    let names = losses.map { loss in
      "`\(loss.code)`" + (loss.argument.map { " (`\($0)`)" } ?? "")
    }
    return "\(meaning) | \(lack) |"
      + (names.isEmpty ? "" : " " + names.joined(separator: ", "))
  }
}

/// A thing that one file says or has.
struct Fact: Sendable {
  let key: ComparisonKey
  /// Name among things of one key: the name of a statement, the level of an RPU; nil for a single
  /// thing.
  var name: String?
  /// Value, for people: the same for equal things.
  let value: String
  /// Amount, where there can be less; nil elsewhere.
  var amount: Int?
  /// True if nothing is lost where the output lacks it.
  var mayLack = false
  /// Name in the arguments of notices; nil where it is `name`.
  var subject: String?

  init(_ key: ComparisonKey, _ value: String, name: String? = nil, subject: String? = nil) {
    (self.key, self.value, self.name, self.subject) = (key, value, name, subject)
  }

  /// Number of things; nil for none.
  ///
  /// - Parameter value: Text that is compared; nil for the number.
  init?(
    _ key: ComparisonKey, count: Int, _ value: String? = nil, name: String? = nil,
    subject: String? = nil
  ) {
    guard count > 0 else { return nil }
    self.init(key, value ?? "\(count)", name: name, subject: subject)
    amount = count
  }

  /// A thing that may not be there.
  init?(_ key: ComparisonKey, _ value: String?, name: String? = nil, subject: String? = nil) {
    guard let value else { return nil }
    self.init(key, value, name: name, subject: subject)
  }
}
