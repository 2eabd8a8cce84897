// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorTagging
internal import Glibc
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
package import Planning
internal import VideoEncoders

/// Data that a Matroska file takes directly from the source, because movies have no place for it.
package struct MatroskaSource: Sendable {
  let asset: MediaAsset
  /// Tracks to copy in addition to the movie's tracks.
  let tracks: [AssetTrack]
  /// The signal of the source's video, or `nil` if the output's video is not a copy.
  let copiedSignal: SignalDescription?
  /// The chroma location of the output's encoded frames, which samples of AV1 may be unable to
  /// state.
  let encodedChromaLocation: ChromaLocation?
  /// The time code of the first frame.
  let timeCode: TimeCode?

  package init(_ asset: MediaAsset, _ plan: TranscodePlan) {
    self.asset = asset
    tracks = plan.matroskaTracks
    timeCode = plan.matroskaTimeCode
    let isCopied = plan.video.map { $0.encoding == nil } ?? false
    copiedSignal = isCopied ? plan.video?.track.video?.tags.signal : nil
    encodedChromaLocation = plan.video?.encoding?.encoder.signal.chromaLocation
  }
}

/// A Matroska file. Its packets come from a finished movie, and have the times at which the movie
/// presents them.
///
/// Fonts, cover art, tags and some subtitles come from the source, because a movie has no place for
/// them.
struct MatroskaFile {
  /// The file's type: Matroska, or another type that the Matroska muxer writes.
  let container: FileType
  let movie: MediaAsset
  /// The file that the movie was made from, if there is one.
  let source: MatroskaSource?
  /// Whether dates, names and locations are copied.
  let keepsMetadata: Bool

  private let tracks: [MatroskaTrack]
  /// The index of the movie's video track, or `nil` if it has none.
  private let videoTrackIndex: Int?
  /// The chapters, at their times in this file.
  private let chapters: [Chapter]
  private let attachments: [Attachment]

  /// - Parameters:
  ///   - delivery: the delivery that the movie belongs to.
  ///   - written: the tracks that were written, which are the first of the movie's tracks.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if Matroska cannot express the movie's
  ///   edits.
  init(of delivery: OutputDelivery, written: [WrittenTrack]) throws {
    movie = try MediaAsset(opening: delivery.file.path)
    container = delivery.container
    source = delivery.matroskaSource
    keepsMetadata = delivery.metadata != nil
    videoTrackIndex = written.videoTrackIndex
    let own = try movie.tracks.compactMap {
      try Self.track(of: $0, written, in: delivery.container)
    }
    let copied = source?.tracks ?? []
    let others = try copied.filter { !$0.demuxed.isAttachment }.map {
      try MatroskaTrack($0, in: delivery.container, isOfSource: true)
    }
    // Audio that starts before the presentation would get negative times, which Matroska does not
    // allow. All tracks move by the same amount, so they stay in sync.
    let shift = max(.zero - ((own + others).map(\.firstTime).min() ?? .zero), .zero)
    tracks = (own + others).map { $0.delayed(by: shift) }
    chapters = movie.chapters.map { $0.delayed(by: shift) }
    attachments =
      try source.map { source in
        let demuxer = try Demuxer(path: source.asset.path)
        return copied.compactMap { demuxer.attachment($0.demuxed.index) }
      } ?? []
  }

  /// Returns the Matroska track for a movie's track, or `nil` if Matroska cannot store it.
  private static func track(
    of track: AssetTrack, _ written: [WrittenTrack], in container: FileType
  ) throws -> MatroskaTrack? {
    let index = track.demuxed.index
    // If the track's sample entry in the movie names no codec, the source's track says what the
    // samples are.
    if written.indices.contains(index), written[index].entryOrigin.isNone {
      return try MatroskaTrack(
        track, in: container, isOfSource: false, origin: written[index].boxes.origin)
    }
    let kind = track.demuxed.kind
    let isTaken =
      track.demuxed.codec.isTextSubtitle
      || (kind == .video || kind == .audio) && container.holds(track)
    return isTaken ? try MatroskaTrack(track, in: container, isOfSource: false) : nil
  }

