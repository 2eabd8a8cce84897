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

extension MasteringDisplayColorVolume {
  /// What cannot be so: outside of these ranges a value is unknown (H.265, D.3.28), and green, blue
  /// and red stand in this order, which is told from the largest y and x.
  fileprivate var faults: [String] {
    var faults: [String] = []
    let points = displayPrimaries + [whitePoint]
    if points.contains(where: { !(5...37_000).contains($0.x) || !(5...42_000).contains($0.y) }) {
      faults.append("coordinates that no display has")
    } else if let order = permutation {
      faults.append("primaries are not in the order green, blue, red but \(order)")
    }
    if !(50_000...100_000_000).contains(maxDisplayMasteringLuminance) {
      faults.append("a peak of \(maximumLuminance) cd/m², and 5 to 10000 are possible")
    }
    if minDisplayMasteringLuminance > 50_000 {
      faults.append("a black of \(minimumLuminance) cd/m², and up to 5 are possible")
    }
    return faults
  }

  /// What is possible but hardly meant.
  fileprivate var doubts: [String] {
    var doubts: [String] = []
    if minDisplayMasteringLuminance == 0 { doubts.append("a black of 0 cd/m² is unknown") }
    if maximumLuminance < 100 {
      doubts.append("a peak of \(maximumLuminance) cd/m² is below SDR's")
    }
    return doubts
  }

  /// The primaries in the order in which they stand, if that is wrong.
  private var permutation: String? {
    let indices = displayPrimaries.indices
    guard let green = indices.max(by: { displayPrimaries[$0].y < displayPrimaries[$1].y }),
      let red = indices.max(by: { displayPrimaries[$0].x < displayPrimaries[$1].x }),
      (green, red) != (0, 2)
    else { return nil }
    return indices.map { $0 == green ? "green" : $0 == red ? "red" : "blue" }
      .joined(separator: ", ")
  }
}
