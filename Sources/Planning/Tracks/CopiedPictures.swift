// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import Host
internal import ISOBMFF
package import LibAV
package import MediaCore
package import NALUnits
internal import Reading

/// Facts about all samples of a video track that are needed before the first is copied.
package struct CopiedPictures: Sendable {
  /// Decode times of the samples, in the order of the file.
  private let decodeTimes: [MediaTime]
  /// The parameter sets of HEVC; nil for other codecs.
  package let parameterSets: HEVCParameterSets?
  /// True if samples keep parameter sets: those that change in the middle have no other place.
  package let keepsParameterSets: Bool
  private let areSetsInSamples: Bool
  private let isMovie: Bool
  /// Samples of which the file says wrongly whether decoding can begin there, with what is right:
  /// readers would begin an edit at the wrong ones, or at none.
  private let correctedSync: [Int: Bool]
  /// Durations of samples, by their number, where they are not what the packets say: those of the
  /// last sample, and of the one that is presented last.
  private let durations: [Int: MediaTime]
  private let configuration: DecoderConfiguration?
  /// Statements that parameter sets get; nil where they stay as they are.
  private let signal: CopiedSignal?

  private static let untimed = TranscodingError(
    .unusableInput, "its samples have no times, so that they cannot be copied: encode them")

  /// Looks at the first packet of a track only.
  ///
  /// - Returns: true if there is one.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for one without a presentation time.
  static func check(_ track: DemuxedTrack, path: String) throws -> Bool {
    var packets = try DemuxedPackets(path: path, of: [track.index])
    guard let packet = try packets.next() else { return false }
    guard packet.presentationTimeStamp != nil else { throw untimed }
    return true
  }

  /// Reads all of a track that is copied.
  ///
  /// - Parameter signal: statements that parameter sets get; nil to keep them as they are.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for packets without presentation times.
  package init(of copied: AssetTrack, _ signal: CopiedSignal? = nil) throws {
    let codec = copied.demuxed.codec.nalCodec
    self.signal = signal?.keepsParameterSets == false ? signal : nil
    let extradata = copied.demuxed.codec.extradata
    configuration = codec.flatMap {
      try? DecoderConfiguration(
        signal?.restated(configuration: extradata, $0) ?? extradata, $0)
    }
    let stored = configuration?.units ?? []
    var survey = Survey(
      path: copied.path, configuration: configuration, signal: self.signal,
      isPart: copied.span != nil,
      parameterSets: configuration.flatMap { HEVCParameterSets(stored: stored, $0.codec) })
    try Self.forEachPacket(of: copied) { try survey.add($0) }
    correctedSync = survey.correctedSync
    isMovie = copied.box != nil
    parameterSets = survey.parameterSets
    areSetsInSamples = parameterSets?.areInSamples ?? !survey.ownSets.isEmpty
    keepsParameterSets =
      parameterSets.map { $0.change || !$0.isWhole && $0.areInSamples }
      ?? !survey.ownSets.isSubset(of: stored)
    decodeTimes = Self.decodeTimes(survey.presentation, stated: survey.decode)
    durations = Self.lastDurations(of: copied, survey, decodeTimes)
  }

  /// A sample with its place in the file, its time, and the duration that its packet says.
  private typealias ShownSample = (number: Int, start: MediaTime, stated: MediaTime)

  /// Facts that are gathered from packet to packet.
  private struct Survey {
    /// The file, for errors.
    let path: String
    let configuration: DecoderConfiguration?
    let signal: CopiedSignal?
    let isPart: Bool
    /// The parameter sets of HEVC; nil for other codecs.
    var parameterSets: HEVCParameterSets?
    /// The parameter sets in samples of H.264.
    var ownSets: Set<NALUnit> = []
    var correctedSync: [Int: Bool] = [:]
    var presentation: [MediaTime] = []
    var decode: [MediaTime?] = []
    /// The sample that is presented last; nil before the first.
    var shownLast: ShownSample?
    /// Start of the sample that is presented before that one.
    var shownBefore: MediaTime?

    mutating func add(_ packet: Packet) throws {
      guard let time = packet.presentationTimeStamp else { throw CopiedPictures.untimed.of(path) }
      show(time, lasting: packet.duration)
      presentation.append(time)
      decode.append(packet.decodeTimeStamp)
      guard let configuration else { return }
      let units = configuration.units(of: packet, stating: signal)
      parameterSets?.add(sample: units)
      let isSync = units.decodingDelay == 0
      // Decoding of a part begins at the first sample, at any rate.
      if isSync != packet.isSync, presentation.count == 1 ? isSync : isPart && !isSync {
        correctedSync[presentation.count - 1] = isSync
      }
      if parameterSets == nil { ownSets.formUnion(units.filter(\.type.isParameterSet)) }
    }

    private mutating func show(_ start: MediaTime, lasting duration: MediaTime) {
      guard let last = shownLast, start <= last.start else {
        shownBefore = shownLast?.start
        shownLast = (presentation.count, start, duration)
        return
      }
      shownBefore = shownBefore.map { max($0, start) } ?? start
    }
  }

  /// Decode times that rise, and are not later than presentation.
  ///
  /// QuickTime has signed composition offsets, and some of its files present frames before their
  /// decode time (`cslg` states the difference); Matroska states no decode times at all. The files
  /// that are written here have unsigned offsets.
  ///
  /// - Parameters:
  ///   - presentation: the presentation times of the packets, in the order of the file.
  ///   - decode: their decode times, where the file states them.
  private static func decodeTimes(
    _ presentation: [MediaTime], stated decode: [MediaTime?]
  ) -> [MediaTime] {
    let stated = decode.compactMap { $0 }
    let isUsable =
      stated.count == decode.count && zip(stated, stated.dropFirst()).allSatisfy { $0 < $1 }
    // The n-th frame is decoded when the n-th frame is presented, and earlier by what that is
    // too late for any of them.
    let made = isUsable ? stated : presentation.sorted()
    let delay = zip(made, presentation).reduce(MediaTime.zero) { max($0, $1.0 - $1.1) }
    return made.map { $0 - delay }
  }

  /// The decode time of the packet with an index in the order of the file; nil behind the last.
  package func decodeTime(at index: Int) -> MediaTime? {
    decodeTimes.indices.contains(index) ? decodeTimes[index] : nil
  }

  private static func forEachPacket(
    of copied: AssetTrack, _ body: (Packet) throws -> Void
  ) throws {
    var packets = try TrackPackets(copied, decodes: false)
    var superframes = VP9Superframes(copied.demuxed)
    while let packet = try packets.next() {
      if let sample = try superframes.joined(packet) { try body(sample) }
    }
  }

  /// The duration of the sample that is presented last, and of the last one in the file: where that
  /// is another one, what decoding lacks to last as long as the presentation.
  private static func lastDurations(
    of copied: AssetTrack, _ survey: Survey, _ decodeTimes: [MediaTime]
  ) -> [Int: MediaTime] {
    let final = survey.presentation.count - 1
    guard let last = survey.shownLast, let first = survey.presentation.min(),
      let firstDecoded = decodeTimes.first, let lastDecoded = decodeTimes.last
    else { return [:] }
    let shown = lastDuration(of: copied, survey, last)
    guard last.number != final else { return [final: shown] }
    var durations = last.stated > .zero ? [:] : [last.number: shown]
    let lacking = (last.start + shown - first) - (lastDecoded - firstDecoded)
    if lacking > .zero { durations[final] = lacking }
    return durations
  }

  /// The duration of the sample that is presented last. Many containers state none: it is that of
  /// the sample before, then.
  private static func lastDuration(
    of copied: AssetTrack, _ survey: Survey, _ last: ShownSample
  ) -> MediaTime {
    if let listed = copied.sampleDuration(at: last.start)?.duration { return listed }
    // A part ends while its last frame is shown.
    let end = copied.span.flatMap { _ in copied.timeline.mediaEnd }
    let candidates = [
      end.map { $0 - last.start }, last.stated, survey.shownBefore.map { last.start - $0 },
    ]
    return candidates.lazy.compactMap { $0 }.first { $0 > .zero } ?? copied.usualFrameDuration
  }

  /// Notices about what could not be written as it should be.
  package var notices: [Notice] {
    guard let parameterSets else {
      return keepsParameterSets && !isMovie ? [.parameterSetsChange(.avc3)] : []
    }
    if parameterSets.change { return [.parameterSetsChange(.hev1)] }
    return parameterSets.isWhole ? [] : [.parameterSetsMissing]
  }

  /// A packet as it is written: the last ones with their durations.
  package func sample(_ packet: Packet, number: Int) throws -> Packet {
    var sample = try withoutParameterSets(packet)
    if let isSync = correctedSync[number] { sample = try sample.marked(isSync: isSync) }
    return try durations[number].map { try sample.lasting($0) } ?? sample
  }

  /// A packet whose parameter sets are in the sample entry, and therefore not in it.
  private func withoutParameterSets(_ packet: Packet) throws -> Packet {
    guard let configuration, areSetsInSamples, !keepsParameterSets || signal != nil else {
      return packet
    }
    let units = configuration.split(packet.bytes)
    let kept =
      keepsParameterSets
      ? configuration.units(of: packet, stating: signal) : units.filter { !$0.isBaseParameterSet }
    guard kept != units else { return packet }
    return try packet.replacing(
      kept.flatMap { unit in configuration.lengthSize.map(unit.lengthPrefixed) ?? unit.annexB })
  }
}

extension DecoderConfiguration {
  /// The units of a packet, its parameter sets with the statements that they get.
  fileprivate func units(of packet: Packet, stating signal: CopiedSignal?) -> [NALUnit] {
    let units = split(packet.bytes)
    return signal.map { signal in units.map { signal.restated($0) } } ?? units
  }
}
