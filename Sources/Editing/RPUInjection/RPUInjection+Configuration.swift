// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import NALUnits
internal import OBUs

extension RPUInjection {
  /// Returns the Dolby Vision record that a track needs for some RPUs, and the faults of the RPUs.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the profile of the RPUs does not
  ///   suit these frames.
  static func configuration(
    _ track: Movie.Track, _ entry: SampleEntry, _ rpus: [DolbyVisionRPU], _ times: SampleTimes,
    _ statements: VideoStatements
  ) throws -> (record: ConfigurationRecord, faults: [Notice]) {
    guard let frames = CodedFormat(statements.bitstream, entry),
      let dolbyVisionProfile = entry.configuration?.bitstream.dolbyVisionProfile
    else {
      throw TranscodingError(.unusableInput, "its parameter sets cannot be read")
    }
    let stated = entry.dolbyVisionRecords.first?.record
    let units = rpus.compactMap(\.unit)
    let profiles = Set(units.map(\.profile))
    // Frames for other profiles cannot be recognized by their tags. So accept RPUs of the profile
    // that the record states.
    if let stated, stated.profile != 8, profiles == [stated.profile] {
      return (stated, units.faults(transfer: nil))
    }
    // Profiles 4 and 7 need an enhancement layer, and the frames of profile 5 are neither HLG, PQ
    // nor SDR.
    guard profiles == [8] else {
      let names = profiles.map { $0.map { "\($0)" } ?? "unknown" }.sorted().joined(separator: ", ")
      throw TranscodingError(
        .unusableInput, "RPUs for a single layer need profile 8; profiles found: \(names)")
    }
    let layer = try baseLayer(frames)
    let new = ConfigurationRecord(
      profile: dolbyVisionProfile, baseLayerSignalCompatibilityID: layer.rawValue,
      width: frames.size.width, height: frames.size.height,
      frameRate: track.nominalFrameRate(times) ?? usualFrameRate, stated: stated)
    guard let new else {
      throw TranscodingError(
        .unusableInput, "Dolby Vision has no level for \(frames.size) at this frame rate")
    }
    return (new, units.faults(transfer: frames.transfer))
  }

  /// Returns the kind of base layer that the frames can serve as.
  private static func baseLayer(
    _ frames: CodedFormat
  ) throws -> DataMapping.BaseLayerSignal {
    // TN3145 and Dolby's profile 8 demand Main 10, which is 4:2:0 with 10 bits.
    guard frames.bitDepth == 10, frames.chromaFormatIdc == 1 else {
      throw TranscodingError(
        .unusableInput,
        "Dolby Vision profile 8 needs 10-bit 4:2:0; this video is \(frames.bitDepth)-bit and "
          + "\(frames.chromaFormatIdc == 1 ? "" : "not ")4:2:0")
    }
    guard let layer = frames.transfer.dolbyVisionBaseLayer else {
      throw TranscodingError(
        .unusableInput,
        "RPUs of profile 8 are for HLG, PQ or BT.709; the bitstream says \(frames.transfer)")
    }
    return layer
  }

  /// The frame rate to assume for a single frame.
  private static let usualFrameRate = 30.0
}

/// What the bitstream says about its frames.
private struct CodedFormat {
  let size: VideoDimensions
  let bitDepth: Int
  /// The subsampling, as H.265 counts it: 1 is 4:2:0.
  let chromaFormatIdc: Int
  let transfer: TransferCharacteristics

  /// - Returns: `nil` if no parameter set can be read.
  init?(_ summary: BitstreamSummary?, _ entry: SampleEntry) {
    guard let summary else { return nil }
    if let set = summary.parameterSet {
      size = VideoDimensions(width: set.width, height: set.height)
      (bitDepth, chromaFormatIdc) = (set.bitDepthLuma, set.chromaFormatIdc)
    } else if let record = entry.configuration?.payload,
      let header = AV1SequenceHeader(in: AV1ConfigurationRecord(record).units)
    {
      (size, bitDepth, chromaFormatIdc) = (header.size, header.bitDepth, header.chromaFormatIdc)
    } else {
      return nil
    }
    // SEI 147 overrides the VUI. The VUI of HLG may say 14 (BT.2020), while SEI 147 says that
    // players should prefer HLG.
    transfer =
      summary.preferredTransferCharacteristics ?? summary.signal.color.transferCharacteristics
  }
}

extension [ReferenceProcessingUnit] {
  /// Returns the faults of RPUs: values that are not valid, and mappings that do not suit these
  /// frames.
  ///
  /// - Parameter transfer: the transfer function of the base layer, or `nil` for profiles other
  ///   than 8, for which it does not matter.
  fileprivate func faults(transfer: TransferCharacteristics?) -> [Notice] {
    var faults: [Notice] = []
    // One fault of each kind is enough, because RPUs of one source have the same fault in thousands
    // of frames.
    if let index = firstIndex(where: { !$0.issues.isEmpty }) {
      faults.append(.rpuNotValid(index, "\(self[index].issues[0])"))
    }
    guard let transfer else { return faults }
    let misfits = enumerated().lazy.compactMap { index, unit in
      unit.misfit(transfer).map { (index, $0) }
    }
    if let (index, signal) = misfits.first {
      faults.append(.rpuOfOtherSignal(index, "\(signal)", transfer))
    }
    return faults
  }
}
