// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import Host
internal import ISOBMFF
package import LibAV
package import MediaCore
package import NALUnits
internal import Reading

/// What must be known about all samples of a video track before the first one is copied.
package struct CopiedFrames: Sendable {
  /// Decode times of the samples, in file order.
  private let decodeTimes: [MediaTime]
  /// The parameter sets of HEVC.
  package let parameterSets: HEVCParameterSets?
  // A sample entry has no place for parameter sets that change in the middle of the track.
  /// Whether samples keep their parameter sets.
  package let keepsParameterSets: Bool
  private let hasInBandParameterSets: Bool
  private let isMovie: Bool
  /// The correct sync flags of samples whose flags in the file are wrong, by index. With the wrong
  /// flags, readers would begin an edit at a sample that cannot be decoded alone, or pass over a
  /// sample that can.
  private let correctedSync: [Int: Bool]
  /// Durations of the last sample in the file and of the sample that is presented last, by index,
  /// if they differ from the packets' durations.
  private let durations: [Int: MediaTime]
  private let configuration: DecoderConfiguration?
  /// The parameter sets that the source stores outside its samples, but that copies need inside.
  private let versions: ParameterSetVersions
  /// What to add to parameter sets, or `nil` if they do not change.
  private let signal: CopiedSignal?

  private static let untimed = TranscodingError(
    .unusableInput, "its samples have no times, so they cannot be copied: encode them")

  /// Checks the first packet of a track.
  ///
  /// - Returns: whether the track has a packet.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the first packet has no presentation
  ///   time.
  static func check(_ track: AssetTrack) throws -> Bool {
    var packets = try TrackPackets(track, decodes: false)
    guard let packet = try packets.next() else { return false }
    guard packet.presentationTimeStamp != nil else { throw untimed }
    return true
  }

  /// Reads all packets of a track that is copied.
  ///
  /// - Parameters:
  ///   - copied: the track with the configuration of the first copied sample.
  ///   - signal: what to add to parameter sets, or `nil` to keep them.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if a packet has no presentation time.
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
      path: copied.path, codec: copied.demuxed.codec, configuration: configuration,
      signal: self.signal, isPart: copied.copiedSpan != nil, stated: extradata,
      versions: ParameterSetVersions(stored: stored),
      parameterSets: configuration.flatMap { HEVCParameterSets(stored: stored, $0.codec) })
    try Self.forEachPacket(of: copied) { try survey.add($0) }
    correctedSync = survey.correctedSync
    versions = survey.versions
    isMovie = copied.box != nil
    parameterSets = survey.parameterSets
    hasInBandParameterSets = parameterSets?.areInSamples ?? !survey.ownSets.isEmpty
    // Parameter sets in samples must stay there if they change, or if the sample entry lacks some.
    keepsParameterSets =
      parameterSets.map { $0.change || !$0.isWhole && $0.areInSamples }
      ?? !survey.ownSets.isSubset(of: stored)
    decodeTimes = Self.decodeTimes(survey.presentation, stated: survey.decode)
    durations = Self.lastDurations(of: copied, survey, decodeTimes)
  }

  /// A sample's place in the file, its presentation time, and its packet's duration.
  private typealias PresentedSample = (number: Int, start: MediaTime, stated: MediaTime)

  /// Facts collected packet by packet.
  private struct Survey {
    /// The file, for errors.
    let path: String
    let codec: CodecParameters
    let configuration: DecoderConfiguration?
    let signal: CopiedSignal?
    let isPart: Bool
    /// The configuration that applies to the most recent sample.
    var stated: [UInt8]
    var versions: ParameterSetVersions
    /// The parameter sets of HEVC.
    var parameterSets: HEVCParameterSets?
    /// The parameter sets found in samples of H.264.
    var ownSets: Set<NALUnit> = []
    var correctedSync: [Int: Bool] = [:]
    var presentation: [MediaTime] = []
    var decode: [MediaTime?] = []
    /// The sample that is presented last, of those added so far.
    var lastPresented: PresentedSample?
    /// The presentation time of the sample that is presented just before `lastPresented`.
    var presentedBefore: MediaTime?

    mutating func add(_ packet: Packet) throws {
      guard let time = packet.presentationTimeStamp else { throw CopiedFrames.untimed.of(path) }
      show(time, lasting: packet.duration)
      presentation.append(time)
      decode.append(packet.decodeTimeStamp)
      guard let configuration else {
        let isSync = codec.bitstream?.beginsDecoding(
          packet.bytes, configuration: codec.extradata)
        if let isSync { correct(packet, isSync: isSync) }
        return
      }
      let own = configuration.units(of: packet, stating: signal)
      let isSync = own.decodingDelay == 0
      let units = versions.add(
        sample: own, number: presentation.count - 1,
        stored: change(at: packet).flatMap { configuration.units(in: $0, stating: signal) },
        isStart: isSync)
      parameterSets?.add(sample: units)
      correct(packet, isSync: isSync)
      if parameterSets == nil { ownSets.formUnion(units.filter(\.type.isParameterSet)) }
    }

    /// Returns the packet's configuration; `nil` if it is that of the packet before.
    private mutating func change(at packet: Packet) -> [UInt8]? {
      guard let new = packet.configuration, new != stated else { return nil }
      stated = new
      return new
    }

    /// Corrects the sync flag of the packet that was added last.
    private mutating func correct(_ packet: Packet, isSync: Bool) {
      // The first sample may gain the sync flag but not lose it, because a part begins there
      // whatever the sample's type. Later samples may only lose the flag, and only in a part.
      if isSync != packet.isSync, presentation.count == 1 ? isSync : isPart && !isSync {
        correctedSync[presentation.count - 1] = isSync
      }
    }

    private mutating func show(_ start: MediaTime, lasting duration: MediaTime) {
      guard let last = lastPresented, start <= last.start else {
        presentedBefore = lastPresented?.start
        lastPresented = (presentation.count, start, duration)
        return
      }
      presentedBefore = presentedBefore.map { max($0, start) } ?? start
    }
  }

  /// Returns decode times that rise and are never later than presentation times.
  ///
  /// - Parameters:
  ///   - presentation: the packets' presentation times, in file order.
  ///   - decode: their decode times, if the file has any.
  private static func decodeTimes(
    _ presentation: [MediaTime], stated decode: [MediaTime?]
  ) -> [MediaTime] {
    // QuickTime's composition offsets are signed, and some files present frames before their decode
    // time (`cslg` states the difference). Matroska has no decode times. Files written here have
    // unsigned offsets, so no frame may be presented before its decode time.
    let stated = decode.compactMap { $0 }
    let isUsable =
      stated.count == decode.count && zip(stated, stated.dropFirst()).allSatisfy { $0 < $1 }
    // Without usable decode times, the n-th frame in the file gets the n-th of the sorted
    // presentation times. If frames would be decoded after they are presented, all decode times are
    // moved back by the largest such difference.
    let made = isUsable ? stated : presentation.sorted()
    let delay = zip(made, presentation).reduce(MediaTime.zero) { max($0, $1.0 - $1.1) }
    return made.map { $0 - delay }
  }

  /// Returns the decode time of a packet by its index in the file, or `nil` after the last.
  package func decodeTime(at index: Int) -> MediaTime? {
    decodeTimes.indices.contains(index) ? decodeTimes[index] : nil
  }

  private static func forEachPacket(
    of copied: AssetTrack, _ body: (Packet) throws -> Void
  ) throws {
    var packets = try TrackPackets(copied, decodes: false)
    var samples = StorableSamples(copied.demuxed)
    while let packet = try packets.next() {
      if let sample = try samples.sample(of: packet) { try body(sample) }
    }
  }

  /// Returns durations for the sample that is presented last and for the last sample in the file.
  private static func lastDurations(
    of copied: AssetTrack, _ survey: Survey, _ decodeTimes: [MediaTime]
  ) -> [Int: MediaTime] {
    let final = survey.presentation.count - 1
    guard let last = survey.lastPresented, let first = survey.presentation.min(),
      let firstDecoded = decodeTimes.first, let lastDecoded = decodeTimes.last
    else { return [:] }
    let shown = lastDuration(of: copied, survey, last)
    guard last.number != final else { return [final: shown] }
    // If frames are reordered, the last sample in the file is made longer, so that decoding lasts
    // as long as the presentation.
    var durations = last.stated > .zero ? [:] : [last.number: shown]
    let lacking = (last.start + shown - first) - (lastDecoded - firstDecoded)
    if lacking > .zero { durations[final] = lacking }
    return durations
  }

  /// Returns the duration of the sample that is presented last.
  private static func lastDuration(
    of copied: AssetTrack, _ survey: Survey, _ last: PresentedSample
  ) -> MediaTime {
    if let listed = copied.sampleDuration(at: last.start)?.duration { return listed }
    // A part may end while its last frame is still shown.
    let end = copied.copiedSpan.flatMap { _ in copied.timeline.mediaEnd }
    let candidates = [
      end.map { $0 - last.start }, last.stated, survey.presentedBefore.map { last.start - $0 },
    ]
    // Many containers state no duration. In that case, the time since the previous frame is the
    // best guess.
    return candidates.lazy.compactMap { $0 }.first { $0 > .zero } ?? copied.usualFrameDuration
  }

  /// Whether the sample entry may say that samples of H.264 have parameter sets. Copies of movies
  /// keep the type of the source's entry, unless the copy's samples get parameter sets from several
  /// of the source's entries.
  package var mayNameParameterSets: Bool { !isMovie || versions.change }

  /// Notices about what could not be written properly.
  package var notices: [Notice] {
    guard let parameterSets else {
      return keepsParameterSets && mayNameParameterSets ? [.parameterSetsChange(.avc3)] : []
    }
    if parameterSets.change { return [.parameterSetsChange(.hev1)] }
    return parameterSets.isWhole ? [] : [.parameterSetsMissing]
  }

  /// Returns a packet as it is written, with its sync flag and its duration corrected.
  package func sample(_ packet: Packet, number: Int) throws -> Packet {
    var sample = try withParameterSets(packet, number: number)
    if let isSync = correctedSync[number] { sample = try sample.marked(isSync: isSync) }
    return try durations[number].map { try sample.lasting($0) } ?? sample
  }

  /// Returns a packet without the parameter sets that are in the sample entry. If samples keep
  /// their parameter sets, returns the packet with the sets that it lacks, and with the additions
  /// to them.
  private func withParameterSets(_ packet: Packet, number: Int) throws -> Packet {
    // ISO/IEC 14496-15 forbids parameter sets in samples of `avc1` and `hvc1`.
    guard let configuration, hasInBandParameterSets,
      !keepsParameterSets || signal != nil || versions.change
    else { return packet }
    let units = configuration.split(packet.bytes)
    let kept =
      keepsParameterSets
      ? versions.completed(configuration.units(of: packet, stating: signal), number: number)
      : units.filter { !$0.isBaseParameterSet }
    guard kept != units else { return packet }
    return try packet.replacing(
      kept.flatMap { unit in configuration.lengthSize.map(unit.lengthPrefixed) ?? unit.annexB })
  }
}

extension DecoderConfiguration {
  /// Returns the units of a packet, with additions to parameter sets.
  fileprivate func units(of packet: Packet, stating signal: CopiedSignal?) -> [NALUnit] {
    let units = split(packet.bytes)
    return signal.map { signal in units.map { signal.restated($0) } } ?? units
  }

  /// Returns the units of another configuration, with additions to parameter sets; `nil` if it
  /// cannot be read.
  fileprivate func units(in other: [UInt8], stating signal: CopiedSignal?) -> [NALUnit]? {
    guard let units = try? DecoderConfiguration(other, codec).units else { return nil }
    return signal.map { signal in units.map { signal.restated($0) } } ?? units
  }
}
