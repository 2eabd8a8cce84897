// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore

extension ConformanceRule {
  /// Rules about Dolby Vision's configuration record and layers.
  static let dolbyVision = [
    ConformanceRule("dolbyVisionBox", "dvvC", "TN3145; Dolby Vision within ISOBMFF") {
      $0.dolbyVisionBoxOutcome
    },
    ConformanceRule("dolbyVisionFields", "dvvC fields", "Dolby Vision within ISOBMFF") {
      $0.dolbyVisionFieldsOutcome
    },
    ConformanceRule("dolbyVisionLevel", "dvvC level", "Dolby Vision Profiles and Levels") {
      $0.dolbyVisionLevelOutcome
    },
    ConformanceRule(
      "enhancementLayer", "enhancement layer", "TN3145; Dolby Vision Profiles and Levels"
    ) {
      $0.enhancementLayerOutcome
    },
    ConformanceRule("residuals", "residuals", "ETSI GS CCM 001, rpu_data_nlq") {
      $0.residualsOutcome
    },
  ]
}

extension ValidatedTrack {
  private var noDolbyVision: RuleOutcome {
    .notApplicable(format.isDolbyVision ? "no record" : "no Dolby Vision")
  }

  fileprivate var dolbyVisionBoxOutcome: RuleOutcome {
    guard let entry else { return format.isDolbyVision ? .notApplicable(noMovie) : noDolbyVision }
    let types = SampleEntry.dolbyVisionBoxes.sorted { $0.rawValue < $1.rawValue }
    let found = types.filter { type in entry.boxes.contains { $0.type == type } }
    guard format.isDolbyVision || !found.isEmpty else { return noDolbyVision }
    // Players find Dolby Vision by its box. Without the box, QuickTime takes profile 8.4 for plain
    // HLG.
    guard !found.isEmpty else { return .fail("none, although samples have RPUs") }
    let faults = types.flatMap { boxFaults($0) { _ in ConfigurationRecord.size } }
    guard let record = dolbyVision, faults.isEmpty else {
      return .fail(faults.joined(separator: "; "))
    }
    let names = found.map(\.description).joined(separator: ", ")
    return found == [record.box]
      ? .pass("\(names), \(record)")
      : .fail("\(names); expected \(record.box) for profile \(record.profile)")
  }

  fileprivate var dolbyVisionFieldsOutcome: RuleOutcome {
    guard let record = dolbyVision else { return noDolbyVision }
    var faults: [String] = []
    func expect(_ name: String, _ found: UInt8, _ wanted: UInt8) {
      if found != wanted { faults.append("\(name) is \(found), expected \(wanted)") }
    }
    func bit(_ flag: Bool) -> UInt8 { flag ? 1 : 0 }
    // The published version is 1.0. Only profiles above 10 use `dvwC` and version 3.
    expect("dv_version_major", record.versionMajor, record.profile > 10 ? 3 : 1)
    expect("dv_version_minor", record.versionMinor, 0)
    expect("rpu_present_flag", bit(record.hasRPU), 1)
    expect("bl_present_flag", bit(record.hasBaseLayer), 1)
    // Of the profiles in use, only 4 and 7 have an enhancement layer. If it is in another track,
    // the base layer's record says that there is none.
    if ![4, 7].contains(record.profile) || track.enhancementLayer != nil {
      expect("el_present_flag", bit(record.hasEnhancementLayer), 0)
    } else {
      expect("el_present_flag", bit(record.hasEnhancementLayer), 1)
    }
    // 2 is reserved, and metadata may be compressed only from profile 8 on (FFmpeg,
    // `dovi_rpuenc.c`).
    let compression = record.profile < 8 ? 0 : record.usableCompression
    expect("dv_md_compression", record.metadataCompression, compression)
    let compatibility = record.baseLayerSignalCompatibilityID
    if record.profile == 8, DataMapping.BaseLayerSignal(rawValue: compatibility) == nil {
      faults.append("dv_bl_signal_compatibility_id is \(compatibility), expected 1, 2 or 4")
    }
    // 6 stands for the HDR10 of Ultra HD Blu-ray discs, 1 for any HDR10.
    if record.profile == 7, ![1, 6].contains(compatibility) {
      faults.append("dv_bl_signal_compatibility_id is \(compatibility), expected 1 or 6")
    }
    guard faults.isEmpty else { return .fail(faults.joined(separator: "; ")) }
    var doubts: [String] = []
    // FFmpeg's `dovi_rpu` filter gives this warning for profile 8 only.
    if record.profile == 8, compression != 0 {
      doubts = ["dv_md_compression is \(compression), which many players of profile 8 cannot read"]
    }
    return .doubts(
      doubts,
      otherwise:
        "version \(record.versionMajor).\(record.versionMinor), profile \(record.profile), "
        + "compatibility \(compatibility), rpu 1, el \(bit(record.hasEnhancementLayer)), bl 1")
  }

  fileprivate var dolbyVisionLevelOutcome: RuleOutcome {
    guard let record = dolbyVision else { return noDolbyVision }
    let average = (track.demuxed.averageFrameRate?.framesPerSecond)
      // Levels are defined for nominal rates, such as 60 frames/s. A measured average differs a
      // little.
      .map(ConfigurationRecord.nominalFrameRate)
    guard let rate = samples.nominalFrameRate ?? average else {
      return .notApplicable("the frame rate is unknown")
    }
    let size = description.size
    let needed = ConfigurationRecord.level(
      width: size.width, height: size.height, frameRate: rate)
    let frames = "\(size) at \((rate * 100).rounded() / 100) frames/s"
    guard let needed else { return .fail("no level allows \(frames)") }
    let stated = "level \(record.level)"
    guard (needed...13).contains(record.level) else {
      return .fail("\(stated), but \(frames) needs level \(needed)")
    }
    return .pass(
      record.level == needed
        ? "\(stated): \(frames)" : "\(stated); level \(needed) is enough for \(frames)")
  }

  fileprivate var enhancementLayerOutcome: RuleOutcome {
    guard format.isDolbyVision else { return noDolbyVision }
    if case .dolbyVision(let profile, _) = format, [4, 7].contains(profile) {
      return layerOutcome(profile)
    }
    return samples.units.enhancementLayer.text(of: samples.count).map {
      .fail("NAL units of type 63 in \($0)")
    } ?? .pass("none")
  }

  /// Returns the outcome for a profile whose frames have two layers.
  private func layerOutcome(_ profile: UInt8) -> RuleOutcome {
    let rpus = samples.rpus
    if let layer = track.enhancementLayer?.track { return .pass("in track \(layer.demuxed.id)") }
    guard rpus.accessUnits > 0 else { return .notApplicable("not checked for this codec") }
    // Without the layer, players that know the profile have nothing to add to the base layer.
    guard rpus.enhanced > 0 else { return .fail("none, although profile \(profile) has one") }
    return rpus.notEnhanced.text(of: rpus.accessUnits).map { .fail("none in \($0)") }
      ?? .pass("in all \(rpus.accessUnits) frames")
  }

  /// Warns if RPUs are for different kinds of enhancement layer. Players decide from the first RPU
  /// alone whether to decode the layer.
  fileprivate var residualsOutcome: RuleOutcome {
    guard let kind = samples.rpus.layerKind else { return .notApplicable("no residuals") }
    return samples.rpus.otherLayerKind.text(of: samples.rpus.accessUnits).map {
      .warning("the first RPU is for a \(kind.text) layer; another kind in \($0)")
    } ?? .pass("\(kind.text) in all RPUs")
  }
}
