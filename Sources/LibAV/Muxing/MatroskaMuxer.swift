// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// Writes a Matroska file (RFC 9559) or WebM from tracks of other files. Codecs, HDR metadata and
/// the data of packets do not change. The caller decides the times and the color signal.
@safe
package final class MatroskaMuxer {
  private let ownedContext: Owner<UnsafeMutablePointer<AVFormatContext>>
  private var context: UnsafeMutablePointer<AVFormatContext> { unsafe ownedContext.pointer }
  private let ownedPacket: Owner<UnsafeMutablePointer<AVPacket>>
  private var packet: UnsafeMutablePointer<AVPacket> { unsafe ownedPacket.pointer }
  // Before FFmpeg 6.0, the muxer writes the priming of Opus (`CodecDelay`) but does not add it to
  // the times, although readers subtract it from them.
  /// The time to add to each track's times.
  private var codecDelays: [MediaTime] = []

  /// Whether the muxer writes a track's rotation and crop, as FFmpeg 7.1 and later do.
  package static var writesDisplay: Bool { candela_matroska_writes_display() != 0 }

  private let container: FileType

  /// Creates the file.
  ///
  /// - Parameter container: Matroska, or another kind that libavformat's Matroska muxer writes.
  /// - Throws: ``LibAVError``; `system` if the file cannot be created.
  package init(path: String, container: FileType) throws(LibAVError) {
    _ = FFmpeg.isSilent
    self.container = container
    var created: UnsafeMutablePointer<AVFormatContext>? = nil
    try unsafe check(
      avformat_alloc_output_context2(&created, nil, container.muxerName, nil),
      "avformat_alloc_output_context2")
    unsafe ownedContext = unsafe Owner(try allocated(created, "avformat_alloc_output_context2")) {
      unsafe avio_closep(&$0.pointee.pb)
      unsafe avformat_free_context($0)
    }
    unsafe ownedPacket = try unsafe .packet()
    let context = unsafe ownedContext.pointer
    // The caller shifts times itself, because it knows about audio that begins before the frames.
    unsafe context.pointee.avoid_negative_ts = 0
    // Without this flag, files get random IDs and libavformat's version, so two runs write
    // different bytes.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    try unsafe check(
      avio_open(&context.pointee.pb, "file:\(path)".systemBytes, AVIO_FLAG_WRITE), "avio_open")
  }

  /// Adds a track with the codec and the HDR metadata of a demuxed track.
  ///
  /// - Parameters:
  ///   - source: the file with the track; `nil` leaves out what the file says about the track
  ///     besides its codec.
  ///   - signal: the color signal of the frames. What it leaves unspecified stays as in the demuxed
  ///     track, except the range, which becomes undeclared. `nil` if the track is not video.
  ///   - entry: the track's sample entry in QuickTime, which the codec's decoder may need; `nil` if
  ///     there is none.
  package func addTrack(
    copying track: DemuxedTrack, of source: Demuxer?, label: TrackLabel, signal: SignalDescription?,
    entry: [UInt8]? = nil
  ) throws(LibAVError) {
    let stream = try unsafe addTrack(track, label)
    let parameters = try unsafe allocated(stream.pointee.codecpar, "avformat_new_stream")
    try unsafe check(
      avcodec_parameters_copy(parameters, track.codec.pointer), "avcodec_parameters_copy")
    try unsafe parameters.suitMatroska(entry)
    if let signal { unsafe parameters.state(signal) }
    let priming = unsafe candela_unadded_codec_delay(parameters)
    // Opus counts at 48 kHz (RFC 7845, 4).
    codecDelays[codecDelays.count - 1] = MediaTime(value: Int64(priming), timescale: 48_000)
    guard let original = unsafe source?.stream(track.index) else { return }
    try unsafe check(
      candela_copy_stream_side_data(stream, original), "av_stream_new_side_data")
    let aspect = unsafe original.pointee.sample_aspect_ratio
    unsafe stream.pointee.sample_aspect_ratio = aspect
    // The bitstream's ratio may differ, and the muxer refuses two ratios that contradict each
    // other.
    if aspect.num > 0 { unsafe parameters.pointee.sample_aspect_ratio = aspect }
    unsafe stream.pointee.avg_frame_rate = original.pointee.avg_frame_rate
    unsafe stream.pointee.disposition |= original.pointee.disposition
  }

  /// Adds an attached file, such as a font. Readers list attached files after all tracks.
  package func add(_ attachment: Attachment) throws(LibAVError) {
    let stream = try unsafe allocated(avformat_new_stream(context, nil), "avformat_new_stream")
    let parameters = try unsafe allocated(stream.pointee.codecpar, "avformat_new_stream")
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    unsafe parameters.pointee.codec_id = attachment.codec
    try unsafe parameters.setExtradata(attachment.bytes)
    for (key, text) in [("filename", attachment.name), ("mimetype", attachment.mediaType)] {
      try unsafe check(av_dict_set(&stream.pointee.metadata, key, text, 0), "av_dict_set")
    }
    codecDelays.append(.zero)
  }

  /// Adds a track for the subtitles of another track, in the container's codec for text.
  package func addSubtitles(of track: DemuxedTrack, label: TrackLabel) throws(LibAVError) {
    let stream = try unsafe addTrack(track, label)
    let parameters = try unsafe allocated(stream.pointee.codecpar, "avformat_new_stream")
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
    unsafe parameters.pointee.codec_id = codecID(container.textCodec)
  }

  private func addTrack(
    _ track: DemuxedTrack, _ label: TrackLabel
  ) throws(LibAVError) -> UnsafeMutablePointer<AVStream> {
    let stream = try unsafe allocated(avformat_new_stream(context, nil), "avformat_new_stream")
    unsafe stream.pointee.time_base = AVRational(num: 1, den: track.timescale)
    for case (let key, let text?) in [("language", label.language), ("title", label.name)] {
      try unsafe check(av_dict_set(&stream.pointee.metadata, key, text, 0), "av_dict_set")
    }
    unsafe stream.pointee.disposition = label.disposition
    codecDelays.append(.zero)
    return unsafe stream
  }

  /// Writes the header. After that, no track can be added.
  ///
  /// - Parameter metadata: dates, names and places, under FFmpeg's keys.
  package func writeHeader(
    metadata: [String: String], chapters: [Chapter]
  ) throws(LibAVError) {
    // Dictionaries have another order in each process, but the same work must give the same bytes.
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      try unsafe check(av_dict_set(&context.pointee.metadata, key, value, 0), "av_dict_set")
    }
    for chapter in chapters { try add(chapter) }
    try unsafe check(
      avformat_write_header(context, nil), "avformat_write_header", .writingHeader,
      context: "the \(container.rawValue) header")
  }

  private func add(_ chapter: Chapter) throws(LibAVError) {
    let number = unsafe Int64(context.pointee.nb_chapters)
    let new = try unsafe allocated(candela_add_chapter(context), "av_dynarray_add")
    let start = chapter.start.converted(to: 1_000_000)
    unsafe new.pointee.id = number + 1
    unsafe new.pointee.time_base = AVRational(num: 1, den: 1_000_000)
    unsafe new.pointee.start = start.value
    unsafe new.pointee.end = (chapter.end?.converted(to: 1_000_000) ?? start).value
    try unsafe check(
      av_dict_set(&new.pointee.metadata, "title", chapter.title, 0), "av_dict_set")
  }

  /// Writes a packet to a track.
  ///
  /// - Parameters:
  ///   - delay: the time to add to the packet's times.
  package func write(
    _ source: Packet, toTrack index: Int, delayedBy delay: MediaTime = .zero
  ) throws(LibAVError) {
    // `av_packet_ref` shares the data, so a packet of any size costs no copy.
    let moved = try source.moved(exactlyBy: delay + codecDelays[index])
    try unsafe check(av_packet_ref(packet, moved.pointer), "av_packet_ref")
    let stream = unsafe context.pointee.streams[index]
    unsafe packet.pointee.stream_index = Int32(index)
    // The position in the source means nothing in the output.
    unsafe packet.pointee.pos = -1
    let target = unsafe stream?.pointee.time_base ?? moved.timeBase
    unsafe av_packet_rescale_ts(packet, moved.timeBase, target)
    try unsafe check(
      av_interleaved_write_frame(context, packet), "av_interleaved_write_frame",
      context: "track \(index + 1)")
  }

  /// Writes the index and the packets that were held back, and closes the file.
  package func finish() throws(LibAVError) {
    try unsafe check(av_write_trailer(context), "av_write_trailer")
    try unsafe check(avio_closep(&context.pointee.pb), "avio_closep")
  }
}
