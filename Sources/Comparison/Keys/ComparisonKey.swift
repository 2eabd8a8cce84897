// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// Something that files declare or contain. Two files are compared by such keys.
package struct ComparisonKey: Hashable, Sendable {
  /// What it means if the output lacks the thing.
  enum Kind: Sendable {
    /// It is lost.
    case content
    /// One of several places states it. Another place may state it too, so nothing is lost.
    case place
    /// Only movie files have it, so other files cannot lose it.
    case ofMovies
  }

  /// A plan's notice that announces a loss.
  struct LossName: Hashable, Sendable {
    /// The notice's code.
    let code: Notice.Code
    /// The argument that must name the thing, or `nil` if the code suffices.
    let argument: String?

    init(_ code: Notice.Code, _ argument: String? = nil) {
      (self.code, self.argument) = (code, argument)
    }
  }

  /// The name in JSON. It never changes.
  package let code: String
  /// What the key stands for, in a few words for the documentation.
  package let meaning: String
  let kind: Kind
  /// The notices that announce its loss.
  let losses: [LossName]

  init(_ code: String, _ meaning: String, _ kind: Kind = .content, losses: [LossName] = []) {
    (self.code, self.meaning, self.kind, self.losses) = (code, meaning, kind, losses)
  }
}

extension ComparisonKey {
  /// The key's row in the documentation, without its code: what it means, what a lack means, and
  /// which notices announce it.
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

/// Something that one file declares or contains.
struct Fact: Sendable {
  let key: ComparisonKey
  /// Distinguishes facts with the same key, such as tags by name and RPUs by level.
  var name: String?
  /// The value as text. Equal things have equal values.
  let value: String
  /// How many there are, if there can be fewer.
  var amount: Int?
  /// Whether nothing is lost if the output lacks the fact.
  var mayLack = false
  /// How notices name it, if not by `name`.
  var subject: String?

  init(_ key: ComparisonKey, _ value: String, name: String? = nil, subject: String? = nil) {
    (self.key, self.value, self.name, self.subject) = (key, value, name, subject)
  }

  /// Creates a fact about a number of things. Returns `nil` if there are none.
  ///
  /// - Parameter value: the text to compare, or `nil` for the number itself.
  init?(
    _ key: ComparisonKey, count: Int, _ value: String? = nil, name: String? = nil,
    subject: String? = nil
  ) {
    guard count > 0 else { return nil }
    self.init(key, value ?? "\(count)", name: name, subject: subject)
    amount = count
  }

  /// Creates a fact about something optional. Returns `nil` if it is absent.
  init?(_ key: ComparisonKey, _ value: String?, name: String? = nil, subject: String? = nil) {
    guard let value else { return nil }
    self.init(key, value, name: name, subject: subject)
  }
}
