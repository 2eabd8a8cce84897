// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Hands the packets of a track to a movie as they are, but for parameter sets that the movie has
/// elsewhere.
struct CopyingStage: Sendable {
  /// The track that packets come from.
  let track: DemuxedTrack

  private let pictures: CopiedPictures?
  private let entry: Box?
  private var clock: CopiedAudioClock?
  private var superframes: VP9Superframes
  private var packetCount = 0

  /// - Parameter boxes: their statements about the copy.
  init(_ track: DemuxedTrack, boxes: TrackBoxes) {
    self.track = track
    pictures = boxes.copiedPictures
    entry = boxes.origin?.keptEntry
    superframes = VP9Superframes(track)
    // A movie's own times are exact.
    clock = boxes.source == nil ? CopiedAudioClock(track) : nil
  }

  /// Begins the track.
  func open(_ output: TrackWriter) throws {
    try output.open(
      .copied(
        CopiedFormat(
          track: track, timescale: clock?.timescale ?? track.timescale,
          keepsParameterSets: pictures?.keepsParameterSets ?? false, entry: entry)))
  }

  /// Writes a packet. Waits while the writer is behind.
  mutating func append(_ packet: Packet, to output: TrackWriter) throws {
    guard let packet = try superframes.joined(packet) else { return }
    let exact = try clock?.placed(packet) ?? packet
    try output.write(
      try pictures?.sample(packet, number: packetCount) ?? exact,
      decodeTime: pictures?.decodeTimes.time(at: packetCount))
    packetCount += 1
  }
}
