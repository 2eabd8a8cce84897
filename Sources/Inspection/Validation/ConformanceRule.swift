// SPDX-License-Identifier: GPL-2.0-or-later
/// One demand that a file's frames are held against.
struct ConformanceRule: Sendable {
  /// Name of the rule in JSON; it never changes.
  let id: String
  /// The name for people.
  let name: String
  /// Standard and clause that demand it.
  let reference: String
  /// Check of a track against the rule.
  let check: @Sendable (ValidatedTrack) -> RuleOutcome

  init(
    _ id: String, _ name: String, _ reference: String,
    check: @escaping @Sendable (ValidatedTrack) -> RuleOutcome
  ) {
    self.id = id
    self.name = name
    self.reference = reference
    self.check = check
  }

  /// All rules, in the order of a report.
  static let all: [ConformanceRule] =
    container + layers + samples + parameterSets + color + ambientLight + mastering + dolbyVision
    + dolbyVisionRPUs + claims
}

/// The outcome of a rule, with its evidence for people.
enum RuleOutcome: Hashable, Sendable {
  case pass(String)
  case fail(String)
  /// Nothing is broken, but players may show something else than was meant.
  case warning(String)
  case notApplicable(String)

  /// Outcome of a rule for several sample descriptions: the worst of theirs.
  init(_ outcomes: [(number: Int, outcome: RuleOutcome)]) {
    let worst = outcomes.max { $0.outcome.weight < $1.outcome.weight }
    let equals = outcomes.filter { $0.outcome.weight == worst?.outcome.weight }
    guard let worst, Set(outcomes.map(\.outcome)).count > 1 else {
      self = outcomes.first?.outcome ?? .notApplicable("no sample description")
      return
    }
    let evidence = equals.map { "sample description \($0.number): \($0.outcome.evidence)" }
      .joined(separator: "; ")
    self =
      switch worst.outcome {
      case .pass: .pass(evidence)
      case .fail: .fail(evidence)
      case .warning: .warning(evidence)
      case .notApplicable: .notApplicable(evidence)
      }
  }

  /// Evidence that was found.
  var evidence: String {
    switch self {
    case .pass(let evidence), .fail(let evidence), .warning(let evidence),
      .notApplicable(let evidence):
      evidence
    }
  }

  private var weight: Int {
    switch self {
    case .notApplicable: 0
    case .pass: 1
    case .warning: 2
    case .fail: 3
    }
  }

  /// A failure that names all faults, or a pass where there are none.
  static func faults(_ faults: [String], otherwise evidence: String) -> RuleOutcome {
    faults.isEmpty ? .pass(evidence) : .fail(faults.joined(separator: "; "))
  }

  /// A warning that names all doubts, or a pass where there are none.
  static func doubts(_ doubts: [String], otherwise evidence: String) -> RuleOutcome {
    doubts.isEmpty ? .pass(evidence) : .warning(doubts.joined(separator: "; "))
  }
}
