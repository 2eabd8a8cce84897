// SPDX-License-Identifier: GPL-2.0-or-later

/// Finding about one thing that a source or an output states or has.
package struct Finding: Sendable, Encodable {
  /// State of the thing in the output.
  package enum State: String, Sendable, Encodable {
    /// It is as it was.
    case kept
    /// It is another.
    case changed
    /// The output lacks it, or some of it.
    case lost
    /// The source lacks it.
    case new
  }

  /// The thing, by its key in the documentation.
  package let code: String
  /// Name among findings of one code; nil where the code has a single finding.
  package let name: String?
  /// State of the thing in the output.
  package let state: State
  /// Value in the source; nil for none.
  package let source: String?
  /// Value in the output; nil for none.
  package let output: String?
  /// The code of the plan's notice that named the loss; nil for none, and where nothing is lost.
  package let notice: String?

  /// True if something is lost that no plan has named.
  package var isUnnamedLoss: Bool { state == .lost && notice == nil }

  /// Compares what two files say.
  ///
  /// - Parameter areMovies: true if both are movie files.
  static func compare(
    _ source: [Fact], _ output: [Fact], areMovies: Bool, _ named: NamedLosses
  ) -> [Finding] {
    func isCounted(_ fact: Fact) -> Bool { areMovies || fact.key.kind != .ofMovies }
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
      if let other, other.value == fact.value {
        .kept
      } else if fact.key.kind == .place || fact.mayLack || other != nil && !isLess {
        .changed
      } else {
        .lost
      }
    self.init(
      fact, state, output: other?.value, notice: state == .lost ? named.code(naming: fact) : nil)
  }

  /// Finding about a fact.
  init(_ fact: Fact, _ state: State, output: String?, notice: String? = nil) {
    (code, name, source) = (fact.key.code, fact.name, fact.value)
    (self.state, self.output, self.notice) = (state, output, notice)
  }

  /// Finding about a fact of which the output has too little.
  init(lost fact: Fact, output: String, _ named: NamedLosses) {
    self.init(fact, .lost, output: output, notice: named.code(naming: fact))
  }

  /// The same where what is lost went elsewhere.
  var asChange: Finding {
    guard state == .lost else { return self }
    return Finding(
      code: code, name: name, state: .changed, source: source, output: output, notice: nil)
  }

  /// The same where all samples are what they were: under another range they mean other colors.
  func ofUnchangedSamples(_ named: NamedLosses) -> Finding {
    guard code == ComparisonKey.range.code, state == .changed, let source, let output else {
      return self
    }
    return Finding(lost: Fact(.range, source), output: output, named)
  }

  private init(
    code: String, name: String?, state: State, source: String?, output: String?, notice: String?
  ) {
    (self.code, self.name, self.state) = (code, name, state)
    (self.source, self.output, self.notice) = (source, output, notice)
  }

  /// A fact that the source lacks.
  init(new fact: Fact) {
    (code, name, source, output) = (fact.key.code, fact.name, nil, fact.value)
    (state, notice) = (.new, nil)
  }
}

extension [Finding] {
  /// Puts a finding in the place of the one about the same key, or at the end.
  mutating func replace(with finding: Finding) {
    guard let place = firstIndex(where: { $0.code == finding.code }) else {
      return append(finding)
    }
    self[place] = finding
  }
}
