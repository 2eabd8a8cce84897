internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import NALUnits

/// The Dolby Vision configuration that a track has to state once its pictures have certain RPUs.
struct RPUConfiguration {
  let record: ConfigurationRecord

  /// - Throws: ``TranscodingError`` of kind `unusableInput` where the RPUs are not for these
  ///   pictures.
  init(
    _ track: Movie.Track, _ entry: SampleEntry, _ rpus: [[UInt8]], _ times: SampleTimes,
    _ source: FileByteSource
  ) throws {
    guard let statements = try VideoStatements(track, source: source),
      let set = statements.bitstream?.parameterSet
    else {
      throw TranscodingError(.unusableInput, "its parameter sets cannot be read")
    }
    let stated = ["dvvC", "dvcC", "dvwC"].lazy.compactMap { entry.payload($0) }.first
      .flatMap { ConfigurationRecord(payload: $0) }
    let profiles = Set(try rpus.map { try ReferenceProcessingUnit(dolbyVisionRPU: $0).profile })
    // Of other profiles, their own pictures tell themselves by the record.
    if let stated, stated.profile != 8, profiles == [stated.profile] {
      record = stated
      return
    }
    guard profiles == [8] else {
      let names = profiles.map { $0.map { "\($0)" } ?? "unknown" }.sorted().joined(separator: ", ")
      throw TranscodingError(
        .unusableInput, "the RPUs are of profile \(names); one layer of HEVC takes profile 8")
    }
    let compatibility = try Self.compatibility(set, statements)
    let new = ConfigurationRecord(
      profile: 8, baseLayerSignalCompatibilityID: compatibility, width: set.width,
      height: set.height, frameRate: Self.frameRate(track, times))
    guard var new else {
      throw TranscodingError(
        .unusableInput,
        "Dolby Vision has no level for \(set.width)×\(set.height) at this frame rate")
    }
    // A higher level than the pictures need may be stated.
    if let stated, stated.profile == 8, stated.baseLayerSignalCompatibilityID == compatibility {
      new.level = max(new.level, stated.level)
    }
    record = new
  }

  /// `dv_bl_signal_compatibility_id` by the transfer function: HDR10, SDR, HLG (Dolby Vision
  /// Profiles and Levels).
  private static func compatibility(
    _ set: SequenceParameterSet, _ statements: VideoStatements
  ) throws -> UInt8 {
    let preferred = statements.bitstream?.preferredTransferCharacteristics
    let transfer = preferred ?? set.signal.color.transferCharacteristics
    guard set.bitDepthLuma == 10, set.chromaFormatIdc == 1 else {
      throw TranscodingError(
        .unusableInput,
        "Dolby Vision profile 8 needs 4:2:0 of 10 bits; this has \(set.bitDepthLuma)")
    }
    switch transfer {
    case .pq: return 1
    case .hlg: return 4
    case .bt709, .bt2020TenBit: return 2
    default:
      throw TranscodingError(
        .unusableInput, "RPUs of profile 8 are for HLG, PQ or BT.709; the stream says \(transfer)")
    }
  }

  /// Pictures a second.
  private static func frameRate(_ track: Movie.Track, _ times: SampleTimes) -> Double {
    let shown = times.compositionTimes
    let ticks = (shown.last ?? 0) - (shown.first ?? 0) + times.lastDuration
    return ConfigurationRecord.nominalFrameRate(
      Double(shown.count) * Double(track.mediaTimescale) / Double(max(ticks, 1)))
  }
}
