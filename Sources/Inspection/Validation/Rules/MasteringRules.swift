// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF

extension ConformanceRule {
  /// Rules about static HDR metadata. The ambient viewing environment has its own rules.
  static let mastering = StaticHDRMetadata.kinds
    .filter { $0 != AmbientViewingEnvironment.self }.flatMap { rules(of: $0) }

  private static func rules<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> [ConformanceRule] {
    [
      ConformanceRule(Kind.key, Kind.name, Kind.standardsOfValue) { $0.values(of: kind) },
      ConformanceRule(
        "\(Kind.box)", "\(Kind.box) against the samples", Kind.standardsOfPlaces
      ) { $0.places(of: kind) },
    ]
  }
}

extension ValidatedTrack {
  /// Checks that all declared values make sense.
  fileprivate func values<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> RuleOutcome {
    let first = metadata[kind]?.values ?? []
    let values = first + stated(kind).filter { !first.contains($0) }
    guard !values.isEmpty else {
      let unreadable = unreadable(kind)
      guard unreadable.isEmpty else { return .fail(unreadable.joined(separator: "; ")) }
      // Static metadata is optional for PQ, but HDR10 as an industry format includes it.
      return format == .hdr10 && Kind.isPartOfHDR10
        ? .warning("none; HDR10 should state it") : .notApplicable("none, and none is needed")
    }
    let evidence = values.map(\.text).joined(separator: " / ")
    let found = values.flatMap(\.faults).map(\.text)
    if !found.isEmpty { return .fail("\(evidence): \(found.joined(separator: "; "))") }
    let hardlyMeant = values.flatMap(\.doubts).map(\.text)
    return hardlyMeant.isEmpty
      ? .pass(evidence) : .warning("\(evidence): \(hardlyMeant.joined(separator: "; "))")
  }

  /// Checks that the box and the bitstream agree.
  fileprivate func places<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> RuleOutcome {
    let stated = stated(kind)
    let box = entry?.staticHDRMetadata[kind]
    var faults = boxFaults(kind)
    let changes = stated.count > 1 ? "\(stated.count) different messages" : nil
    if let changes, !Kind.mayChange { faults.append(changes) }
    // Some kinds may change during the video. Then the box can match only one of the messages.
    if let box, let message = stated.first, box != message, changes == nil || !Kind.mayChange {
      faults.append("box and message differ")
    }
    guard faults.isEmpty else { return .fail(faults.joined(separator: "; ")) }
    guard track.box != nil else { return .notApplicable(noMovie) }
    switch (box, stated.first) {
    case (nil, nil): return .notApplicable("neither the box nor the message exists")
    case (nil, .some): return .warning("no \(Kind.box) box for players that read only boxes")
    case (.some, nil): return .pass("only the box exists")
    case (.some, .some): return .pass(changes ?? "they agree")
    }
  }
}
