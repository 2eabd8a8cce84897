// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Facts about all samples of a video track that are needed before the first is copied.
struct CopiedPictures: Sendable {
  /// Decode times of the samples.
  let decodeTimes: DecodeTimes
  /// The parameter sets of HEVC; nil for other codecs.
  let parameterSets: HEVCParameterSets?
  /// True if samples keep parameter sets: those that change in the middle have no other place.
  let keepsParameterSets: Bool
  private let areSetsInSamples: Bool
  private let isMovie: Bool
  /// Samples of a part that are called sync samples, and do not give whole frames: readers would
  /// begin an edit there.
  private let notSync: Set<Int>
  private let count: Int
  /// Duration of the last sample; nil where that is what its packet says.
  private let lastDuration: MediaTime?
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
    let codec = copied.demuxed.codec.videoCodec
    configuration = codec.flatMap {
      try? DecoderConfiguration(copied.demuxed.codec.extradata, $0)
    }
    let stored = configuration?.units ?? []
    var survey = Survey(
      configuration: configuration, isPart: copied.span != nil,
      parameterSets: codec == .hevc && configuration != nil
        ? HEVCParameterSets(stored: stored) : nil)
    try Self.forEachPacket(of: copied) { try survey.add($0) }
    notSync = survey.notSync
    isMovie = copied.box != nil
    parameterSets = survey.parameterSets
    areSetsInSamples = parameterSets?.areInSamples ?? !survey.ownSets.isEmpty
    keepsParameterSets =
      parameterSets.map { $0.change || !$0.isWhole && $0.areInSamples }
      ?? !survey.ownSets.isSubset(of: stored)
    decodeTimes = DecodeTimes(presentation: survey.presentation, decode: survey.decode)
    count = survey.presentation.count
    lastDuration = Self.lastDuration(of: copied, survey.presentation, decodeTimes)
  }

  /// Facts that are gathered from packet to packet.
  private struct Survey {
    let configuration: DecoderConfiguration?
    let isPart: Bool
    /// The parameter sets of HEVC; nil for other codecs.
    var parameterSets: HEVCParameterSets?
    /// The parameter sets in samples of H.264.
    var ownSets: Set<NALUnit> = []
    var notSync: Set<Int> = []
    var presentation: [MediaTime] = []
    var decode: [MediaTime?] = []

    mutating func add(_ packet: Packet) throws {
      guard let time = packet.presentationTime else { throw CopiedPictures.untimed }
      presentation.append(time)
      decode.append(packet.decodeTime)
      guard let configuration else { return }
      let units = configuration.split(packet.bytes)
      parameterSets?.add(sample: units)
      guard configuration.codec == .h264 else { return }
      ownSets.formUnion(units.filter(\.type.isParameterSet))
      if isPart, presentation.count > 1, packet.isSync, GradualRefresh.delay(in: units[...]) > 0 {
        notSync.insert(presentation.count - 1)
      }
    }
  }

  private static func forEachPacket(
    of copied: AssetTrack, _ body: (Packet) throws -> Void
  ) throws {
    let track = copied.demuxed
    let demuxer = try Demuxer(path: copied.path)
    var cursor = copied.span.map { SampleSpan.Cursor($0, decodes: false) }
    demuxer.discardOthers(than: track.index)
    let clock = try FragmentClock.clocks(path: copied.path)[track.id]
    var superframes = VP9Superframes(track)
    while cursor?.isAtEnd != true, let packet = try demuxer.readPacket() {
      guard packet.trackIndex == track.index else { continue }
      let packet = try clock?.corrected(packet) ?? packet
      guard cursor?.takes(packet) ?? true else { continue }
      if let sample = try superframes.joined(packet) { try body(sample) }
    }
  }

  /// The duration of the last sample: that of the frame that is presented last; where that is
  /// another one, what decoding lacks to last as long as the presentation.
  private static func lastDuration(
    of copied: AssetTrack, _ presentation: [MediaTime], _ decodeTimes: DecodeTimes
  ) -> MediaTime? {
    guard let first = presentation.min(), let last = presentation.max(),
      let firstDecoded = decodeTimes.time(at: 0),
      let lastDecoded = decodeTimes.time(at: presentation.count - 1)
    else { return nil }
    // A part ends while its last frame is shown.
    let end = copied.span.flatMap { _ in copied.timeline.mediaEnd }
    guard
      let shown = copied.sampleDuration(at: last)?.duration
        ?? end.flatMap({ $0 > last ? $0 - last : nil })
    else { return nil }
    if presentation.last == last { return shown }
    let lacking = (last + shown - first) - (lastDecoded - firstDecoded)
    return lacking > .zero ? lacking : nil
  }

  /// Notices about what could not be written as it should be.
  var notices: [Notice] {
    guard let parameterSets else {
      return keepsParameterSets && !isMovie ? [.parameterSetsChange(.avc3)] : []
    }
    if parameterSets.change { return [.parameterSetsChange(.hev1)] }
    return parameterSets.isWhole ? [] : [.parameterSetsMissing]
  }

  /// A packet as it is written: the last one with its duration.
  func sample(_ packet: Packet, number: Int) throws -> Packet {
    var sample = try withoutParameterSets(packet)
    if notSync.contains(number) { sample = try sample.withoutSync() }
    guard number == count - 1, let lastDuration else { return sample }
    return try sample.lasting(lastDuration)
  }

  /// A packet whose parameter sets are in the sample entry, and therefore not in it.
  private func withoutParameterSets(_ packet: Packet) throws -> Packet {
    guard let configuration, areSetsInSamples, !keepsParameterSets else { return packet }
    let units = configuration.split(packet.bytes)
    let kept = units.filter { !$0.isBaseParameterSet }
    guard kept.count < units.count else { return packet }
    return try packet.replacing(
      kept.flatMap { unit in configuration.lengthSize.map(unit.lengthPrefixed) ?? unit.annexB })
  }
}
