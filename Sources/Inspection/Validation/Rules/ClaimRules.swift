// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import MediaCore
internal import NALUnits

extension ConformanceRule {
  /// Rules about whether the frames are what the file says they are.
  static let claims = [
    ConformanceRule("dolbyVisionClaim", "Dolby Vision claim", "Dolby Vision within ISOBMFF") {
      $0.dolbyVisionClaimOutcome
    },
    ConformanceRule("baseLayerClaim", "base layer claim", "Dolby Vision Profiles and Levels") {
      $0.baseLayerClaimOutcome
    },
    ConformanceRule("ambientClaim", "ambient light claim", "TN3145; BT.2100") {
      $0.ambientClaimOutcome
    },
    ConformanceRule("masteringClaim", "mastering claim", "SMPTE ST 2086; CTA-861.3") {
      $0.masteringClaimOutcome
    },
    ConformanceRule(
      "hdr10PlusClaim", "HDR10+ claim", "SMPTE ST 2094-40; HDR10+ System Whitepaper"
    ) {
      $0.hdr10PlusClaimOutcome
    },
    ConformanceRule(
      "preferredTransferClaim", "\(StatementPlace.preferredTransfer) claim", "H.265, D.3.38"
    ) {
      $0.preferredTransferClaimOutcome
    },
  ]
}

extension ValidatedTrack {
  fileprivate var dolbyVisionClaimOutcome: RuleOutcome {
    let rpus = samples.rpus
    guard format.isDolbyVision || rpus.present > 0 else { return .notApplicable("none is claimed") }
    guard rpus.accessUnits > 0 else {
      return .notApplicable("not checked for this codec")
    }
    if dolbyVision?.hasRPU == true && rpus.present == 0 {
      return .fail("a record, but no RPUs")
    }
    // An elementary stream has no place for a record, so RPUs alone are fine.
    if dolbyVision == nil && entry != nil { return .fail("RPUs, but no record") }
    // Matroska has a place for a record, but older programs do not write one.
    if dolbyVision == nil, asset.isOfKind(.mkv) { return .warning("RPUs, but no record") }
    if dolbyVision?.hasRPU == false && rpus.present > 0 {
      return .fail("RPUs, but the record says that there are none")
    }
    return .pass(entry == nil ? "RPUs" : "a record and RPUs")
  }

  fileprivate var baseLayerClaimOutcome: RuleOutcome {
    guard case .dolbyVision(let profile, let compatibility?) = format, [8, 10].contains(profile)
    else { return .notApplicable("none is claimed") }
    // The compatibility ID promises what players without Dolby Vision see: 1 is PQ, 2 is SDR, 4 is
    // HLG.
    let evidence = "compatibility \(compatibility), transfer function \(transfer)"
    let promised = DataMapping.BaseLayerSignal(rawValue: compatibility)
    return promised?.permits(transfer) == false ? .fail(evidence) : .pass(evidence)
  }

  fileprivate var ambientClaimOutcome: RuleOutcome {
    let kind = AmbientViewingEnvironment.self
    let isStated = [entry?.staticHDRMetadata[kind] != nil, !stated(kind).isEmpty]
    let places: [StatementPlace] = zip([.box(kind.box), .message(kind.payloadType)], isStated)
      .filter(\.1).map(\.0)
    guard !places.isEmpty else { return .notApplicable("none is stated") }
    let evidence = "\(places.list), transfer function \(transfer)"
    // No standard forbids an ambient viewing environment with PQ, but PQ is absolute, so nothing
    // would use it. With SDR it has no meaning.
    if transfer == .pq { return .warning("\(evidence); PQ does not depend on the surroundings") }
    return transfer == .hlg ? .pass(evidence) : .fail(evidence)
  }

  fileprivate var masteringClaimOutcome: RuleOutcome {
    // HLG may have the same metadata as PQ, so this rule accepts the metadata with both.
    let places = StaticHDRMetadata.kinds.filter { $0.transferFunctions.contains(.pq) }
      .flatMap { metadata.places(of: $0) }
    // What the decoder reports comes from one of the other places.
    let stated = places.filter { $0 != .decoder }
    guard !stated.isEmpty else { return .notApplicable("none is stated") }
    let evidence = "\(stated.list), transfer function \(transfer)"
    return transfer.isHDR ? .pass(evidence) : .fail(evidence)
  }

  fileprivate var hdr10PlusClaimOutcome: RuleOutcome {
    guard let found = samples.units.metadata[HDR10Plus.key]?.text(of: samples.count) else {
      return .notApplicable("none")
    }
    let evidence = "in \(found), transfer function \(transfer)"
    // HDR10+ maps absolute luminance, so it makes sense only with PQ.
    return transfer == .pq ? .pass(evidence) : .fail(evidence)
  }

  fileprivate var preferredTransferClaimOutcome: RuleOutcome {
    let stated = stated(\.preferredTransferCharacteristics)
    guard !stated.isEmpty else { return .notApplicable("none") }
    let evidence = stated.map(\.description).joined(separator: ", ")
    let others = description.claims.filter { [.container, .bitstream].contains($0.source) }
      .map(\.signal.color.transferCharacteristics).filter(\.isSpecified)
    // A receiver that does not know HLG uses the transfer function in the VUI instead: BT.2020 or
    // BT.709, which are the same curve. SEI 147 was made for this purpose.
    let fallbacks: [TransferCharacteristics] =
      stated == [.hlg] ? [.bt709, .bt2020TenBit, .bt2020TwelveBit] : []
    let contradicting = others.first { stated != [$0] && !fallbacks.contains($0) }
    return contradicting.map { .fail("\(evidence), but elsewhere \($0)") } ?? .pass(evidence)
  }
}

extension HDRMetadata {
  /// Returns the places that state the value used by Candela.
  fileprivate func places<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> [StatementPlace] {
    self[kind]?.places ?? []
  }
}

extension [StatementPlace] {
  /// The places as text.
  fileprivate var list: String { map(\.description).joined(separator: ", ") }
}
