// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// A track's codec, with everything a decoder or a muxer needs to know of it.
@safe
package struct CodecParameters: Sendable {
  private let parameters: SharedObject<AVCodecParameters>
  var pointer: UnsafeMutablePointer<AVCodecParameters> { unsafe parameters.pointer }

  init(copying source: UnsafePointer<AVCodecParameters>) throws(LibAVError) {
    unsafe parameters = SharedObject(try .codecParameters())
    unsafe try check(avcodec_parameters_copy(pointer, source), "avcodec_parameters_copy")
  }

  /// The parameters that an encoder produces.
  init(of encoder: UnsafePointer<AVCodecContext>) throws(LibAVError) {
    unsafe parameters = SharedObject(try .codecParameters())
    unsafe try check(
      avcodec_parameters_from_context(pointer, encoder), "avcodec_parameters_from_context")
  }

  /// FFmpeg's name of the codec: `hevc`, `h264`, `aac`. Of a codec that this FFmpeg does not know,
  /// the name that newer ones have for its tag, or the tag itself.
  package var codecName: String {
    if isKnown { return unsafe String(cString: avcodec_get_name(pointer.pointee.codec_id)) }
    let tag = unsafe pointer.pointee.codec_tag
    // A stream type of MPEG-2 transport streams (ISO/IEC 13818-1, table 2-34).
    if tag == 0x33 { return "vvc" }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "unknown" }
    let text = String(decoding: bytes, as: Unicode.UTF8.self)
    return VideoSampleEntry(rawValue: text)?.codec.rawValue ?? Self.names[text]
      ?? text.trimmingPrefix { $0 == " " }.description
  }

  /// The same name, of a codec that this FFmpeg knows; nil for others.
  package var nameIfKnown: String? { isKnown ? codecName : nil }

  /// The codec, where it is one whose bitstream is read; nil for others.
  package var nalCodec: NALCodec? { NALCodec(rawValue: codecName) }

  /// True if this FFmpeg has a decoder for the codec.
  package var canBeDecoded: Bool {
    unsafe avcodec_find_decoder(pointer.pointee.codec_id) != nil
  }

  /// True if this FFmpeg knows the codec.
  package var isKnown: Bool { unsafe pointer.pointee.codec_id != AV_CODEC_ID_NONE }

  /// True if the codec is subtitles that are text, and no captions, which are commands.
  package var isTextSubtitle: Bool {
    if unsafe pointer.pointee.codec_id == AV_CODEC_ID_EIA_608 { return false }
    let descriptor = unsafe avcodec_descriptor_get(pointer.pointee.codec_id)
    return unsafe (descriptor?.pointee.props ?? 0) & AV_CODEC_PROP_TEXT_SUB != 0
  }

  /// True if the parameters are those of a file that is attached.
  var isAttachment: Bool {
    unsafe pointer.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
  }

  /// Names of other codecs by sample entries that FFmpeg 5.1 does not know.
  private static let names = [
    "vvc1": "vvc", "vvi1": "vvc", "VVC ": "vvc", "H266": "vvc", "av01": "av1", "dav1": "av1",
    "lhv1": "hevc", "lhe1": "hevc", "evc1": "evc", "lvc1": "lcevc", "apv1": "apv",
    "mha1": "mpegh_3d_audio", "mhm1": "mpegh_3d_audio", "iamf": "iamf", "ac-4": "ac4",
  ]

  /// The profile's name (`Main 10`), where FFmpeg knows it.
  package var profileName: String? {
    unsafe avcodec_profile_name(pointer.pointee.codec_id, pointer.pointee.profile)
      .map { unsafe String(cString: $0) }
  }

  /// The codec's configuration: `hvcC` or `avcC` content, or parameter sets with start codes.
  package var extradata: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: pointer.pointee.extradata, count: Int(max(pointer.pointee.extradata_size, 0))))
  }

  /// Number of frames that a decoder holds back to bring them into the order of presentation, as
  /// far as the first packets show.
  package var reorderingDelay: Int { unsafe Int(max(pointer.pointee.video_delay, 0)) }

  /// True if each packet of audio says, or the track for all of them, how many samples it has.
  package var knowsSampleCounts: Bool {
    unsafe pointer.pointee.frame_size > 0 || pointer.pointee.codec_id == AV_CODEC_ID_OPUS
      || isEnhancedAC3 || isWavPack
  }

  /// Samples of audio in a packet of the track; nil where neither it nor the track says that.
  package func sampleCount(of packet: Packet) -> Int? {
    if isEnhancedAC3 { return packet.enhancedAC3SampleCount }
    if isWavPack { return packet.wavPackSampleCount }
    guard unsafe pointer.pointee.codec_id == AV_CODEC_ID_OPUS else {
      return unsafe pointer.pointee.frame_size > 0 ? Int(pointer.pointee.frame_size) : nil
    }
    return packet.opusSampleCount.map { $0 * sampleRate / Packet.opusSampleRate }
  }

  /// Duration of a packet's audio with its padding, which the duration that a container states of
  /// the last one may leave out; nil for a codec whose padding Matroska does not state well: of
  /// those that it parses, libavformat takes it off another packet.
  ///
  /// - Parameter longest: the longest stated duration of a packet of the track.
  package func paddedDuration(of packet: Packet, longest: MediaTime) -> MediaTime? {
    switch unsafe pointer.pointee.codec_id {
    case AV_CODEC_ID_OPUS:
      packet.opusSampleCount.map {
        MediaTime(value: Int64($0), timescale: Int32(Packet.opusSampleRate))
      }
    case AV_CODEC_ID_AAC: max(packet.duration, longest)
    default: nil
    }
  }

  /// Samples of audio before the first that is to be heard (the priming of Opus).
  package var primingSampleCount: Int { unsafe Int(max(pointer.pointee.initial_padding, 0)) }

  /// Samples of audio a second; 0 for other media.
  package var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }

  /// Channels of audio; 0 for other media.
  package var channelCount: Int { unsafe Int(candela_channel_count(pointer)) }

  /// The channels of audio, as far as they are known; those of the usual layout where only their
  /// number is.
  package var channelLayout: ChannelLayout { unsafe ChannelLayout(pointer.pointee.ch_layout) }

  /// True if decoded audio has samples of more than 16 bits.
  package var isDeepAudio: Bool {
    unsafe av_get_bytes_per_sample(AVSampleFormat(pointer.pointee.format)) > 2
  }
}

