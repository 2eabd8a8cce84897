// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import LibAV
internal import MediaCore

/// A Matroska file of a finished movie: the same packets, at the times at which the movie presents
/// them. Matroska has no edit lists: samples that no edit presents are left out.
struct MatroskaFile {
  /// The movie.
  let movie: MediaAsset
  /// True if dates, names and places are taken over.
  let keepsMetadata: Bool

  private let tracks: [Track]

  /// A track of the movie that Matroska has, too.
  private struct Track {
    let source: AssetTrack
    /// Difference from times of the media to times of the presentation.
    let delay: MediaTime
    /// Converter of timed text to SubRip; nil for other tracks.
    let converter: SubtitleConverter?

    /// Time of the first packet that is taken over. Packets of audio that end before zero are left
    /// out; none is longer than this.
    var firstTime: MediaTime {
      let first = source.firstTime + delay
      return source.demuxed.kind == .audio ? max(first, MediaTime(value: -1, timescale: 8)) : first
    }

    /// True if the presentation needs a packet.
    func presents(_ packet: Packet) -> Bool {
      guard source.demuxed.kind == .audio, let time = packet.presentationTime else { return true }
      return time + packet.duration + delay > .zero
    }
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` where Matroska cannot say when the
  ///   movie presents its media.
  init(of path: String, keepsMetadata: Bool) throws {
    movie = try MediaAsset(opening: path)
    self.keepsMetadata = keepsMetadata
    let tracks = try movie.tracks.compactMap { track -> Track? in
      let isText = track.demuxed.codec.isTextSubtitle
      guard track.demuxed.kind == .video || track.demuxed.kind == .audio || isText,
        FileType.mkv.holds(track.demuxed) || isText
      else { return nil }
      return Track(
        source: track, delay: try track.delayForMatroska(isCopied: false),
        converter: isText ? try SubtitleConverter(track.demuxed, to: .subRip) : nil)
    }
    // The first sample may begin before the presentation does: all begin later then.
    let shift = max(.zero - (tracks.map(\.firstTime).min() ?? .zero), .zero)
    self.tracks = tracks.map {
      Track(source: $0.source, delay: $0.delay + shift, converter: $0.converter)
    }
  }

  /// Writes the file.
  func write(to path: String, checkpoint: Pipeline.Checkpoint) throws {
    let demuxer = try Demuxer(path: movie.path)
    let muxer = try MatroskaMuxer(path: path)
    for track in tracks {
      if track.converter == nil {
        try muxer.addTrack(
          copying: track.source.demuxed, of: demuxer, signal: track.source.video?.tags.signal)
      } else {
        try muxer.addSubtitles(of: track.source.demuxed)
      }
    }
    try muxer.writeHeader(
      metadata: keepsMetadata ? movie.namesForMatroska : [:], chapters: movie.chapters)
    try forEachPacket(of: demuxer, checkpoint) { index, packet in
      let track = tracks[index]
      guard let converter = track.converter else {
        return try muxer.write(packet, toTrack: index, delayedBy: track.delay)
      }
      guard let text = try converter.convert(packet) else { return }
      try muxer.write(packet, toTrack: index, delayedBy: track.delay, bytes: text)
    }
    try muxer.finish()
  }

  /// Notices about what is in the file that was written and differs from the movie.
  func faults(of path: String, checkpoint: Pipeline.Checkpoint) throws -> [Notice] {
    let written: Demuxer
    do {
      written = try Demuxer(path: path)
    } catch {
      return [.outputUnreadable(error)]
    }
    guard written.tracks.count == tracks.count else {
      return [.otherTrackCount(written.tracks.count, promised: tracks.count)]
    }
    var wanted = [Content](repeating: Content(), count: tracks.count)
    try forEachPacket(of: try Demuxer(path: movie.path), checkpoint) { index, packet in
      wanted[index].add(packet, delayedBy: tracks[index].delay)
    }
    var found = [Content](repeating: Content(), count: tracks.count)
    while let packet = try written.readPacket() {
      try checkpoint()
      if found.indices.contains(packet.trackIndex) {
        found[packet.trackIndex].add(packet, delayedBy: .zero)
      }
    }
    return tracks.indices.filter { tracks[$0].converter == nil }.compactMap { index in
      let (found, wanted) = (found[index], wanted[index])
      if found.count != wanted.count {
        return .otherSampleCount(index + 1, found.count, promised: wanted.count)
      }
      return found.agrees(with: wanted) ? nil : .otherSampleTimes(index + 1)
    }
  }

  /// Calls a function with the packets that are taken over, and the index of their track.
  private func forEachPacket(
    of demuxer: Demuxer, _ checkpoint: Pipeline.Checkpoint,
    _ body: (Int, Packet) throws -> Void
  ) throws {
    let indices = Dictionary(
      uniqueKeysWithValues: tracks.enumerated().map { ($1.source.demuxed.index, $0) })
    while let packet = try demuxer.readPacket() {
      try checkpoint()
      guard let index = indices[packet.trackIndex], tracks[index].presents(packet) else { continue }
      try body(index, packet)
    }
  }

  /// Content of a track, as far as it is compared: as much for a long track as for a short one.
  private struct Content {
    private(set) var count = 0
    private var size = 0
    private var seconds = 0.0

    mutating func add(_ packet: Packet, delayedBy delay: MediaTime) {
      count += 1
      size += packet.byteCount
      seconds += ((packet.presentationTime ?? .zero) + delay).seconds
    }

    /// Matroska's times are rounded to milliseconds here.
    func agrees(with other: Content) -> Bool {
      size == other.size && abs(seconds - other.seconds) <= 0.000_6 * Double(max(count, 1))
    }
  }
}

extension MediaAsset {
  /// Dates, names and places, without statements about the writing of the movie.
  fileprivate var namesForMatroska: [String: String] {
    let ofWriting: Set<String> = [
      "major_brand", "minor_version", "compatible_brands", "encoder", "timecode",
    ]
    return metadata.filter { !ofWriting.contains($0.key) }
  }
}
