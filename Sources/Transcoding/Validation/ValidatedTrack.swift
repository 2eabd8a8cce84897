internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// A video track with all that rules look at.
struct ValidatedTrack: Sendable {
  let asset: MediaAsset
  let track: AssetTrack
  let facts: VideoFacts
  let samples: SampleSurvey
  let format: VideoSignalFormat

  /// Reads all of a track's samples.
  init(_ asset: MediaAsset, checkpoint: Pipeline.Checkpoint) throws {
    guard let track = asset.videoTrack else {
      throw TranscodingError(.unusableInput, "\(asset.path) holds no video that could be validated")
    }
    guard let facts = track.video else {
      throw TranscodingError(
        .unusableInput, "\(asset.path): no picture of its video can be decoded")
    }
    self.asset = asset
    self.track = track
    self.facts = facts
    samples = try SampleSurvey(track, checkpoint: checkpoint)
    format = VideoSignalFormat(facts, rpuProfile: samples.rpus.profile)
  }

  /// The sample entry of a movie file.
  var entry: SampleEntry? { track.box?.sampleEntries.first }
  /// Whether the sample entry says that all parameter sets are in it (ISO/IEC 14496-15, 5.4.2.1 and
  /// 8.4.1.1; Dolby Vision Streams within ISOBMFF).
  var holdsAllParameterSets: Bool {
    ["hvc1", "dvh1", "avc1", "dva1"].contains(track.sampleEntry)
  }
  var isHEVC: Bool { facts.bitstream?.codec == .hevc }
  var configuration: HEVCConfigurationRecord? {
    entry?.payload("hvcC").flatMap { HEVCConfigurationRecord(payload: $0) }
  }
  var dolbyVision: ConfigurationRecord? { facts.hdrMetadata.dolbyVision?.value }
  /// What is believed of the transfer function.
  var transfer: TransferCharacteristics { facts.tags.signal.color.transferCharacteristics }
  /// Why rules of boxes do not hold.
  var noMovie: String { "\(asset.formatName) has no sample entries" }

  /// The values that messages of a type state, in `hvcC` and in all samples.
  func stated<Value: Hashable>(_ property: KeyPath<SEIMessage, Value?>) -> [Value] {
    let messages = (facts.bitstream?.configurationSEI ?? []) + samples.units.messages
    return messages.compactMap { $0[keyPath: property] }.reduce(into: []) { values, value in
      if !values.contains(value) { values.append(value) }
    }
  }
}
