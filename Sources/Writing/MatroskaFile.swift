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

/// Things that a Matroska file takes from the source, because movies have no place for them.
package struct MatroskaSource: Sendable {
  /// The source.
  let asset: MediaAsset
  /// Tracks to take over as they are, beside those of the movie.
  let tracks: [AssetTrack]
  /// The signal of frames that are copied; nil where they are encoded.
  let copiedSignal: SignalDescription?
  /// The time code of the first frame; nil for none.
  let timeCode: TimeCode?

  package init(_ asset: MediaAsset, _ plan: TranscodePlan) {
    self.asset = asset
    tracks = plan.matroskaTracks
    timeCode = plan.matroskaTimeCode
    let isCopied = plan.video.map { $0.encoding == nil } ?? false
    copiedSignal = isCopied ? plan.video?.track.video?.tags.signal : nil
  }
}

/// A Matroska file of a finished movie: the same packets, at the times at which the movie presents
/// them. Matroska has no edit lists: packets that no edit presents are left out. Subtitles, fonts,
/// cover art and words that a movie has no place for come from the source.
struct MatroskaFile {
  /// The kind of file: Matroska, or another that its muxer writes.
  let container: FileType
  /// The movie.
  let movie: MediaAsset
  /// The file that the movie was made of; nil for none.
  let source: MatroskaSource?
  /// True if dates, names and places are taken over.
  let keepsMetadata: Bool

  private let tracks: [MatroskaTrack]
  /// The number of the movie's track that holds the pictures; nil where none does.
  private let pictures: Int?
  /// The chapters, at their times in the file.
  private let chapters: [Chapter]
  private let attachments: [Attachment]

  /// - Parameters:
  ///   - delivery: the delivery, whose file is the movie.
  ///   - written: its first tracks, as they were written.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where Matroska cannot say when the
  ///   movie presents its media.
  init(of delivery: OutputDelivery, written: [WrittenTrack]) throws {
    movie = try MediaAsset(opening: delivery.file.path)
    container = delivery.container
    source = delivery.matroskaSource
    keepsMetadata = delivery.metadata != nil
    pictures = written.placeOfPictures
    let own = try movie.tracks.compactMap {
      try Self.track(of: $0, written, in: delivery.container)
    }
    let copied = source?.tracks ?? []
    let others = try copied.filter { !$0.demuxed.isAttachment }.map {
      try MatroskaTrack($0, isOfSource: true)
    }
    // A track that is presented first may begin before the presentation does: all begin later then.
    let shift = max(.zero - ((own + others).map(\.firstTime).min() ?? .zero), .zero)
    tracks = (own + others).map { $0.delayed(by: shift) }
    chapters = movie.chapters.map { $0.delayed(by: shift) }
    attachments =
      try source.map { source in
        let demuxer = try Demuxer(path: source.asset.path)
        return copied.compactMap { demuxer.attachment($0.demuxed.index) }
      } ?? []
  }

  /// The track that is made of a movie's; nil for one that Matroska has no place for.
  private static func track(
    of track: AssetTrack, _ written: [WrittenTrack], in container: FileType
  ) throws -> MatroskaTrack? {
    let index = track.demuxed.index
    if written.indices.contains(index), written[index].entryOrigin.isNone {
      return try MatroskaTrack(track, isOfSource: false, origin: written[index].boxes.origin)
    }
    let kind = track.demuxed.kind
    let isTaken =
      track.demuxed.codec.isTextSubtitle
      || (kind == .video || kind == .audio) && container.holds(track)
    return isTaken ? try MatroskaTrack(track, isOfSource: false) : nil
  }

  /// Writes the file.
  ///
  /// - Returns: the number of texts that are damaged and were left out.
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
    files = [:]
    for attachment in attachments { try muxer.add(attachment) }
    var metadata = keepsMetadata ? ContainerMetadata.forMatroska(statements) : [:]
    if let timeCode = source?.timeCode { metadata["TIMECODE"] = "\(timeCode)" }
    try muxer.writeHeader(metadata: metadata, chapters: chapters)
    var damagedCount = 0
    try forEachPacket(checkpoint) { index, packet in
      let converted: Packet?
      do throws(LibAVError) {
        converted = try tracks[index].converted(packet)
      } catch {
        guard error.kind != .system(errno: ENOMEM) else { throw error }
        damagedCount += 1
        return
      }
      if let converted { try muxer.write(converted, toTrack: index) }
    }
    try muxer.finish()
    return damagedCount
  }

  /// The signal of a track's frames: the movie may have no place for that of the source.
  private func signal(of track: MatroskaTrack) -> SignalDescription? {
    guard let video = track.described.video else { return nil }
    let isWritten = !track.isOfSource && track.source.demuxed.index == pictures
    return isWritten ? source?.copiedSignal ?? video.tags.signal : video.tags.signal
  }

  /// Dates, names and places of the source; those of the movie where it was made of no file.
  private var statements: [String: String] { (source?.asset ?? movie).metadata }

  /// Notices about the written file where it differs from the movie.
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

  /// Calls a function with the packets that are taken over, at their times in the file, and the
  /// index of their track. Those of the source come before those of the movie that are later.
  private func forEachPacket(
    _ checkpoint: Pipeline.Checkpoint, _ body: (Int, Packet) throws -> Void
  ) throws {
    var own = try PacketReader(path: movie.path, tracks, areOfSource: false)
    var others = try source.map {
      try PacketReader(path: $0.asset.path, tracks, areOfSource: true)
    }
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

  /// The packets of a file that are taken over.
  private struct PacketReader {
    private var packets: DemuxedPackets
    private let tracks: [MatroskaTrack]
    /// The index of each of its tracks among those of the output.
    private let indices: [Int: Int]
    private var counts: [Int: Int] = [:]
    /// The longest duration of a packet of each track.
    private var longest: [Int: MediaTime] = [:]

    init(path: String, _ tracks: [MatroskaTrack], areOfSource: Bool) throws {
      self.tracks = tracks
      indices = Dictionary(
        tracks.enumerated().filter { $1.isOfSource == areOfSource }.map {
          ($1.source.demuxed.index, $0)
        }, uniquingKeysWith: { first, _ in first })
      packets = try DemuxedPackets(path: path, of: Set(indices.keys))
    }

    /// The next packet at its time in the file, and the index of its track; nil at the end.
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

  /// Facts about the content of a track, for comparison: as many for a long track as for a short
  /// one.
  private struct Content {
    private(set) var count = 0
    private var size = 0
    private var seconds = 0.0

    mutating func add(_ packet: Packet) {
      count += 1
      size += packet.byteCount
      seconds += (packet.presentationTimeStamp ?? .zero).seconds
    }

    /// True if contents are the same; Matroska's times are rounded to milliseconds here.
    func agrees(with other: Content, comparingSize: Bool) -> Bool {
      (comparingSize ? size == other.size : size <= other.size)
        && abs(seconds - other.seconds) <= 0.000_6 * Double(max(count, 1))
    }
  }
}

extension Chapter {
  /// The same chapter, later; one at the beginning still begins there.
  fileprivate func delayed(by shift: MediaTime) -> Chapter {
    Chapter(
      start: start > .zero ? start + shift : start, end: end.map { $0 + shift }, title: title)
  }
}
