// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorScience
internal import ColorTagging
internal import ISOBMFF
internal import NALUnits

extension ConformanceRule {
  /// Rules about the colors and the range that the box and the bitstream declare.
  static let color = [
    ConformanceRule("colr", "colr", "TN3145; ISO/IEC 14496-12, 12.1.5") { $0.colorBoxOutcome },
    ConformanceRule("vui", "VUI", "H.265, E.3.1; BT.2100") { $0.bitstreamColorOutcome },
    ConformanceRule("codePoints", "valid code points", "H.273, 8; ISO/IEC 14496-12, 12.1.5") {
      $0.codePointOutcome
    },
    ConformanceRule("tagsAgree", "colors agree", "ISO/IEC 14496-12, 12.1.5.1") {
      $0.agreementOutcome
    },
    ConformanceRule("range", "range", "BT.2100") { $0.rangeOutcome },
  ]
}

extension ValidatedTrack {
  fileprivate var colorBoxOutcome: RuleOutcome {
    guard let entry else { return .notApplicable(noMovie) }
    let boxes = entry.colorInformation
    guard let signal = entry.signals.first else {
      if format == .dolbyVision84 { return .fail("none; expected 9/18/9") }
      return format.color == nil
        ? .notApplicable("none, and none is needed")
        // The VUI alone is allowed, but players that read only the container then show HLG and PQ
        // as SDR.
        : .warning("none; players that read only this box treat the video as SDR")
    }
    let evidence = boxes.map(\.description).joined(separator: ", ")
    guard let wanted = format.color else { return .pass(evidence) }
    guard format.permits(signal.color) else {
      return .fail("\(evidence); expected \(wanted.triple)")
    }
    return .pass(evidence)
  }

  fileprivate var bitstreamColorOutcome: RuleOutcome {
    guard let bitstream else {
      return .notApplicable("not read for this codec")
    }
    let color = bitstream.signal.color
    let preferred = bitstream.preferredTransferCharacteristics
    let evidence =
      color.triple
      + (preferred.map { ", \(StatementPlace.preferredTransfer): \($0.rawValue)" } ?? "")
    guard let wanted = format.color else {
      return color.isUnspecified
        ? .notApplicable("no colors, and none are needed") : .pass(evidence)
    }
    if color.isUnspecified { return .warning("no colors; expected \(wanted.triple)") }
    var meant = color
    // Transfer function 14 with a preference for HLG means HLG, too (H.265, E.3.1 and D.3.38). DVB
    // uses this combination.
    if preferred == .hlg && color.transferCharacteristics == .bt2020TenBit {
      meant.transferCharacteristics = .hlg
    }
    return format.permits(meant)
      ? .pass(evidence) : .fail("\(evidence); expected \(wanted.triple)")
  }

  /// Finds reserved numbers, the identity matrix for Y'CbCr, and truncated boxes.
  fileprivate var codePointOutcome: RuleOutcome {
    let faults = ((entry?.colorBoxFaults ?? []) + tags.faults).map(\.text)
    let isStated = !tags.evidence.isEmpty
    guard isStated || !faults.isEmpty else { return .notApplicable("none is stated") }
    return .faults(faults, otherwise: "all valid")
  }

  fileprivate var agreementOutcome: RuleOutcome {
    let conflicts = tags.conflicts.map { conflict in
      "\(conflict.field.rawValue): \(conflict.winningStatement) in the \(conflict.winner.rawValue)"
        + ", \(conflict.losingStatement) in the \(conflict.loser.rawValue)"
    }
    let sources = description.claims.filter {
      $0.source != .decoder && !$0.signal.color.isUnspecified
    }
    let names = sources.map(\.source.rawValue).joined(separator: ", ")
    if sources.isEmpty { return .notApplicable("no colors are stated") }
    let resolved = tags.signal.color
    let isSame =
      tags.conflicts.allSatisfy { ![.range, .chromaLocation].contains($0.field) }
      && sources.allSatisfy { $0.signal.color.meansTheSame(as: resolved) }
    // Different numbers can mean the same: transfer functions 1, 6, 14 and 15 are one curve, and
    // matrices 5 and 6 are one matrix. For the viewer, that is not a conflict.
    return isSame
      ? .doubts(conflicts.map { "\($0), but both mean the same thing" }, otherwise: names)
      : .faults(conflicts, otherwise: names)
  }

  fileprivate var rangeOutcome: RuleOutcome {
    guard let isFull = tags.signal.videoFullRangeFlag else {
      // An absent `video_full_range_flag` is inferred to be 0 (H.265, E.3.1).
      return .pass("unstated, which means limited")
    }
    guard isFull else { return .pass("limited") }
    switch format {
    case .dolbyVision84: return .fail("full; expected limited")
    case .hlg, .hdr10: return .warning("full, which few HDR players expect")
    case .sdr, .dolbyVision: return .pass("full")
    }
  }
}
