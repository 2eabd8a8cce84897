// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision

extension ConformanceRule {
  /// Rules about the RPU of every access unit.
  static let dolbyVisionRPUs = [
    ConformanceRule("rpuPresence", "RPU in every frame", "Dolby Vision within ISOBMFF") {
      $0.ofRPUs { $0.presenceOutcome }
    },
    ConformanceRule("rpuOrder", "RPU last", "Dolby Vision within ISOBMFF") {
      $0.ofRPUs { $0.orderOutcome }
    },
    // FFmpeg and other readers do not find an RPU in a layer other than the first.
    ConformanceRule("rpuLayer", "RPU in the first layer", "Dolby Vision within ISOBMFF") {
      $0.ofRPUs { $0.layerOutcome }
    },
    ConformanceRule("rpuChecksum", "RPU checksum", "ETSI GS CCM 001, rpu_data_crc32") {
      $0.ofRPUs { $0.checksumOutcome }
    },
    ConformanceRule("rpuProfile", "RPU profile", "Dolby Vision Profiles and Levels") { track in
      track.ofRPUs {
        $0.profileOutcome(track.dolbyVision, transfer: track.transfer)
      }
    },
    ConformanceRule("rpuValues", "RPU values", "ETSI GS CCM 001") {
      $0.ofRPUs { $0.valuesOutcome }
    },
    ConformanceRule("rpuLevel1", "RPU level 1", "ETSI GS CCM 001, level 1") {
      $0.ofRPUs { $0.level1Outcome }
    },
    ConformanceRule("rpuActiveArea", "RPU level 5", "ETSI GS CCM 001, level 5") {
      $0.ofRPUs { $0.activeAreaOutcome }
    },
  ]
}

extension ValidatedTrack {
  fileprivate func ofRPUs(_ check: (RPUSurvey) -> RuleOutcome) -> RuleOutcome {
    guard format.isDolbyVision || samples.rpus.present > 0 else {
      return .notApplicable("no Dolby Vision")
    }
    guard samples.rpus.accessUnits > 0 else {
      return .notApplicable("not checked for this codec")
    }
    return check(samples.rpus)
  }
}

extension RPUSurvey {
  private var total: String { present == 1 ? "1 RPU" : "all \(present) RPUs" }

  fileprivate var presenceOutcome: RuleOutcome {
    var faults: [String] = []
    if let text = missing.text(of: accessUnits) { faults.append("none in \(text)") }
    if let text = several.text(of: accessUnits) { faults.append("more than one in \(text)") }
    return .faults(faults, otherwise: "\(present) of \(accessUnits) frames")
  }

  fileprivate var orderOutcome: RuleOutcome {
    guard present > 0 else { return .notApplicable("no RPUs") }
    return notLast.text(of: accessUnits).map { .fail($0) } ?? .pass(total)
  }

  fileprivate var layerOutcome: RuleOutcome {
    guard present > 0 else { return .notApplicable("no RPUs") }
    let text = otherLayer.text(of: accessUnits)
    return text.map { .warning("readers such as FFmpeg miss the RPUs in \($0)") } ?? .pass(total)
  }

  fileprivate var activeAreaOutcome: RuleOutcome {
    guard hasLevel5 else { return .notApplicable(isRead ? "none" : "no RPU can be read") }
    let text = noActiveArea.text(of: accessUnits)
    return text.map { .fail("the whole frame is cropped away in \($0)") } ?? .pass("within frames")
  }

  fileprivate var checksumOutcome: RuleOutcome {
    guard present > 0 else { return .notApplicable("no RPUs") }
    var faults: [String] = []
    if let text = badChecksum.text(of: accessUnits) { faults.append(text) }
    if let text = unreadable.text(of: accessUnits) { faults.append(text) }
    return .faults(faults, otherwise: "correct in \(total)")
  }

  fileprivate func profileOutcome(
    _ record: ConfigurationRecord?, transfer: TransferCharacteristics
  ) -> RuleOutcome {
    guard isRead else { return .notApplicable("no RPU can be read") }
    guard let profile else { return .fail("the first RPU has an unknown profile") }
    var faults: [String] = []
    // Profile 10 means AV1, and profile 20 two eyes. Their RPUs look like RPUs of profile 5 or 8.
    if let stated = record?.profile, ![10, 20].contains(stated), stated != profile {
      faults.append("profile \(profile), which is believed, but the record says \(stated)")
    }
    if let text = otherProfile.text(of: accessUnits) { faults.append("another profile in \(text)") }
    faults += misfits(record, transfer)
    return .faults(faults, otherwise: "profile \(profile) in all RPUs")
  }

  /// Returns what is wrong with mappings that are for a different base layer than the video's.
  private func misfits(
    _ record: ConfigurationRecord?, _ transfer: TransferCharacteristics
  ) -> [String] {
    // The record is believed before the color tags. If they contradict each other, the rule
    // `baseLayerClaim` fails, not this one.
    let stated = record.flatMap {
      DataMapping.BaseLayerSignal(rawValue: $0.baseLayerSignalCompatibilityID)
    }
    guard let layer = stated ?? DataMapping.BaseLayerSignal(transfer) else { return [] }
    let claim = stated == nil ? "the video is" : "the record says"
    let others = mappings.filter { $0.key != layer }
    return others.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { signal, tally in
      tally.text(of: accessUnits).map {
        "the mapping is for \(signal), but \(claim) \(layer), in \($0)"
      }
    }
  }

  fileprivate var valuesOutcome: RuleOutcome {
    guard isRead else { return .notApplicable("no RPU can be read") }
    return issues.text(of: accessUnits).map { .fail($0) } ?? .pass("valid")
  }

  fileprivate var level1Outcome: RuleOutcome {
    guard isRead else { return .notApplicable("no RPU can be read") }
    guard let minimum = level1.minimum, let average = level1.average, let maximum = level1.maximum
    else { return .warning("no RPU has level 1") }
    if let text = level1.outOfOrder.text(of: accessUnits) {
      return .fail("minimum, average and maximum are out of order in \(text)")
    }
    let evidence = "min \(minimum.text), avg \(average.text), max \(maximum.text)"
    if level1.count < present {
      return .warning("\(evidence), in \(level1.count) of \(present) RPUs")
    }
    // libdovi, Dolby's tools and phones keep to these limits, but no standard requires them.
    return minimum.upperBound > 12 || maximum.lowerBound < 2081
      ? .warning("\(evidence); min 0 to 12 and max 2081 to 4095 are usual") : .pass(evidence)
  }
}

extension ClosedRange<UInt16> {
  fileprivate var text: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)…\(upperBound)"
  }
}
