// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import Glibc
package import MediaCore

/// Writes a movie file: tracks are added, the header is written, then packets in any order of
/// tracks, then the trailer.
///
/// No edit list is written: the media timeline of each track begins with its first decode time,
/// which ``written(toTrack:)`` tells.
@safe
package final class Muxer {
  /// The container format.
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
    /// Decode time of the last packet, in the muxer's ticks; nil before the first.
    var lastTicks: Int64?
    /// The values of PCM that a movie counts its time by; nil for other tracks.
    var values: ValueCount?
  }

  /// Values of PCM, one for each channel at a time.
  private struct ValueCount {
    let sampleRate: Int32
    /// Bytes of the values at one time; 0 where the number of channels is unknown.
    let size: Int
    var byteCount = 0

    /// - Returns: nil for other codecs, and for PCM whose values are packed.
    init?(_ codec: CodecParameters) {
      let bits = unsafe Int(av_get_bits_per_sample(codec.pointer.pointee.codec_id))
      guard codec.isPCM, bits >= 8 else { return nil }
      sampleRate = Int32(clamping: max(codec.sampleRate, 1))
      size = bits / 8 * codec.channelCount
    }

    /// Times that containers round are off by less.
    private static let tolerance = MediaTime(value: 1, timescale: 10)

    /// The reason for which times that samples have cannot be kept; nil where they can.
    func fault(of written: WrittenSamples) -> String? {
      guard size > 0 else { return "has no number of channels" }
      guard let start = written.firstDecodeTime, let end = written.end else { return nil }
      let counted = MediaTime(value: Int64(byteCount / size), timescale: sampleRate)
      let (shorter, longer) = (min(counted, end - start), max(counted, end - start))
      guard longer - shorter > Self.tolerance else { return nil }
      return "has \(counted.roundedSeconds) s of audio by the number of its samples and "
        + "\((end - start).roundedSeconds) s by their times; encode it"
    }
  }

  /// Creates the file.
  ///
  /// - Throws: ``LibAVError``; `system` where the file cannot be created.
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
    // Chunk offsets of more than 4 GB, sizes and edit lists are libavformat's and our business;
    // shifting timestamps is nobody's.
    unsafe context.pointee.avoid_negative_ts = 0
    // FLAC and TrueHD in MP4, which libavformat 5.1 still counts as experiments.
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    try unsafe check(
      avio_open(
        &context.pointee.pb, SystemPath.bytes("file:\(path)"), AVIO_FLAG_WRITE), "avio_open",
      .creatingOutput)
  }

  /// Adds a track of encoded video.
  ///
  /// - Returns: the index of the track.
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

  /// Adds a track that takes over a demuxed track's packets as they are.
  ///
  /// - Parameters:
  ///   - timescale: ticks a second of the copy; nil for the track's own.
  ///   - hasParameterSetsInSamples: true if samples of HEVC have parameter sets, which a
  ///   sample entry `hvc1` forbids (ISO/IEC 14496-15, 8.4.1.1).
  /// - Returns: the index of the track.
  package func addTrack(
    copying track: DemuxedTrack, timescale: Int32? = nil, hasParameterSetsInSamples: Bool = false
  ) throws(LibAVError) -> Int {
    let index = try addTrack(
      codec: track.codec, timescale: timescale ?? track.timescale, language: track.language,
      hevcEntry: hasParameterSetsInSamples ? .hev1 : .hvc1)
    if let ratio = track.sampleAspectRatio, let stream = unsafe context.pointee.streams[index] {
      // The container's word is believed; the codec's parameters have the bitstream's.
      let aspect = AVRational(ratio)
      unsafe stream.pointee.sample_aspect_ratio = aspect
      unsafe stream.pointee.codecpar?.pointee.sample_aspect_ratio = aspect
    }
    return index
  }

  /// Adds a track whose samples libavformat neither understands nor changes, whatever their codec
  /// is. Somebody else writes the sample entry.
  ///
  /// - Returns: the index of the track.
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

  /// Adds a track of encoded audio.
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
    // Boxes beside the codec's are written by whoever finishes the file.
    unsafe candela_forget_parameters_side_data(parameters)
    unsafe chooseTag(parameters, hevcEntry)
    if !codec.isPCM { unsafe parameters.keepPackets() }
    unsafe stream.pointee.time_base = AVRational(num: 1, den: timescale)
    if let language { try unsafe setLanguage(language, of: stream) }
    let index = addTrack(timescale: timescale)
    tracks[index].values = ValueCount(codec)
    return index
  }

  /// The muxer chooses the sample entry of H.264 and of audio, since the source's container may
  /// have used another. For HEVC it would always choose `hev1`, which Apple's players refuse.
  private func chooseTag(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ hevcEntry: VideoSampleEntry
  ) {
    switch unsafe (parameters.pointee.codec_type, parameters.pointee.codec_id) {
    case (_, AV_CODEC_ID_HEVC): unsafe parameters.pointee.codec_tag = hevcEntry.type.tag
    case (AVMEDIA_TYPE_VIDEO, let codec) where codec != AV_CODEC_ID_H264:
      unsafe parameters.chooseTag(for: context.pointee.oformat)
      // By its own rules libavformat finds the form of these by more than the codec.
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

  /// Writes the header. No track can be added afterwards.
  ///
  /// - Parameters:
  ///   - movieTimescale: ticks a second of the movie's own durations.
  ///   - videoTimescale: ticks a second of the video track's media timeline.
  /// - Throws: ``LibAVError`` where the container cannot hold a track's codec.
  package func writeHeader(movieTimescale: Int32, videoTimescale: Int32?) throws(LibAVError) {
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    var wanted = ["movie_timescale": "\(movieTimescale)", "use_editlist": "0"]
    if let videoTimescale { wanted["video_track_timescale"] = "\(videoTimescale)" }
    for (key, value) in wanted {
      try unsafe check(av_dict_set(&options, key, value, 0), "av_dict_set")
    }
    // No "encoder" tag that names libavformat and not the program.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    try unsafe check(
      avformat_write_header(context, &options), "avformat_write_header", .writingHeader,
      context: "the \(container.rawValue) header")
    isHeaderWritten = true
  }

  /// Writes a demuxed packet to a track.
  ///
  /// - Parameter decodeTimeStamp: the decode time in place of the packet's; nil to keep it.
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
    // Takes the packet over, and keeps it until the other tracks have caught up.
    try unsafe check(
      av_interleaved_write_frame(context, packet), "av_interleaved_write_frame",
      context: "track \(index + 1)")
  }

  /// The longest time of a packet's presentation after its decoding, in ticks. Of tables with a
  /// longer one, libavformat reads no offset at all.
  private static let longestOffset: UInt64 = 1 << 28

  /// A movie's tables have 32 bits for the step from one time to the next. Where a packet's does
  /// not fit, libavformat writes another time, and says nothing.
  private func checkStep(toTrack index: Int) throws(LibAVError) {
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

  /// A movie has no times of PCM, but counts its values: where the source's times say otherwise, as
  /// with a gap, what follows would move.
  private func checkValueCounts() throws(LibAVError) {
    for (index, track) in tracks.enumerated() {
      guard let fault = track.values?.fault(of: track.written) else { continue }
      throw LibAVError(
        "av_write_trailer", -EINVAL, context: "track \(index + 1) \(fault)")
    }
  }

  /// Facts about the samples that were written to a track.
  package func written(toTrack index: Int) -> WrittenSamples { tracks[index].written }

  /// Writes the packets that are still held back and the index, and closes the file.
  package func finish() throws(LibAVError) {
    if isHeaderWritten {
      try checkValueCounts()
      try unsafe check(av_write_trailer(context), "av_write_trailer")
    }
    try unsafe check(avio_closep(&context.pointee.pb), "avio_closep")
  }
}
