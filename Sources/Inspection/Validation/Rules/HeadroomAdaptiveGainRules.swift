// SPDX-License-Identifier: GPL-2.0-or-later

extension ConformanceRule {
  /// Rules about the headroom-adaptive gain curves of every sample.
  static let headroomAdaptiveGain = [
    ConformanceRule(
      "st2094_50Presence", "ST 2094-50 in every frame", "SMPTE ST 2094-50"
    ) {
      $0.samples.units.headroomAdaptiveGain.outcome(\.presenceOutcome)
    },
    ConformanceRule("st2094_50Syntax", "ST 2094-50 syntax", "SMPTE ST 2094-50, annex C") {
      $0.samples.units.headroomAdaptiveGain.outcome(\.syntaxOutcome)
    },
    ConformanceRule("st2094_50Values", "ST 2094-50 values", "SMPTE ST 2094-50, 6 and C.3") {
      $0.samples.units.headroomAdaptiveGain.outcome(\.valuesOutcome)
    },
  ]
}
