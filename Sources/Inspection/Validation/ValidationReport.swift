// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host

/// A verdict on a file's video, rule by rule: it should be the Dolby Vision, HLG, HDR10 or SDR that
/// it claims to be, and claim nothing else.
///
/// Encoded, the keys are the properties' names.
public struct ValidationReport: Sendable, Encodable {
  /// The path of the file.
  public let path: String
  /// The format that the file claims to have: `Dolby Vision 8.4`, `HLG`, `HDR10`, `SDR`.
  public let format: String
  /// True if no rule failed.
  public let conforms: Bool
  /// The results of all rules, always in the same order.
  public let rules: [RuleReport]

  /// The result of a rule.
  public struct RuleReport: Sendable, Encodable {
    /// The rule, by a name that never changes: `dolbyVisionLevel`.
    public let rule: String
    /// The rule for people.
    public let name: String
    /// The outcome.
    public let outcome: Outcome
    /// The finding, for people.
    public let evidence: String
    /// The standard and its clause.
    public let reference: String
  }

  /// The outcome of a rule.
  public enum Outcome: String, Sendable, Encodable {
    /// The file is as demanded.
    case pass
    /// It is not.
    case fail
    /// No demand is broken, but players may show something else than was meant.
    case warning
    /// The rule is not about files like this.
    case notApplicable
  }

  /// Reads all samples of a file's first video track and holds it against all rules.
  ///
  /// - Throws: ``TranscodingError``: `noInput` where there is no such file, `unusableInput` where
  ///   it is not a media file, holds no video, or none that can be decoded.
  public static func make(path: String) async throws -> ValidationReport {
    try await Pipeline.onThread("validate") { checkpoint in
      do {
        let asset = try MediaAsset(opening: path)
        return try asset.version.unchanged {
          ValidationReport(try ValidatedTrack(asset, checkpoint: checkpoint))
        }
      } catch {
        throw TranscodingError.meaning(of: error, input: path)
      }
    }
  }

  init(_ track: ValidatedTrack) {
    path = track.asset.path
    format = "\(track.format)"
    let described = track.described
    rules = ConformanceRule.all.map { rule in
      RuleReport(rule, RuleOutcome(described.map { ($0.number, rule.check($0.track)) }))
    }
    conforms = !rules.contains { $0.outcome == .fail }
  }

  /// The report for people to read: a line for each rule.
  public var text: String { text(of: rules) }

  /// The report for people to read, with what failed or is doubtful alone.
  package var shortText: String {
    text(of: rules.filter { $0.outcome == .fail || $0.outcome == .warning })
  }

  private func text(of shown: [RuleReport]) -> String {
    func count(_ outcome: Outcome) -> Int { rules.count { $0.outcome == outcome } }
    let (failures, warnings) = (count(.fail), count(.warning))
    var verdict = conforms ? "conforms" : failures == 1 ? "1 FAILURE" : "\(failures) FAILURES"
    if warnings > 0 { verdict += warnings == 1 ? ", 1 warning" : ", \(warnings) warnings" }
    let width = shown.map(\.name.count).max() ?? 0
    return (["\(path): \(format): \(verdict)"] + shown.map { $0.line(width: width) })
      .joined(separator: "\n")
  }
}

extension ValidationReport.RuleReport {
  init(_ rule: ConformanceRule, _ outcome: RuleOutcome) {
    self.rule = rule.id
    name = rule.name
    reference = rule.reference
    evidence = outcome.evidence
    self.outcome =
      switch outcome {
      case .pass: .pass
      case .fail: .fail
      case .warning: .warning
      case .notApplicable: .notApplicable
      }
  }

  fileprivate func line(width: Int) -> String {
    let sign =
      switch outcome {
      case .pass: "pass"
      case .fail: "FAIL"
      case .warning: "warn"
      case .notApplicable: "–   "
      }
    let gap = String(repeating: " ", count: width - name.count)
    return "  \(sign)  \(name)\(gap)  \(evidence)"
  }
}
