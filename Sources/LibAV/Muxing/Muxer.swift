// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import Glibc
package import MediaCore

/// Writes a movie file: first add the tracks, then write the header, the packets of all tracks in
/// any order, and the trailer.
///
/// The muxer writes no edit list, because Candela adds edit lists to the finished file. The media
/// timeline of each track begins with the track's first decode time, which is among the facts that
/// ``written(toTrack:)`` returns.
@safe
package final class Muxer {
  /// The kind of movie to write.
  package let container: FileType

  private let ownedContext: Owner<UnsafeMutablePointer<AVFormatContext>>
  private var context: UnsafeMutablePointer<AVFormatContext> { unsafe ownedContext.pointer }
  private let ownedPacket: Owner<UnsafeMutablePointer<AVPacket>>
  private var packet: UnsafeMutablePointer<AVPacket> { unsafe ownedPacket.pointer }
  private var tracks: [Track] = []
  private var isHeaderWritten = false

  private struct Track {
    let timescale: Int32
    var written = WrittenSamples()
    /// The decode time of the last packet in the muxer's ticks; `nil` before the first packet.
    var lastTicks: Int64?
    /// The number of PCM values, by which a movie counts time; `nil` for other tracks.
    var values: ValueCount?
  }

  /// Counts the values of PCM. At each moment, all channels together count as one value.
  private struct ValueCount {
    let sampleRate: Int32
    /// How many bytes the values of all channels take together at one moment; 0 if the number of
    /// channels is unknown.
    let size: Int
    var byteCount = 0

    /// - Returns: `nil` for other codecs, and for forms of PCM whose values have no fixed number of
    ///   whole bytes.
    init?(_ codec: CodecParameters) {
      let bits = unsafe Int(av_get_bits_per_sample(codec.pointer.pointee.codec_id))
      guard codec.isPCM, bits >= 8 else { return nil }
      sampleRate = Int32(clamping: max(codec.sampleRate, 1))
      size = bits / 8 * codec.channelCount
    }

    // Containers round times by less than this tolerance, so a difference above the tolerance is a
    // gap.
    private static let tolerance = MediaTime(value: 1, timescale: 10)

    /// Returns why the times of the samples cannot be kept; `nil` if they can.
    func fault(of written: WrittenSamples) -> String? {
      guard size > 0 else { return "has no channel count" }
      guard let start = written.firstDecodeTime, let end = written.end else { return nil }
      let counted = MediaTime(value: Int64(byteCount / size), timescale: sampleRate)
      let (shorter, longer) = (min(counted, end - start), max(counted, end - start))
      guard longer - shorter > Self.tolerance else { return nil }
      return "has \(counted.roundedSeconds) s of audio according to the number of samples, "
        + "but \((end - start).roundedSeconds) s according to their times; encode it "
        + "instead of copying it"
    }
  }

  /// Creates the file.
  ///
  /// - Throws: ``LibAVError``; `system` if the file cannot be created.
  package init(path: String, container: FileType) throws(LibAVError) {
    _ = FFmpeg.isSilent
    self.container = container
    var created: UnsafeMutablePointer<AVFormatContext>? = nil
    try unsafe check(
      avformat_alloc_output_context2(&created, nil, container.muxerName, nil),
      "avformat_alloc_output_context2")
    let context = try unsafe allocated(created, "avformat_alloc_output_context2")
    unsafe ownedContext = unsafe Owner(context) {
      unsafe avio_closep(&$0.pointee.pb)
      unsafe avformat_free_context($0)
    }
    unsafe ownedPacket = try unsafe .packet()
    // Negative times belong to the priming of audio. The edit list that Candela adds later skips
    // the priming, so libavformat must not shift times.
    unsafe context.pointee.avoid_negative_ts = 0
    // libavformat 5.1 still calls FLAC and TrueHD in MP4 experimental.
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    try unsafe check(
      avio_open(&context.pointee.pb, "file:\(path)".systemBytes, AVIO_FLAG_WRITE), "avio_open",
      .creatingOutput)
  }

  /// Adds a track of encoded video.
  ///
  /// - Returns: the track's index.
  package func addVideoTrack(_ format: VideoTrackFormat) throws(LibAVError) -> Int {
    let stream = try unsafe allocated(avformat_new_stream(context, nil), "avformat_new_stream")
    unsafe stream.pointee.time_base = AVRational(num: 1, den: format.timescale)
    unsafe stream.pointee.avg_frame_rate = AVRational(
      num: Int32(clamping: format.frameRate.numerator),
      den: Int32(clamping: format.frameRate.denominator))
    let parameters = try unsafe allocated(stream.pointee.codecpar, "avformat_new_stream")
    try unsafe format.write(to: parameters)
    let aspect = unsafe parameters.pointee.sample_aspect_ratio
    unsafe stream.pointee.sample_aspect_ratio = aspect
    if let language = format.language { unsafe try setLanguage(language, of: stream) }
    return addTrack(timescale: format.timescale)
  }

  /// Adds a track for the unchanged packets of a demuxed track.
  ///
  /// - Parameters:
  ///   - timescale: ticks a second of the copy; `nil` to keep the track's timescale.
  ///   - hasParameterSetsInSamples: whether samples of HEVC have parameter sets, which a sample
  ///     entry `hvc1` forbids (ISO/IEC 14496-15, 8.4.1.1).
  /// - Returns: the track's index.
  package func addTrack(
    copying track: DemuxedTrack, timescale: Int32? = nil, hasParameterSetsInSamples: Bool = false
  ) throws(LibAVError) -> Int {
    let index = try addTrack(
      codec: track.codec, timescale: timescale ?? track.timescale, language: track.language,
      hevcEntry: hasParameterSetsInSamples ? .hev1 : .hvc1)
    if let ratio = track.sampleAspectRatio, let stream = unsafe context.pointee.streams[index] {
      // The container's ratio overrides the bitstream's ratio, which is in the codec's parameters.
      let aspect = AVRational(ratio)
      unsafe stream.pointee.sample_aspect_ratio = aspect
      unsafe stream.pointee.codecpar?.pointee.sample_aspect_ratio = aspect
    }
    return index
  }

  /// Adds a track whose samples libavformat neither understands nor changes, whatever their codec
  /// is. The caller writes the sample entry.
  ///
  /// - Returns: the track's index.
  package func addTrack(
    opaquely track: DemuxedTrack, timescale: Int32
  ) throws(LibAVError) -> Int {
    let index = try addTrack(codec: track.codec, timescale: timescale, language: track.language)
    tracks[index].values = nil
    if let parameters = unsafe context.pointee.streams[index]?.pointee.codecpar {
      unsafe parameters.becomeOpaque()
    }
    return index
  }

  package func addTrack(
    codec: CodecParameters, timescale: Int32, language: String?
  ) throws(LibAVError) -> Int {
    try addTrack(codec: codec, timescale: timescale, language: language, hevcEntry: .hvc1)
  }

  private func addTrack(
    codec: CodecParameters, timescale: Int32, language: String?, hevcEntry: VideoSampleEntry
  ) throws(LibAVError) -> Int {
    let stream = try unsafe allocated(avformat_new_stream(context, nil), "avformat_new_stream")
    let parameters = try unsafe allocated(stream.pointee.codecpar, "avformat_new_stream")
    try unsafe check(
      avcodec_parameters_copy(parameters, codec.pointer), "avcodec_parameters_copy")
    // Remove the side data. From FFmpeg 6.1 on, libavformat would turn it into boxes, but the code
    // that finishes the file copies these boxes exactly from the source.
    unsafe candela_forget_parameters_side_data(parameters)
    unsafe chooseTag(parameters, hevcEntry)
    // PCM is stored in runs of values that may be cut anywhere. All other audio keeps its packets.
    if !codec.isPCM { unsafe parameters.keepPackets() }
    unsafe stream.pointee.time_base = AVRational(num: 1, den: timescale)
    if let language { try unsafe setLanguage(language, of: stream) }
    let index = addTrack(timescale: timescale)
    tracks[index].values = ValueCount(codec)
    return index
  }

  /// Chooses the tag of a track, which becomes the type of its sample entry.
  private func chooseTag(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ hevcEntry: VideoSampleEntry
  ) {
    // The source's container may use a different tag from the one that this container needs, so
    // libavformat chooses the tag for H.264 and for audio. For HEVC, libavformat would always
    // choose `hev1`, which Apple's players refuse. Other video keeps the source's tag if the tag
    // means the same codec in movies.
    switch unsafe (parameters.pointee.codec_type, parameters.pointee.codec_id) {
    case (_, AV_CODEC_ID_HEVC): unsafe parameters.pointee.codec_tag = hevcEntry.type.tag
    case (AVMEDIA_TYPE_VIDEO, let codec) where codec != AV_CODEC_ID_H264:
      unsafe parameters.chooseTag(for: context.pointee.oformat)
      // For raw video and DV, the tag depends on the form of frames. libavformat looks at the form
      // only if experimental codecs are not allowed.
      if codec == AV_CODEC_ID_RAWVIDEO || codec == AV_CODEC_ID_DVVIDEO {
        unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_NORMAL
      }
    default: unsafe parameters.pointee.codec_tag = 0
    }
  }

  private func addTrack(timescale: Int32) -> Int {
    tracks.append(Track(timescale: timescale))
    return tracks.count - 1
  }

  private func setLanguage(
    _ language: String, of stream: UnsafeMutablePointer<AVStream>
  ) throws(LibAVError) {
    try unsafe check(
      av_dict_set(&stream.pointee.metadata, "language", language, 0), "av_dict_set")
  }

  /// Writes the header. After that, no track can be added.
  ///
  /// - Parameters:
  ///   - movieTimescale: ticks a second in the movie's own durations.
  ///   - videoTimescale: ticks a second in the video track's media timeline.
  /// - Throws: ``LibAVError`` if the container cannot store a track's codec.
  package func writeHeader(movieTimescale: Int32, videoTimescale: Int32?) throws(LibAVError) {
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // The edit lists that Candela adds later count in the movie's timescale. Therefore this
    // timescale has to be the planned one.
    var wanted = ["movie_timescale": "\(movieTimescale)", "use_editlist": "0"]
    if let videoTimescale { wanted["video_track_timescale"] = "\(videoTimescale)" }
    for (key, value) in wanted {
      try unsafe check(av_dict_set(&options, key, value, 0), "av_dict_set")
    }
    // Without this flag, the file would name libavformat instead of the program as its encoder.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    try unsafe check(
      avformat_write_header(context, &options), "avformat_write_header", .writingHeader,
      context: "the \(container.rawValue) header")
    isHeaderWritten = true
  }

  /// Writes a demuxed packet to a track.
  ///
  /// - Parameter decodeTimeStamp: replaces the packet's decode time; `nil` keeps it.
  package func write(
    _ source: Packet, toTrack index: Int, decodeTimeStamp: MediaTime? = nil
  ) throws(LibAVError) {
    try unsafe check(av_packet_ref(packet, source.pointer), "av_packet_ref")
    if let ticks = decodeTimeStamp.map({ source.ticks($0) }) { unsafe packet.pointee.dts = ticks }
    try submit(toTrack: index, timeBase: source.timeBase)
  }

  /// Writes an encoded sample to a track.
  package func write(_ sample: EncodedSample, toTrack index: Int) throws(LibAVError) {
    let timescale = tracks[index].timescale
    try unsafe check(av_new_packet(packet, Int32(sample.bytes.count)), "av_new_packet")
    unsafe sample.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(packet.pointee.data).copyMemory(
        from: start, byteCount: bytes.count)
    }
    unsafe packet.pointee.pts = sample.presentationTimeStamp.converted(to: timescale).value
    unsafe packet.pointee.dts = sample.decodeTimeStamp.converted(to: timescale).value
    unsafe packet.pointee.duration = sample.duration.converted(to: timescale).value
    unsafe packet.pointee.flags = sample.isSync ? AV_PKT_FLAG_KEY : 0
    try submit(toTrack: index, timeBase: AVRational(num: 1, den: timescale))
  }

  private func submit(toTrack index: Int, timeBase: AVRational) throws(LibAVError) {
    let stream = unsafe context.pointee.streams[index]
    unsafe packet.pointee.stream_index = Int32(index)
    unsafe packet.pointee.pos = -1
    let target = unsafe stream?.pointee.time_base ?? timeBase
    unsafe av_packet_rescale_ts(packet, timeBase, target)
    try checkStep(toTrack: index)
    let sampleRate = unsafe stream?.pointee.codecpar.pointee.sample_rate ?? 0
    let skip = unsafe SkippedSamples(UnsafePointer(packet)).trailing
    unsafe tracks[index].values?.byteCount += Int(max(packet.pointee.size, 0))
    unsafe tracks[index].written.add(
      presentation: MediaTime(packet.pointee.pts, timeBase: target),
      decode: MediaTime(packet.pointee.dts, timeBase: target),
      duration: MediaTime(packet.pointee.duration, timeBase: target) ?? .zero,
      padding: MediaTime(value: Int64(skip), timescale: max(sampleRate, 1)))
    // libavformat takes over the packet and keeps it until the other tracks have caught up.
    try unsafe check(
      av_interleaved_write_frame(context, packet), "av_interleaved_write_frame",
      context: "track \(index + 1)")
  }

  // If one offset in `ctts` is 2²⁸ ticks or more, libavformat ignores the whole table.
  /// The limit for the time from a packet's decoding to its presentation, in ticks.
  private static let longestOffset: UInt64 = 1 << 28

  /// Checks that a packet's times fit the movie's tables.
  private func checkStep(toTrack index: Int) throws(LibAVError) {
    // The tables have 32 bits for the step from one time to the next. If a step does not fit,
    // libavformat writes a wrong time and reports no error.
    let (decode, presentation) = unsafe (packet.pointee.dts, packet.pointee.pts)
    guard decode != candela_nopts() else { return }
    func fits(_ time: Int64, after start: Int64, within most: UInt64) -> Bool {
      let step = time.subtractingReportingOverflow(start)
      return !step.overflow && step.partialValue.magnitude < most
    }
    let last = tracks[index].lastTicks ?? decode
    tracks[index].lastTicks = decode
    guard fits(decode, after: last, within: UInt64(Int32.max)),
      presentation == candela_nopts()
        || fits(presentation, after: decode, within: Self.longestOffset)
    else {
      unsafe av_packet_unref(packet)
      throw LibAVError("av_interleaved_write_frame", -EINVAL, context: "track \(index + 1)")
    }
  }

  /// Checks that the times of PCM agree with the number of its values.
  private func checkValueCounts() throws(LibAVError) {
    // A movie does not store times of PCM but counts values. If the source has a gap, everything
    // after the gap would move.
    for (index, track) in tracks.enumerated() {
      guard let fault = track.values?.fault(of: track.written) else { continue }
      throw LibAVError(
        "av_write_trailer", -EINVAL, context: "track \(index + 1) \(fault)")
    }
  }

  /// Returns facts about the samples that were written to a track.
  package func written(toTrack index: Int) -> WrittenSamples { tracks[index].written }

  /// Writes the index and the packets that were held back, and closes the file.
  package func finish() throws(LibAVError) {
    if isHeaderWritten {
      try checkValueCounts()
      try unsafe check(av_write_trailer(context), "av_write_trailer")
    }
    try unsafe check(avio_closep(&context.pointee.pb), "avio_closep")
  }
}
