internal import CodePoints
internal import ISOBMFF
internal import NALUnits

extension ConformanceRule {
  /// The mastering display and the content's light levels.
  static let mastering = [
    ConformanceRule("masteringDisplay", "mastering display", "SMPTE ST 2086; H.265, D.3.28") {
      $0.masteringDisplayOutcome
    },
    ConformanceRule("mdcv", "mdcv against SEI 137", "ISO/IEC 14496-12, 12.1.7; H.265, D.3.28") {
      $0.places(\.masteringDisplay, $0.entry?.masteringDisplay, "mdcv")
    },
    ConformanceRule("contentLightLevel", "content light level", "CTA-861.3; H.265, D.3.35") {
      $0.contentLightLevelOutcome
    },
    ConformanceRule("clli", "clli against SEI 144", "ISO/IEC 14496-12, 12.1.6; H.265, D.3.35") {
      $0.places(\.contentLightLevel, $0.entry?.contentLightLevel, "clli")
    },
  ]
}

extension ValidatedTrack {
  fileprivate var masteringDisplayOutcome: RuleOutcome {
    guard let value = facts.hdrMetadata.masteringDisplay?.value else {
      return format == .hdr10
        ? .warning("none, which HDR10 should state") : .notApplicable("none, and none is needed")
    }
    let evidence = "\(value.minimumLuminance)…\(value.maximumLuminance) cd/m²"
    guard value.faults.isEmpty else { return .fail(value.faults.joined(separator: "; ")) }
    return .doubts(value.doubts, otherwise: evidence)
  }

  fileprivate var contentLightLevelOutcome: RuleOutcome {
    guard let value = facts.hdrMetadata.contentLightLevel?.value else {
      return format == .hdr10
        ? .warning("none, which HDR10 should state") : .notApplicable("none, and none is needed")
    }
    let (content, average) = (value.maxContentLightLevel, value.maxPicAverageLightLevel)
    let evidence = "MaxCLL \(content), MaxFALL \(average) cd/m²"
    // PQ ends there; 0 stands for unknown.
    if content > 10_000 { return .fail("\(evidence): PQ ends at 10000") }
    if content > 0 && average > content {
      return .fail("\(evidence): an average above its maximum")
    }
    return content == 0 || average == 0 ? .warning("\(evidence): 0 is unknown") : .pass(evidence)
  }

  /// Whether a box and the bitstream state the same.
  fileprivate func places<Value: Hashable>(
    _ property: KeyPath<SEIMessage, Value?>, _ box: Value?, _ name: String
  ) -> RuleOutcome {
    let stated = stated(property)
    if stated.count > 1 { return .fail("\(stated.count) different SEI messages") }
    guard track.box != nil else { return .notApplicable(noMovie) }
    switch (box, stated.first) {
    case (nil, nil): return .notApplicable("neither is there")
    case (nil, .some): return .warning("no \(name) box; players that look only there miss it")
    case (.some, nil): return .pass("the box alone")
    case (let box, let message):
      return box == message ? .pass("they agree") : .fail("they differ")
    }
  }
}
