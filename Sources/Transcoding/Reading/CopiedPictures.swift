// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Facts about all samples of a video track that are needed before the first is copied.
struct CopiedPictures: Sendable {
  /// Decode times of the samples.
  let decodeTimes: DecodeTimes
  /// The parameter sets of HEVC; nil for other codecs.
  let parameterSets: HEVCParameterSets?
  private let configuration: DecoderConfiguration?

  private static let untimed = TranscodingError(
    .unusableInput, "its samples have no times, so that they cannot be copied: encode them")

  /// Looks at the first packet of a track only.
  ///
  /// - Returns: true if there is one.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for one without a presentation time.
  static func check(_ track: DemuxedTrack, path: String) throws -> Bool {
    let demuxer = try Demuxer(path: path)
    while let packet = try demuxer.readPacket() {
      guard packet.trackIndex == track.index else { continue }
      guard packet.presentationTime != nil else { throw untimed }
      return true
    }
    return false
  }

  /// Reads all of a track that is copied.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for packets without presentation times.
  init(of copied: AssetTrack) throws {
    let (track, path) = (copied.demuxed, copied.path)
    let demuxer = try Demuxer(path: path)
    var cursor = copied.span.map { SampleSpan.Cursor($0, decodes: false) }
    demuxer.discardOthers(than: track.index)
    let clock = try FragmentClock.clocks(path: path)[track.id]
    let isHEVC = track.codec.videoCodec == .hevc
    configuration = isHEVC ? try? DecoderConfiguration(track.codec.extradata, .hevc) : nil
    var sets = configuration.map { HEVCParameterSets(stored: $0.units) }
    var presentation: [MediaTime] = []
    var decode: [MediaTime?] = []
    while cursor?.isAtEnd != true, let packet = try demuxer.readPacket() {
      guard packet.trackIndex == track.index else { continue }
      let packet = try clock?.corrected(packet) ?? packet
      guard cursor?.takes(packet) ?? true else { continue }
      guard let time = packet.presentationTime else { throw Self.untimed }
      presentation.append(time)
      decode.append(packet.decodeTime)
      if let configuration { sets?.add(sample: configuration.split(packet.bytes)) }
    }
    decodeTimes = DecodeTimes(presentation: presentation, decode: decode)
    parameterSets = sets
  }

  /// True if samples keep parameter sets: those that change in the middle have no other place.
  var keepsParameterSets: Bool {
    parameterSets.map { $0.change || !$0.isWhole && $0.areInSamples } ?? false
  }

  /// Notices about what could not be written as it should be.
  var notices: [Notice] {
    guard let parameterSets else { return [] }
    if parameterSets.change { return [.parameterSetsChange] }
    return parameterSets.isWhole ? [] : [.parameterSetsMissing]
  }

  /// A packet whose parameter sets are in the sample entry, and therefore not in it.
  func withoutParameterSets(_ packet: Packet) throws -> Packet {
    guard let parameterSets, parameterSets.areInSamples, !keepsParameterSets, let configuration
    else { return packet }
    let units = configuration.split(packet.bytes)
    let kept = units.filter { !HEVCParameterSets.contain($0) }
    guard kept.count < units.count else { return packet }
    return try packet.replacing(
      kept.flatMap { unit in configuration.lengthSize.map(unit.lengthPrefixed) ?? unit.annexB })
  }
}
