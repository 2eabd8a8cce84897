// SPDX-License-Identifier: GPL-2.0-or-later

extension ConformanceRule {
  /// Rules about the HDR10+ of every sample.
  static let hdr10Plus = [
    ConformanceRule(
      "hdr10PlusPresence", "HDR10+ in every frame", "HDR10+ System Whitepaper"
    ) {
      $0.samples.units.hdr10Plus.outcome(\.presenceOutcome)
    },
    ConformanceRule("hdr10PlusSyntax", "HDR10+ syntax", "SMPTE ST 2094-40, annex A") {
      $0.samples.units.hdr10Plus.outcome(\.syntaxOutcome)
    },
    ConformanceRule("hdr10PlusValues", "HDR10+ values", "SMPTE ST 2094-40") {
      $0.samples.units.hdr10Plus.outcome(\.valuesOutcome)
    },
  ]

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
