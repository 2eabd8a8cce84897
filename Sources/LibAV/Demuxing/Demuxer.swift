// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
package import MediaCore

/// Reads the packets of a media file in the file's order, with the timestamps of the media.
///
/// Edit lists are not applied. A movie's packets have the times of their track's media timeline,
/// and the caller decides which part is presented.
@safe
package final class Demuxer {
  /// The tracks in the file's order.
  package let tracks: [DemuxedTrack]
  /// FFmpeg's name for the container format, such as `mov,mp4,m4a,3gp,3g2,mj2` or `matroska,webm`.
  package let formatName: String
  /// The container's metadata about the whole file, such as dates, names and places. The keys are
  /// FFmpeg's names.
  package let metadata: [String: String]
  /// The chapters, sorted by their start.
  package let chapters: [Chapter]
  /// The duration of the whole file as libavformat reports it, to the microsecond. For IVF, it is
  /// the duration of the first track. `nil` if it is unknown.
  package let duration: MediaTime?

  private let format: OpenedFormat
  private var context: UnsafeMutablePointer<AVFormatContext> { unsafe format.context }
  private let ownedPacket: Owner<UnsafeMutablePointer<AVPacket>>
  private var packet: UnsafeMutablePointer<AVPacket> { unsafe ownedPacket.pointer }
  // After damage, some demuxers ask again and again to be called once more. An error is better than
  // a hang.
  private static let patience = 100_000
  /// The factors by which times of tracks are too large, by track index. A factor of 1 is left out.
  private let tickFactors: [Int: Int64]
  private var configurations: CurrentConfigurations

  /// Opens a file and finds its tracks.
  ///
  /// - Parameter probing: whether to look in the bitstreams for facts that the container does not
  ///   have. Without probing, opening is faster, and tracks have only the container's facts.
  /// - Throws: ``LibAVError``; `invalidData` if the file has no known format.
  package convenience init(path: String, probing: Bool = true) throws(LibAVError) {
    try self.init(path: path, formats: Self.formats, probing: probing)
  }

  /// - Parameter formats: FFmpeg's names of the formats that are accepted.
  init(path: String, formats: [String], probing: Bool = true) throws(LibAVError) {
    _ = FFmpeg.isSilent
    FFmpeg.reserveSpareMemory()
    // Without the prefix, libavformat would read the part of a path before a colon as a protocol.
    let address = "file:\(path)".systemBytes
    format = try OpenedFormat(address, formats: formats)
    unsafe ownedPacket = try unsafe .packet()
    let found =
      probing
      ? try format.tracks(path: path) { () throws(LibAVError) in
        try OpenedFormat(address, formats: formats)
      } : try format.tracks(probing: nil, isDecoding: false)
    formatName = format.name
    let isFLV = format.name == "flv"
    tracks = Self.timed(Self.numbered(found, isMovie: format.isMovie), in: format).map { track in
      var track = track
      track.mayBeReconfigured = isFLV
      return track
    }
    configurations = CurrentConfigurations(tracks)
    metadata = unsafe Self.metadata(of: format.context)
    chapters = unsafe Self.chapters(of: format.context)
    let stated = unsafe MediaTime(
      format.context.pointee.duration, timeBase: AVRational(num: 1, den: AV_TIME_BASE)
    ).flatMap { $0 > .zero ? $0 : nil }
    duration = formatName == Self.ivf ? tracks.first?.duration : stated
    tickFactors = formatName == "avi" ? Self.tickFactors(of: format) : [:]
    // Discard caption tracks, because libavformat parses captions and gives up on the whole file if
    // a caption is damaged.
    for unsafe(index, stream) in unsafe format.streams.enumerated()
    where unsafe stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_EIA_608 {
      discard(trackIndex: index)
    }
  }

  // The list leaves out formats of text. It also leaves out playlists, which could name other
  // people's files.
  private static let formats = [
    "mov", "matroska", "mpegts", "mpeg", "avi", "flv", "mxf", "asf", "ogg", "hevc", "h264", "ivf",
    "obu", "m4v", "yuv4mpegpipe", "dv", "gif", "apng", "wav", "w64", "aiff", "caf", "mp3", "aac",
    "ac3", "eac3", "flac",
  ]

  /// Returns tracks with distinct numbers.
  private static func numbered(_ tracks: [DemuxedTrack], isMovie: Bool) -> [DemuxedTrack] {
    // For some containers, libavformat gives all tracks the same number, or 0, which means no
    // number. In movies, tracks always have numbers, so a 0 there is a damaged number and is kept.
    let isTold =
      Set(tracks.map(\.id)).count == tracks.count && (isMovie || !tracks.contains { $0.id == 0 })
    return isTold ? tracks : tracks.map { $0.numbered($0.index + 1) }
  }

  private static let ivf = "ivf"

  /// Returns tracks with their real durations, which libavformat gets wrong for some IVF files.
  private static func timed(_ tracks: [DemuxedTrack], in format: OpenedFormat) -> [DemuxedTrack] {
    // If each frame lasts one tick, it does not matter whether the header counts frames or ticks.
    guard format.name == ivf, tracks.contains(where: { !$0.hasTickPerFrame }),
      let ticks = format.countedIVFTicks()
    else { return tracks }
    return tracks.map { $0.lasting(ticks: ticks) }
  }

  private static func tickFactors(of format: OpenedFormat) -> [Int: Int64] {
    var factors: [Int: Int64] = [:]
    for unsafe(index, stream) in unsafe format.streams.enumerated() {
      let factor = unsafe tickFactor(of: stream)
      if factor > 1 { factors[index] = factor }
    }
    return factors
  }

  /// Returns the file's metadata. Entries that the file itself lacks are taken from its programs.
  private static func metadata(
    of context: UnsafeMutablePointer<AVFormatContext>
  ) -> [String: String] {
    var entries = unsafe Self.entries(of: context.pointee.metadata)
    for index in unsafe 0..<Int(context.pointee.nb_programs) {
      guard let program = unsafe context.pointee.programs[index] else { continue }
      // A transport stream has its names in its programs (`service_name`).
      entries.merge(unsafe Self.entries(of: program.pointee.metadata)) { own, _ in own }
    }
    return entries
  }

  private static func chapters(of context: UnsafeMutablePointer<AVFormatContext>) -> [Chapter] {
    let all = unsafe UnsafeBufferPointer(
      start: context.pointee.chapters, count: Int(context.pointee.nb_chapters))
    return unsafe all.compactMap { chapter -> Chapter? in
      guard let chapter = unsafe chapter,
        let start = unsafe MediaTime(chapter.pointee.start, timeBase: chapter.pointee.time_base)
      else { return nil }
      return unsafe Chapter(
        start: start,
        end: MediaTime(chapter.pointee.end, timeBase: chapter.pointee.time_base),
        title: entries(of: chapter.pointee.metadata)["title"] ?? "")
    }.sorted { $0.start < $1.start }
  }

  private static func entries(of dictionary: OpaquePointer?) -> [String: String] {
    var entries: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>? = nil
    while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      unsafe entries[String(cString: next.pointee.key)] = unsafe String(cString: next.pointee.value)
      unsafe entry = unsafe UnsafeMutablePointer(mutating: next)
    }
    return entries
  }

  /// Returns the next packet of any track, or `nil` at the end of the file.
  ///
  /// - Throws: ``LibAVError`` if the file cannot be read any further.
  func readPacket() throws(LibAVError) -> Packet? {
    let code = readFrame()
    guard code != candela_averror_eof() else { return nil }
    try unsafe check(
      OpenedFormat.meaning(of: code, reading: format.file.pointer), "av_read_frame")
    let index = unsafe Int(packet.pointee.stream_index)
    let streams = unsafe format.streams
    guard unsafe streams.indices.contains(index) else {
      throw LibAVError("av_read_frame", candela_averror_invaliddata())
    }
    // libavformat tells decoders to drop frames whose decode time goes back. But the caller decides
    // whether these frames are presented.
    unsafe packet.pointee.flags &= ~AV_PKT_FLAG_DISCARD
    // Only in Ogg does libavformat subtract the padding from the duration, so add it back. A tick
    // in Ogg is a sample.
    if formatName == "ogg" {
      unsafe packet.pointee.duration &+= Int64(SkippedSamples(UnsafePointer(packet)).trailing)
    }
    if let factor = tickFactors[index] { unsafe Self.correctTicks(of: packet, by: factor) }
    let base = unsafe streams[index].pointee.time_base
    try unsafe StreamNumbers.check(UnsafePointer(packet), in: base)
    return try configurations.stated(with: unsafe Packet(moving: packet, timeBase: base))
  }

  private func readFrame() -> Int32 {
    for _ in 0..<Self.patience {
      let code = unsafe av_read_frame(context, packet)
      guard code == candela_averror_eagain() else { return code }
    }
    return candela_averror_invaliddata()
  }

  /// Returns libavformat's structure for a track; `nil` if there is no such track.
  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    let streams = unsafe format.streams
    return unsafe streams.indices.contains(index) ? unsafe streams[index] : nil
  }

  /// Continues reading at a packet at which decoding of a track can start. The packet is presented
  /// at the given time or before it. Other tracks continue near this packet.
  ///
  /// - Returns: whether libavformat found such a packet. Its time shows where reading continues.
  package func seek(toTrack index: Int, time: MediaTime) -> Bool {
    guard let stream = unsafe stream(index) else { return false }
    let base = unsafe stream.pointee.time_base
    let ticks = time.converted(to: max(base.den, 1)).value / Int64(max(base.num, 1))
    // libavformat seeks in its own times, which are too large for some audio in AVI.
    let counted = ticks.multipliedReportingOverflow(by: tickFactors[index] ?? 1)
    guard !counted.overflow else { return false }
    return unsafe av_seek_frame(
      context, Int32(index), counted.partialValue, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Returns the file that an attachment track consists of; `nil` for other tracks.
  package func attachment(_ index: Int) -> Attachment? {
    unsafe stream(index).flatMap { unsafe Attachment($0) }
  }

  /// Skips the packets of a track from now on. Packets that were read while probing still come.
  func discard(trackIndex: Int) {
    unsafe format.streams[trackIndex].pointee.discard = AVDISCARD_ALL
  }
}
