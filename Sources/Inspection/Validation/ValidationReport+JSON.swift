// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

extension ValidationReport: JSONObject {
  package static let meaning = "Whether a file is what it claims to be, rule by rule."
  package static let fields: [JSONField<ValidationReport>] = [
    .init("path", "The path of the file that was checked.") { $0.path },
    .init("format", "What the file claims to be, such as Dolby Vision 8.4, HLG, HDR10 or SDR.") {
      $0.format
    },
    .init("conforms", "True if no rule failed. Warnings do not count.") { $0.conforms },
    .init("rules", "The results of all rules, always in the same order.") { $0.rules },
  ]
}

extension ValidationReport.RuleReport: JSONObject {
  package static let fields: [JSONField<ValidationReport.RuleReport>] = [
    .init(
      "rule", "The rule, by a name that never changes.",
      JSONSchema(.words(ConformanceRule.all.map(\.id)))
    ) { $0.rule },
    .init("name", "The rule's name, for display.") { $0.name },
    .init("outcome", "Whether the rule passed, failed, gave a warning or did not apply.") {
      $0.outcome
    },
    .init("evidence", "What was found, in words.") { $0.evidence },
    .init("reference", "The standard and clause that the rule comes from.") { $0.reference },
  ]
}

extension ValidationReport.Outcome: JSONDescribed {
  package static let schema = JSONSchema(
    .words([Self.pass, fail, warning, notApplicable].map(\.rawValue)))
}
