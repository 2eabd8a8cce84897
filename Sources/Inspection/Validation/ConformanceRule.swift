// SPDX-License-Identifier: GPL-2.0-or-later
/// One demand on a video track.
struct ConformanceRule: Sendable {
  /// The rule's name in JSON. It never changes.
  let id: String
  /// The rule's name, as text for people.
  let name: String
  /// The standard and clause that the rule comes from.
  let reference: String
  /// Checks a track against the rule.
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

  /// All rules, in the order of a report. JSON promises this order.
  static let all: [ConformanceRule] =
    container + layers + samples + parameterSets + color + ambientLight + mastering + dolbyVision
    + dolbyVisionRPUs + hdr10Plus + headroomAdaptiveGain + claims
}

/// The outcome of a rule, with its evidence as text.
enum RuleOutcome: Hashable, Sendable {
  case pass(String)
  case fail(String)
  /// Nothing is broken, but players might not show what was intended.
  case warning(String)
  case notApplicable(String)

  /// Combines the outcomes for several sample descriptions into the worst one.
  init(_ outcomes: [(number: Int, outcome: RuleOutcome)]) {
    let worst = outcomes.max { $0.outcome.weight < $1.outcome.weight }
    let equals = outcomes.filter { $0.outcome.weight == worst?.outcome.weight }
    // If all descriptions agree, as in nearly every file, their numbers would only be noise.
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

  /// What was found.
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

  /// Returns a failure that lists all faults, or a pass if there are none.
  static func faults(_ faults: [String], otherwise evidence: String) -> RuleOutcome {
    faults.isEmpty ? .pass(evidence) : .fail(faults.joined(separator: "; "))
  }

  /// Returns a warning that lists all doubts, or a pass if there are none.
  static func doubts(_ doubts: [String], otherwise evidence: String) -> RuleOutcome {
    doubts.isEmpty ? .pass(evidence) : .warning(doubts.joined(separator: "; "))
  }
}
