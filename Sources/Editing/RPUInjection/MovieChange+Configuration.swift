// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import NALUnits

extension MovieChange {
  /// Returns the Dolby Vision record that a track needs for some RPUs, the faults of the RPUs, and
  /// whether the track has an enhancement layer that the RPUs do not use.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the profile of the RPUs does not
  ///   suit the track's frames.
  static func configuration(
    _ track: Movie.Track, _ entry: SampleEntry, _ rpus: [[UInt8]], _ times: SampleTimes,
    _ statements: VideoStatements
  ) throws -> (record: ConfigurationRecord, faults: [Notice], dropsLayer: Bool) {
    guard let frames = statements.bitstream,
      let dolbyVisionProfile = entry.configuration?.bitstream.dolbyVisionProfile
    else {
      throw TranscodingError(.unusableInput, "its parameter sets cannot be read")
    }
    let hasLayer = statements.bitstream?.hasDolbyVisionEnhancementLayer == true
    let stated = entry.dolbyVisionRecords.first?.record
    let (profiles, invalid, misfit) = survey(rpus, transfer: frames.shownTransfer)
    // Tags do not show whether frames suit a profile other than 8, but the old record does. So
    // accept RPUs of the profile that it states.
    if let stated, stated.rpuProfile != 8, profiles == [stated.rpuProfile] {
      return (stated, invalid, hasLayer && !stated.hasLayer)
    }
    // In all other cases, only profile 8 suits the frames: profiles 4 and 7 need an enhancement
    // layer, and frames of profile 5 are not HLG, PQ or SDR.
    guard profiles == [8] else {
      let names = profiles.map { $0.map { "\($0)" } ?? "unknown" }.sorted().joined(separator: ", ")
      throw TranscodingError(
        .unusableInput, "this video needs RPUs of profile 8; profiles found: \(names)")
    }
    let layer = try baseLayer(frames)
    let new = ConfigurationRecord(
      profile: dolbyVisionProfile, baseLayerSignalCompatibilityID: layer.rawValue,
      width: frames.size.width, height: frames.size.height,
      frameRate: track.dolbyVisionFrameRate(times), stated: stated)
    guard let new else {
      throw TranscodingError(
        .unusableInput, "Dolby Vision has no level for \(frames.size) at this frame rate")
    }
    return (new, invalid + misfit, hasLayer)
  }

  /// Returns the kind of base layer that the frames can serve as.
  private static func baseLayer(
    _ frames: BitstreamSummary
  ) throws -> DataMapping.BaseLayerSignal {
    // TN3145 and Dolby's profile 8 demand Main 10, which is 4:2:0 with 10 bits.
    guard frames.bitDepth == 10, frames.chromaFormatIdc == 1 else {
      throw TranscodingError(
        .unusableInput,
        "Dolby Vision profile 8 needs 10-bit 4:2:0; this video is \(frames.bitDepth)-bit and "
          + "\(frames.chromaFormatIdc == 1 ? "" : "not ")4:2:0")
    }
    guard let layer = DataMapping.BaseLayerSignal(frames.shownTransfer) else {
      throw TranscodingError(
        .unusableInput,
        "RPUs of profile 8 are for HLG, PQ or BT.709; the bitstream says \(frames.shownTransfer)")
    }
    return layer
  }

  /// Parses RPUs one by one, because a film has too many to keep all of them parsed.
  ///
  /// - Parameter transfer: the transfer function of the base layer.
  /// - Returns: the profiles; at most one notice about values that are not valid; and at most one
  ///   notice about a mapping that does not suit the base layer.
  private static func survey(
    _ payloads: [[UInt8]], transfer: TransferCharacteristics
  ) -> (profiles: Set<UInt8?>, invalid: [Notice], misfit: [Notice]) {
    var profiles: Set<UInt8?> = []
    // One fault of each kind is enough, because RPUs of one source often have the same fault in
    // thousands of frames.
    var (invalid, misfit): ([Notice], [Notice]) = ([], [])
    for (index, payload) in payloads.enumerated() {
      guard let unit = DolbyVisionRPU(payload: payload).unit else { continue }
      profiles.insert(unit.profile)
      if invalid.isEmpty, let issue = unit.issues.first {
        invalid = [.rpuNotValid(index, issue)]
      }
      if misfit.isEmpty, let signal = unit.misfit(transfer) {
        misfit = [.rpuOfOtherSignal(index, "\(signal)", transfer)]
      }
    }
    return (profiles, invalid, misfit)
  }
}

extension Movie.Track {
  /// Returns the frame rate that decides the level of Dolby Vision.
  func dolbyVisionFrameRate(_ times: SampleTimes) -> Double {
    // A single frame has no rate.
    nominalFrameRate(times) ?? 30
  }
}

extension BitstreamSummary {
  /// The transfer function that players use.
  fileprivate var shownTransfer: TransferCharacteristics {
    // SEI 147 overrides the VUI. The VUI of HLG may say 14 (BT.2020), while SEI 147 says that
    // players should prefer HLG.
    preferredTransferCharacteristics ?? signal.color.transferCharacteristics
  }
}
