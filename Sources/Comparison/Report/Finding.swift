// SPDX-License-Identifier: GPL-2.0-or-later

package import Assets
package import CodePoints

/// A finding about one thing that a source or an output declares or contains.
package struct Finding: Sendable {
  /// What became of the thing in the output.
  package enum State: String, Sendable, CaseIterable {
    /// It is the same as in the source.
    case kept
    /// It is different in the output.
    case changed
    /// The output lacks it, or a part of it.
    case lost
    /// Only the output has it.
    case new
  }

  /// The key of the thing. The guide Comparing lists all keys.
  package let code: String
  /// Distinguishes findings with the same code.
  package let name: String?
  /// What became of the thing.
  package let state: State
  /// The value in the source, if it has one.
  package let source: Value?
  /// The value in the output, if it has one.
  package let output: Value?
  /// The code of the plan's notice that announced the loss.
  package let notice: String?

  /// A value, as data and as text for reports.
  package struct Value: Sendable, JSONDescribed {
    package let data: Fact.Value
    package let text: String

    init(_ fact: Fact) { (data, text) = (fact.value, fact.text) }
    init(_ text: String) { (data, self.text) = (text, text) }

    package static let schema = JSONSchema(.anything)

    package func encode(to encoder: any Encoder) throws { try data.encode(to: encoder) }
  }

  /// Whether it is a loss that no plan announced.
  package var isUnnamedLoss: Bool { state == .lost && notice == nil }

  /// Compares the facts about two files, or about a source track and its output track.
  ///
  /// - Parameter areMovies: whether both are movie files. If not, facts that only movies state are
  ///   left out.
  static func compare(
    _ source: [Fact], _ output: [Fact], areMovies: Bool, _ named: NamedLosses
  ) -> [Finding] {
    func isCounted(_ fact: Fact) -> Bool { areMovies || fact.key.comparison != .ofMovies }
    func matches(_ one: Fact, _ other: Fact) -> Bool {
      one.key == other.key && one.name == other.name
    }
    let (source, output) = (source.filter(isCounted), output.filter(isCounted))
    let old = source.map { fact in
      Finding(fact, output.first { matches($0, fact) }, named)
    }
    let new = output.filter { fact in !source.contains { matches($0, fact) } }
    return old + new.map { Finding(new: $0) }
  }

  init(_ fact: Fact, _ other: Fact?, _ named: NamedLosses) {
    let isLess = fact.amount.flatMap { amount in other?.amount.map { $0 < amount } } ?? false
    let state: State =
      if let other, other.text == fact.text {
        .kept
      } else if fact.key.comparison == .place || fact.mayLack || other != nil && !isLess {
        .changed
      } else {
        .lost
      }
    self.init(
      fact, state, output: other.map { Value($0) },
      notice: state == .lost ? named.code(naming: fact) : nil)
  }

  /// Creates a finding about a fact.
  init(_ fact: Fact, _ state: State, output: Value?, notice: String? = nil) {
    (code, name, source) = (fact.key.code, fact.name, Value(fact))
    (self.state, self.output, self.notice) = (state, output, notice)
  }

  /// Creates a finding about a fact that is lost, at least in part.
  init(lost fact: Fact, output: Value, _ named: NamedLosses) {
    self.init(fact, .lost, output: output, notice: named.code(naming: fact))
  }

  /// The finding for a fact that only seems lost: a loss becomes a change.
  var asChange: Finding {
    guard state == .lost else { return self }
    return Finding(
      code: code, name: name, state: .changed, source: source, output: output, notice: nil)
  }

  /// Returns the finding to use if all samples of the frames are unchanged. A changed range is then
  /// a loss, because it changes the colors.
  func ofUnchangedSamples(_ named: NamedLosses) -> Finding {
    guard code == FactKey.range.code, state == .changed, let source, let output else {
      return self
    }
    return Finding(lost: Fact(.range, source.data), output: output, named)
  }

  private init(
    code: String, name: String?, state: State, source: Value?, output: Value?, notice: String?
  ) {
    (self.code, self.name, self.state) = (code, name, state)
    (self.source, self.output, self.notice) = (source, output, notice)
  }

  /// Creates a finding about a fact that only the output has.
  init(new fact: Fact) {
    (code, name, source, output) = (fact.key.code, fact.name, nil, Value(fact))
    (state, notice) = (.new, nil)
  }
}

extension [Finding] {
  /// Replaces the finding with the same key, or appends the new one.
  mutating func replace(with finding: Finding) {
    guard let place = firstIndex(where: { $0.code == finding.code }) else {
      return append(finding)
    }
    self[place] = finding
  }
}