  /// Writes the file.
  ///
  /// - Returns: the number of damaged subtitles that were left out.
  func write(to path: String, checkpoint: Pipeline.Checkpoint) throws -> Int {
    let muxer = try MatroskaMuxer(path: path, container: container)
    var files: [String: Demuxer] = [:]
    for track in tracks {
      let (described, label) = (track.described, track.source.label)
      guard track.converter == nil else {
        try muxer.addSubtitles(of: described.demuxed, label: label)
        continue
      }
      let file = try files[described.path] ?? Demuxer(path: described.path)
      files[described.path] = file
      try muxer.addTrack(
        copying: described.demuxed, of: file, label: label, signal: signal(of: track),
        entry: described.keptEntry?.bytes)
    }
    // The muxer has copied what it needs. Close the files, because the packets are read through
    // other demuxers.
    files = [:]
    for attachment in attachments { try muxer.add(attachment) }
    var metadata = keepsMetadata ? ContainerMetadata.forMatroska(statements) : [:]
    if let timeCode = source?.timeCode { metadata["TIMECODE"] = "\(timeCode)" }
    try muxer.writeHeader(metadata: metadata, chapters: chapters)
    var damagedCount = 0
    let units = tracks.map(\.unitsWithHDR10Plus)
    let hasAdditions = units.count { $0 != nil } <= MatroskaBlockAdditions.mostTracks
    var tracksWithAdditions: Set<Int> = []
    try forEachPacket(checkpoint) { index, packet in
      let converted: Packet?
      do throws(LibAVError) {
        converted = try tracks[index].converted(packet)
      } catch {
        // If a text is damaged, leave out this subtitle, but do not fail.
        guard error.kind != .system(errno: ENOMEM) else { throw error }
        damagedCount += 1
        return
      }
      guard let converted else { return }
      // FFmpeg drops a frame whose addition cannot be read, so damaged metadata is not repeated.
      if hasAdditions, let own = units[index]?.split(packet).own,
        let found = HDR10Plus.payload(in: own).map(HDR10Plus.init(payload:)), found.isReadable,
        found.fault == nil
      {
        tracksWithAdditions.insert(index)
        try muxer.write(converted.adding(toBlock: found.payload), toTrack: index)
      } else {
        try muxer.write(converted, toTrack: index)
      }
    }
    try muxer.finish()
    if !tracksWithAdditions.isEmpty {
      try MatroskaBlockAdditions(path: path, tracks: tracksWithAdditions).mark(checkpoint)
    }
    return damagedCount
  }

  /// Returns the color signal of a track's frames.
  private func signal(of track: MatroskaTrack) -> SignalDescription? {
    // Movies cannot state a chroma location in boxes, and QuickTime movies cannot state a range
    // there either. So for copied frames, prefer the source's signal.
    guard let video = track.described.video else { return nil }
    let isWritten = !track.isOfSource && track.source.demuxed.index == videoTrackIndex
    guard isWritten, let source else { return video.tags.signal }
    var signal = source.copiedSignal ?? video.tags.signal
    signal.chromaLocation = signal.chromaLocation ?? source.encodedChromaLocation
    return signal
  }

  /// The tags of the source, or of the movie if it was not made from a file.
  private var statements: [String: String] { (source?.asset ?? movie).metadata }

  /// Returns notices about differences between the written file and the movie.
  func faults(of path: String, checkpoint: Pipeline.Checkpoint) throws -> [Notice] {
    let asset: MediaAsset
    do {
      asset = try MediaAsset(opening: path)
    } catch {
      return [.outputUnreadable(error)]
    }
    let count = tracks.count + attachments.count
    guard asset.tracks.count == count else {
      return [.otherTrackCount(asset.tracks.count, promised: count)]
    }
    // The bytes of converted subtitles differ from the source's, so they cannot be compared.
    let copies = zip(asset.tracks, tracks).filter { $1.converter == nil }.map {
      (copy: $0, origin: $1.described)
    }
    return try packetFaults(of: path, count, checkpoint)
      + OutputVerifier.faults(ofCopies: copies, checkpoint: checkpoint)
  }

