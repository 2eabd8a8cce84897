/// One demand that a file's pictures are held against.
struct ConformanceRule: Sendable {
  /// What the rule is called in JSON; it never changes.
  let id: String
  /// What it is called for people.
  let name: String
  /// Where the demand is written down.
  let reference: String
  /// Whether it is met.
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
    container + samples + parameterSets + color + ambientLight + mastering + dolbyVision
    + dolbyVisionRPUs + claims
}

/// What came of a rule, with the evidence in a few words.
enum RuleOutcome: Sendable {
  case pass(String)
  case fail(String)
  /// Nothing is broken, but players may show something else than was meant.
  case warning(String)
  case notApplicable(String)

  /// A failure that names all faults, or a pass where there are none.
  static func faults(_ faults: [String], otherwise evidence: String) -> RuleOutcome {
    faults.isEmpty ? .pass(evidence) : .fail(faults.joined(separator: "; "))
  }

  /// A warning that names all doubts, or a pass where there are none.
  static func doubts(_ doubts: [String], otherwise evidence: String) -> RuleOutcome {
    doubts.isEmpty ? .pass(evidence) : .warning(doubts.joined(separator: "; "))
  }
}
