// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host

/// A verdict on a file's video, rule by rule. The video should be the Dolby Vision, HLG, HDR10 or
/// SDR that it claims to be, and should not claim anything that is untrue.
///
/// In JSON, the keys are the properties' names.
public struct ValidationReport: Sendable, Encodable {
  /// The path of the file that was checked.
  public let path: String
  /// The format that the file claims, such as `Dolby Vision 8.4`, `HLG`, `HDR10` or `SDR`.
  public let format: String
  /// Whether no rule failed. Warnings do not count.
  public let conforms: Bool
  /// The results of all rules, always in the same order.
  public let rules: [RuleReport]

  /// The result of one rule.
  public struct RuleReport: Sendable, Encodable {
    /// The rule's name in JSON, such as `dolbyVisionLevel`. It never changes.
    public let rule: String
    /// The rule's name, as text for people.
    public let name: String
    /// Whether the rule passed, failed, gave a warning or does not apply.
    public let outcome: Outcome
    /// What was found, as text.
    public let evidence: String
    /// The standard and clause that the rule comes from.
    public let reference: String
  }

  /// How a rule turned out.
  public enum Outcome: String, Sendable, Encodable {
    /// The file follows the rule.
    case pass
    /// The file breaks the rule.
    case fail
    /// No rule is broken, but players might not show what was intended.
    case warning
    /// The rule does not apply to files like this.
    case notApplicable
  }

  /// Reads all samples of a file's first video track and checks them against all rules.
  ///
  /// - Throws: ``TranscodingError``: `noInput` if the file does not exist or its permissions forbid
  ///   reading it, `unusableInput` if it is not a media file or has no video that can be decoded.
  public static func make(path: String) async throws -> ValidationReport {
    try await Pipeline.onThread("validate") { checkpoint in
      do {
        let asset = try MediaAsset(opening: path)
        // Validation reads the file more than once. If somebody changed it meanwhile, its parts
        // would seem to contradict each other.
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
}
