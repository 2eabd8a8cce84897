// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

/// Hands the packets of a track to a movie as they are, but for parameter sets that the movie has
/// elsewhere.
struct CopyingStage: Sendable {
  /// The track that packets come from.
  let track: DemuxedTrack

  private let pictures: CopiedPictures?
  private let isAsIs: Bool
  private var clock: CopiedAudioClock?
  private var packetCount = 0

  /// - Parameter boxes: their statements about the copy.
  init(_ track: DemuxedTrack, boxes: TrackBoxes) {
    self.track = track
    pictures = boxes.copiedPictures
    isAsIs = boxes.audioEntry != nil
    // A movie's own times are exact.
    clock = boxes.source == nil ? CopiedAudioClock(track) : nil
  }

  /// Begins the track.
  func open(_ output: TrackWriter) throws {
    let keepsParameterSets = pictures?.keepsParameterSets ?? false
    try output.open(
      isAsIs
        ? .copiedAsIs(track)
        : .copied(
          track, timescale: clock?.timescale ?? track.timescale,
          keepsParameterSets: keepsParameterSets))
  }

  /// Writes a packet. Waits while the writer is behind.
  mutating func append(_ packet: Packet, to output: TrackWriter) throws {
    let exact = try clock?.placed(packet) ?? packet
    try output.write(
      try pictures?.sample(packet, number: packetCount) ?? exact,
      decodeTime: pictures?.decodeTimes.time(at: packetCount))
    packetCount += 1
  }
}
