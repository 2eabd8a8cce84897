// SPDX-License-Identifier: GPL-2.0-or-later
internal import Inspection

extension ValidationReport {
  /// The report as text: a line for each rule.
  var text: String { text(of: rules) }

  /// The report as text, with failures and warnings only.
  var shortText: String {
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