  private func packetFaults(
    of path: String, _ count: Int, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    var written = try DemuxedPackets(path: path, of: Set(0..<count))
    var wanted = [Content](repeating: Content(), count: count)
    try forEachPacket(checkpoint) { index, packet in wanted[index].add(packet) }
    var found = [Content](repeating: Content(), count: count)
    while let packet = try written.next() {
      try checkpoint()
      found[packet.trackIndex].add(packet)
    }
    return tracks.indices.filter { tracks[$0].converter == nil }.compactMap { index in
      let (found, wanted) = (found[index], wanted[index])
      if found.count != wanted.count {
        return .otherSampleCount(index + 1, found.count, promised: wanted.count)
      }
      let isSameSize = !tracks[index].described.demuxed.codec.losesBytesInMatroska
      return found.agrees(with: wanted, comparingSize: isSameSize)
        ? nil : .otherSampleTimes(index + 1)
    }
  }

  /// Calls a function for each packet, with the index of the packet's track. The packet has the
  /// times that it gets in the file.
  private func forEachPacket(
    _ checkpoint: Pipeline.Checkpoint, _ body: (Int, Packet) throws -> Void
  ) throws {
    var own = try PacketReader(path: movie.path, tracks, areOfSource: false)
    var others = try source.map {
      try PacketReader(path: $0.asset.path, tracks, areOfSource: true)
    }
    // Players read packets in the file's order, so a subtitle must not come after the frames over
    // which it is shown.
    var waiting = try others?.next(checkpoint)
    while let (index, packet) = try own.next(checkpoint) {
      let time = packet.decodeTimeStamp ?? packet.presentationTimeStamp ?? .zero
      while let (other, text) = waiting, (text.presentationTimeStamp ?? .zero) <= time {
        try body(other, text)
        waiting = try others?.next(checkpoint)
      }
      try body(index, packet)
    }
    while let (other, text) = waiting {
      try body(other, text)
      waiting = try others?.next(checkpoint)
    }
  }

  /// Reads the packets of one file.
  private struct PacketReader {
    private var packets: DemuxedPackets
    private let tracks: [MatroskaTrack]
    /// The indices of tracks in the output, by their indices in the file that is read.
    private let indices: [Int: Int]
    private var counts: [Int: Int] = [:]
    /// The longest packet duration so far, for each track.
    private var longest: [Int: MediaTime] = [:]

    init(path: String, _ tracks: [MatroskaTrack], areOfSource: Bool) throws {
      self.tracks = tracks
      indices = Dictionary(
        tracks.enumerated().filter { $1.isOfSource == areOfSource }.map {
          ($1.source.demuxed.index, $0)
        }, uniquingKeysWith: { first, _ in first })
      packets = try DemuxedPackets(path: path, of: Set(indices.keys))
    }

    /// Returns the next packet, with its time in the output, and the track's index in the output.
    mutating func next(_ checkpoint: Pipeline.Checkpoint) throws -> (Int, Packet)? {
      while let packet = try packets.next() {
        try checkpoint()
        guard let index = indices[packet.trackIndex] else { continue }
        let number = counts[index, default: 0]
        counts[index] = number + 1
        let longest = max(longest[index, default: .zero], packet.duration)
        self.longest[index] = longest
        let placed = try tracks[index].placed(packet, number: number, longest: longest)
        if let placed { return (index, placed) }
      }
      return nil
    }
  }

  /// Sums up a track's packets for comparison. A sum takes little memory, however long the track
  /// is.
  private struct Content {
    private(set) var count = 0
    private var size = 0
    private var seconds = 0.0

    mutating func add(_ packet: Packet) {
      count += 1
      size += packet.byteCount
      seconds += (packet.presentationTimeStamp ?? .zero).seconds
    }

    /// Whether two tracks have the same content, within what Matroska's rounding allows. If
    /// `comparingSize` is false, this content may also have fewer bytes.
    func agrees(with other: Content, comparingSize: Bool) -> Bool {
      // Matroska rounds each time to milliseconds, so a time is off by at most 0.5 ms. Another
      // 0.1 ms leaves room for rounding in the sum.
      (comparingSize ? size == other.size : size <= other.size)
        && abs(seconds - other.seconds) <= 0.000_6 * Double(max(count, 1))
    }
  }
}

extension Chapter {
  /// Returns the chapter at a later time. A chapter at the beginning stays there.
  fileprivate func delayed(by shift: MediaTime) -> Chapter {
    Chapter(
      start: start > .zero ? start + shift : start, end: end.map { $0 + shift }, title: title)
  }
}
