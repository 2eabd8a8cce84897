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
}
