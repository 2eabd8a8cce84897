// SPDX-License-Identifier: GPL-2.0-or-later

extension ConformanceRule {
  /// Rules about the HDR10+ of every sample.
  static let hdr10Plus = [
    ConformanceRule(
      "hdr10PlusPresence", "HDR10+ in every frame", "HDR10+ System Whitepaper"
    ) {
      $0.ofHDR10Plus { $0.presenceOutcome }
    },
    ConformanceRule("hdr10PlusSyntax", "HDR10+ syntax", "SMPTE ST 2094-40, annex A") {
      $0.ofHDR10Plus { survey in
        survey.unreadable.text(of: survey.sampleCount).map { .fail("cannot be read in \($0)") }
          ?? .pass("all \(survey.present) can be read")
      }
    },
    ConformanceRule("hdr10PlusValues", "HDR10+ values", "SMPTE ST 2094-40") {
      $0.ofHDR10Plus { survey in
        survey.issues.text(of: survey.sampleCount).map { .fail($0) }
          ?? .pass("all \(survey.present)")
      }
    },
  ]
}

extension ValidatedTrack {
  fileprivate func ofHDR10Plus(_ check: (HDR10PlusSurvey) -> RuleOutcome) -> RuleOutcome {
    samples.units.hdr10Plus.present > 0
      ? check(samples.units.hdr10Plus) : .notApplicable("no HDR10+")
  }
}

extension HDR10PlusSurvey {
  fileprivate var presenceOutcome: RuleOutcome {
    // A player uses the values of the frame before, so nothing is broken.
    if let text = missing.text(of: sampleCount) { return .warning("none in \(text)") }
    if let text = several.text(of: sampleCount) { return .fail("more than one in \(text)") }
    return .pass("\(present) of \(sampleCount) frames")
  }
}
