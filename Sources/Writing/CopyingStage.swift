// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import Host
internal import ISOBMFF
package import LibAV
internal import MediaCore
internal import Planning
internal import Reading

/// Passes a track's packets to a movie. Removes parameter sets from the packets if the movie stores
/// them elsewhere, replaces HDR metadata if the plan says so, and leaves out damaged data that
/// cannot be stored.
package struct CopyingStage: Sendable {
  let track: DemuxedTrack

  private let copiedFrames: CopiedFrames?
  private var references: CopiedReferences?
  private var replacement: MetadataReplacement?
  private let entry: Box?
  /// The signal of the frames, if the source has no boxes that declare it.
  private let signal: CopiedSignal?
  private var clock: CopiedAudioClock?
  private var samples: StorableSamples
  private var packetCount = 0
  /// The duration of the previous packet.
  private var usualDuration = MediaTime.zero

  /// - Parameters:
  ///   - track: the source's track.
  ///   - boxes: what the output's boxes say about the copy.
  ///   - checkpoint: called repeatedly while the RPUs before a copied part are read.
  package init(
    _ track: DemuxedTrack, boxes: TrackBoxes, checkpoint: @escaping Pipeline.Checkpoint = {}
  ) {
    // Samples of a part may need a different configuration than the file's first sample.
    let track = boxes.origin?.demuxed ?? track
    self.track = track
    copiedFrames = boxes.copiedFrames
    references = CopiedReferences(in: track, of: boxes.origin, checkpoint: checkpoint)
    replacement = MetadataReplacement(in: track, boxes)
    if case .restated(let signal) = boxes.color { self.signal = signal } else { signal = nil }
    entry = boxes.origin?.keptEntry
    samples = StorableSamples(track)
    // Only a movie's times are exact. Matroska rounds them to milliseconds, and MPEG-TS to
    // 1/90000 s. If such ticks are longer than an audio sample, times are computed from the counts
    // of audio samples.
    clock = boxes.source == nil ? CopiedAudioClock(track) : nil
  }

  /// How many samples got another sample's Dolby Vision RPU, because their own RPU is missing or
  /// damaged, plus how many samples have several RPUs.
  package var repeatedRPUCount: Int { replacement?.repeatedRPUCount ?? 0 }

  /// How many packets are damaged or cut off, except those whose damage the demuxer reports.
  package var damagedCount: Int { samples.damagedCount }

  /// Opens the track.
  package func open(_ output: TrackWriter) throws {
    try output.open(
      .copied(
        CopiedFormat(
          track: try signal?.stated(of: track) ?? track,
          timescale: clock?.timescale ?? track.timescale,
          keepsParameterSets: copiedFrames?.keepsParameterSets ?? false, entry: entry)))
  }

  /// Writes a packet. Waits while the writer is behind.
  package mutating func append(_ packet: Packet, to output: TrackWriter) throws {
    try refuseChange(packet)
    references?.passLeftOut(before: packet)
    guard let packet = try samples.sample(of: timed(packet)) else { return }
    let exact = try clock?.placed(packet) ?? packet
    let copied = try copiedFrames?.sample(packet, number: packetCount) ?? exact
    let sample = try references?.completed(copied) ?? copied
    try output.write(
      try replacement?.replaced(sample) ?? sample,
      decodeTimeStamp: copiedFrames?.decodeTime(at: packetCount))
    packetCount += 1
  }

  /// Throws if a packet changes the decoder configuration, and neither the samples nor the copy's
  /// sample entry have a place for the new one.
  private func refuseChange(_ packet: Packet) throws {
    guard track.codec.bitstream == nil, let new = packet.configuration,
      new != track.codec.extradata
    else { return }
    let place = packet.presentationTimeStamp.map { " at \($0.seconds) s" } ?? ""
    throw TranscodingError(
      .unusableInput,
      "track \(track.id): its decoder configuration changes\(place), but a copy can state only one "
        + "configuration: encode the track or leave it out")
  }

  /// Returns the packet. If it is audio without a duration, it gets the duration of its samples or
  /// of the previous packet.
  private mutating func timed(_ packet: Packet) throws -> Packet {
    guard track.kind == .audio else { return packet }
    defer { if packet.duration > .zero { usualDuration = packet.duration } }
    // A movie stores durations, not times (`stts`, ISO/IEC 14496-12 8.6.1.2). A packet of 0 ticks
    // would put the next one at the same time.
    guard packet.duration <= .zero else { return packet }
    let counted = track.codec.sampleCount(of: packet).map {
      MediaTime(value: Int64($0), timescale: Int32(clamping: max(track.codec.sampleRate, 1)))
    }
    let duration = counted ?? usualDuration
    return duration > .zero ? try packet.lasting(duration) : packet
  }
}
