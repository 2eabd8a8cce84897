internal import Assets
internal import Bitstreams
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
      $0.places(\.masteringDisplay, $0.entry?.masteringDisplay, "mdcv", size: 24)
    },
    ConformanceRule("contentLightLevel", "content light level", "CTA-861.3; H.265, D.3.35") {
      $0.contentLightLevelOutcome
    },
    ConformanceRule("clli", "clli against SEI 144", "ISO/IEC 14496-12, 12.1.6; H.265, D.3.35") {
      $0.places(\.contentLightLevel, $0.entry?.contentLightLevel, "clli", size: 4)
    },
  ]
}

extension ValidatedTrack {
  fileprivate var masteringDisplayOutcome: RuleOutcome {
    values(metadata.masteringDisplay, \.masteringDisplay, doubts: \.doubts)
  }

  fileprivate var contentLightLevelOutcome: RuleOutcome {
    values(metadata.contentLightLevel, \.contentLightLevel, doubts: \.doubts)
  }

  /// Whether everything that any place states makes sense.
  private func values<Value: StatedMetadata>(
    _ finding: HDRMetadata.Finding<Value>?, _ property: KeyPath<SEIMessage, Value?>,
    doubts: (Value) -> [String]
  ) -> RuleOutcome {
    let first = finding?.values ?? []
    let values = first + stated(property).filter { !first.contains($0) }
    guard !values.isEmpty else {
      return format == .hdr10
        ? .warning("none, which HDR10 should state") : .notApplicable("none, and none is needed")
    }
    let evidence = values.map(\.text).joined(separator: " / ")
    let found = values.flatMap(\.faults)
    if !found.isEmpty { return .fail("\(evidence): \(found.joined(separator: "; "))") }
    let hardlyMeant = values.flatMap(doubts)
    return hardlyMeant.isEmpty
      ? .pass(evidence) : .warning("\(evidence): \(hardlyMeant.joined(separator: "; "))")
  }

  /// Whether a box and the bitstream state the same.
  fileprivate func places<Value: Hashable>(
    _ property: KeyPath<SEIMessage, Value?>, _ box: Value?, _ type: FourCC, size: Int
  ) -> RuleOutcome {
    let stated = stated(property)
    var faults = boxFaults(type, size: size)
    if stated.count > 1 { faults.append("\(stated.count) different SEI messages") }
    if let box, let message = stated.first, box != message { faults.append("they differ") }
    guard faults.isEmpty else { return .fail(faults.joined(separator: "; ")) }
    guard track.box != nil else { return .notApplicable(noMovie) }
    switch (box, stated.first) {
    case (nil, nil): return .notApplicable("neither is there")
    case (nil, .some): return .warning("no \(type) box; players that look only there miss it")
    case (.some, nil): return .pass("the box alone")
    case (.some, .some): return .pass("they agree")
    }
  }
}