extension CodecParameters {
  /// True if blocks of JPEG 2000 may be coded by the high-throughput part (ISO/IEC 15444-15): bit
  /// 14 of `Rsiz` says that there is a marker `CAP`, which only that part has.
  static func isHighThroughputJPEG2000(_ bytes: [UInt8]) -> Bool {
    // The markers that every codestream begins with: `SOC` and `SIZ` (ISO/IEC 15444-1, A.5.1).
    let beginning: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
    // Bytes of the codestream up to `Rsiz`, that field among them.
    let length = 8
    // Bytes before the codestream that a file format may add.
    let longestWrapping = 1024
    let last = min(bytes.count - length, longestWrapping)
    guard last >= 0,
      let start = (0...last).first(where: { bytes[$0..<$0 + 4].elementsEqual(beginning) })
    else { return false }
    return bytes[start + 6] & 0x40 != 0
  }

  /// True if this FFmpeg's decoder knows the kind of frame that a packet holds: before 6.1 it makes
  /// gray of High-Throughput JPEG 2000, whose header says so. The container does not: its sample
  /// entry and its codec are those of JPEG 2000.
  package func isKnown(_ packet: Packet) -> Bool {
    guard codecName == "jpeg2000", candela_decodes_htj2k() == 0 else { return true }
    return !Self.isHighThroughputJPEG2000(packet.bytes)
  }
}
