// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

extension ConformanceRule {
  /// Rules about parameter sets, in the configuration record and in samples.
  static let parameterSets = [
    ConformanceRule("profile", "profile and depth", "TN3145; BT.2100; H.265, A.3") {
      $0.profileOutcome
    },
    ConformanceRule(
      "configurationRecord", "configuration fields", "ISO/IEC 14496-15, 8.3.3.1; AV1 ISOBMFF, 2.3"
    ) {
      $0.configurationRecordOutcome
    },
    ConformanceRule("arrayCompleteness", "hvcC arrays", "ISO/IEC 14496-15, 8.4.1.1.1") {
      $0.arrayCompletenessOutcome
    },
    ConformanceRule(
      "parameterSets", "parameter sets in samples", "ISO/IEC 14496-15, 5.4.2.1 and 8.4.1.1"
    ) { $0.parameterSetsOutcome },
  ]
}

extension ValidatedTrack {
  fileprivate var profileOutcome: RuleOutcome {
    let depth = bitstream?.bitDepth ?? facts.format.bitDepth
    let sampling = facts.format.chromaSubsampling.rawValue
    guard let bitstream else {
      let evidence = "\(track.demuxed.codec.codecName), \(depth) bit \(sampling)"
      // BT.2100 defines HLG and PQ for 10 and 12 bits only.
      return format.isHDR && depth < 10 ? .fail("\(evidence); expected 10 bits") : .pass(evidence)
    }
    let evidence =
      "\(bitstream.codec?.name ?? bitstream.codecName) \(bitstream.profileName), "
      + (bitstream.levelName.map { "level \($0), " } ?? "") + "\(depth) bit \(sampling)"
    if format == .dolbyVision84 {
      return bitstream.isMain10 && depth == 10
        ? .pass(evidence) : .fail("\(evidence); expected HEVC Main 10")
    }
    return format.isHDR && depth < 10 ? .fail("\(evidence); expected 10 bits") : .pass(evidence)
  }

  fileprivate var configurationRecordOutcome: RuleOutcome {
    if let faults = description.configurationFaults {
      return .faults(faults, otherwise: "the same as in the sequence header")
    }
    guard let codec = bitstream?.codec, codec.configurationStatesCompleteness,
      let set = bitstream?.parameterSet, let payload = entry?.payload(codec.configurationBox)
    else { return .notApplicable("no hvcC or av1C") }
    let record: HEVCDecoderConfigurationRecord
    do throws(NALUnitError) {
      record = try HEVCDecoderConfigurationRecord(payload)
    } catch {
      return .fail("\(error)")
    }
    var faults: [String] = []
    func compare(_ name: String, _ stated: Int, _ actual: Int) {
      if stated != actual { faults.append("\(name) \(stated), but \(actual) in the SPS") }
    }
    compare("profile", record.profileIdc, set.profileIdc)
    compare("chroma format", record.chromaFormatIdc, set.chromaFormatIdc)
    compare("luma bits", record.bitDepthLuma, set.bitDepthLuma)
    compare("chroma bits", record.bitDepthChroma, set.bitDepthChroma)
    // The record's level has to suffice for all parameter sets, so it may be higher.
    if record.levelIdc < set.levelIdc {
      faults.append("level \(record.levelIdc), but \(set.levelIdc) in the SPS")
    }
    return .faults(faults, otherwise: "agrees with the SPS")
  }

  fileprivate var arrayCompletenessOutcome: RuleOutcome {
    guard let record = configuration else { return .notApplicable("no hvcC") }
    guard holdsAllParameterSets else {
      return .notApplicable("\(entryFormat ?? "") may have parameter sets in samples")
    }
    // Only the arrays of parameter sets are checked. ISO/IEC 14496-15 wants `array_completeness` to
    // be 0 for all other arrays, but phones mark their SEI array as complete.
    var faults: [String] = []
    for (type, name) in zip(HEVCNALUnitType.parameterSets, ["VPS", "SPS", "PPS"]) {
      let arrays = record.arrays.filter { $0.type == type && !$0.units.isEmpty }
      if arrays.isEmpty { faults.append("no \(name)") }
      if arrays.contains(where: { !$0.isComplete }) {
        faults.append("array_completeness of \(name) is 0")
      }
    }
    return .faults(faults, otherwise: "VPS, SPS and PPS are complete")
  }

  fileprivate var parameterSetsOutcome: RuleOutcome {
    guard bitstream != nil, let found = entryFormat else {
      return .notApplicable(entryFormat == nil ? noMovie : "not read for this codec")
    }
    guard let text = samples.units.parameterSets.text(of: samples.count) else {
      return .pass("none")
    }
    // `hvc1` and `avc1` promise that all parameter sets are in the sample entry (ISO/IEC 14496-15).
    guard holdsAllParameterSets else { return .pass("in \(text), which \(found) allows") }
    let others = samples.units.otherParameterSets.count
    return .fail(
      "in \(text)" + (others > 0 ? "; in \(others), the sets differ from the sample entry's" : ""))
  }
}

extension VideoSignalFormat {
  /// Whether the format needs 10 bits.
  fileprivate var isHDR: Bool {
    switch self {
    // Profile 9 is Dolby Vision on 8-bit H.264. All other profiles need 10 bits.
    case .sdr, .dolbyVision(profile: 9, _): false
    case .hlg, .hdr10, .dolbyVision: true
    }
  }
}
