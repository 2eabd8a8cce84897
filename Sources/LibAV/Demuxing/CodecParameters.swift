// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// A track's codec, with everything that a decoder or a muxer needs to know about it.
@safe
package struct CodecParameters: Sendable {
  private let parameters: SharedObject<AVCodecParameters>
  var pointer: UnsafeMutablePointer<AVCodecParameters> { unsafe parameters.pointer }

  init(copying source: UnsafePointer<AVCodecParameters>) throws(LibAVError) {
    unsafe parameters = SharedObject(try .codecParameters())
    unsafe try check(avcodec_parameters_copy(pointer, source), "avcodec_parameters_copy")
  }

  /// Copies the parameters from an encoder.
  init(of encoder: UnsafePointer<AVCodecContext>) throws(LibAVError) {
    unsafe parameters = SharedObject(try .codecParameters())
    unsafe try check(
      avcodec_parameters_from_context(pointer, encoder), "avcodec_parameters_from_context")
  }

  /// FFmpeg's name for the codec, such as `hevc`, `h264` or `aac`. For a codec that this FFmpeg
  /// does not know, this is the name that newer versions use, or else the codec's tag, or `unknown`
  /// if the tag is not text.
  package var codecName: String {
    if isKnown { return unsafe String(cString: avcodec_get_name(pointer.pointee.codec_id)) }
    let tag = unsafe pointer.pointee.codec_tag
    // FFmpeg 5.1 does not know VVC. 0x33 is VVC's stream type in MPEG-2 transport streams (ISO/IEC
    // 13818-1, table 2-34).
    if tag == 0x33 { return "vvc" }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "unknown" }
    let text = String(decoding: bytes, as: Unicode.UTF8.self)
    return VideoSampleEntry(rawValue: text)?.codec.rawValue ?? Self.names[text]
      ?? text.trimmingPrefix { $0 == " " }.description
  }

  /// The ``codecName`` if this FFmpeg knows the codec, or else `nil`.
  package var nameIfKnown: String? { isKnown ? codecName : nil }

  /// The codec, if this package reads its NAL units; `nil` for other codecs.
  package var nalCodec: NALCodec? { NALCodec(rawValue: codecName) }

  /// Whether this FFmpeg has a decoder for the codec.
  package var canBeDecoded: Bool {
    unsafe avcodec_find_decoder(pointer.pointee.codec_id) != nil
  }

  package var isKnown: Bool { unsafe pointer.pointee.codec_id != AV_CODEC_ID_NONE }

  /// Whether the track is subtitles that are stored as text.
  package var isTextSubtitle: Bool {
    // libavcodec counts captions as text, but they are commands that draw on a grid.
    if unsafe pointer.pointee.codec_id == AV_CODEC_ID_EIA_608 { return false }
    let descriptor = unsafe avcodec_descriptor_get(pointer.pointee.codec_id)
    return unsafe (descriptor?.pointee.props ?? 0) & AV_CODEC_PROP_TEXT_SUB != 0
  }

  /// Whether the track is an attached file.
  var isAttachment: Bool {
    unsafe pointer.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
  }

  /// The names of the codecs whose sample entries FFmpeg 5.1 does not know, by sample entry.
  private static let names = [
    "vvc1": "vvc", "vvi1": "vvc", "VVC ": "vvc", "H266": "vvc", "av01": "av1",
    "lhv1": "hevc", "lhe1": "hevc", "evc1": "evc", "lvc1": "lcevc", "apv1": "apv",
    "mha1": "mpegh_3d_audio", "mhm1": "mpegh_3d_audio", "iamf": "iamf", "ac-4": "ac4",
  ]

  /// The profile's name (`Main 10`); `nil` if FFmpeg does not know it.
  package var profileName: String? {
    unsafe avcodec_profile_name(pointer.pointee.codec_id, pointer.pointee.profile)
      .map { unsafe String(cString: $0) }
  }

  /// The codec's configuration, such as the content of `hvcC`, `avcC` or `av1C`, or parameter sets
  /// with start codes.
  package var extradata: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: pointer.pointee.extradata, count: Int(max(pointer.pointee.extradata_size, 0))))
  }

  /// The number of frames that a decoder holds back to reorder them. libavformat derives it from
  /// the first packets.
  package var reorderingDelay: Int { unsafe Int(max(pointer.pointee.video_delay, 0)) }

  /// Whether the number of samples in each packet of audio is known, from the packet or from the
  /// track.
  package var knowsSampleCounts: Bool {
    unsafe pointer.pointee.frame_size > 0 || pointer.pointee.codec_id == AV_CODEC_ID_OPUS
      || isEnhancedAC3 || isWavPack
  }

  /// Returns the number of samples in a packet of audio; `nil` if neither the packet nor the track
  /// states it.
  package func sampleCount(of packet: Packet) -> Int? {
    if isEnhancedAC3 { return packet.enhancedAC3SampleCount }
    if isWavPack { return packet.wavPackSampleCount }
    guard unsafe pointer.pointee.codec_id == AV_CODEC_ID_OPUS else {
      return unsafe pointer.pointee.frame_size > 0 ? Int(pointer.pointee.frame_size) : nil
    }
    // Opus counts at 48 kHz (RFC 7845, 4), and the track may have another sample rate.
    return packet.opusSampleCount.map { $0 * sampleRate / Packet.opusSampleRate }
  }

  /// Returns the duration of a packet's audio, padding included. The container may leave the
  /// padding out of the last packet's duration. Returns `nil` for a codec whose padding Matroska
  /// cannot declare reliably.
  ///
  /// - Parameter longest: the longest duration that the container gives a packet of the track.
  package func paddedDuration(of packet: Packet, longest: MediaTime) -> MediaTime? {
    switch unsafe pointer.pointee.codec_id {
    case AV_CODEC_ID_OPUS:
      packet.opusSampleCount.map {
        MediaTime(value: Int64($0), timescale: Int32(Packet.opusSampleRate))
      }
    case AV_CODEC_ID_AAC: max(packet.duration, longest)
    // For other codecs, libavformat splits audio into packets anew, and a declared padding would be
    // subtracted from the wrong packet.
    default: nil
    }
  }

  /// The number of samples before the first one to play, such as the priming of Opus.
  package var primingSampleCount: Int { unsafe Int(max(pointer.pointee.initial_padding, 0)) }

  /// The sample rate in Hz; 0 unless the track is audio.
  package var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }

  /// The number of channels; 0 unless the track is audio.
  package var channelCount: Int { unsafe Int(candela_channel_count(pointer)) }

  /// The channels of audio; the usual layout if only their number is known.
  package var channelLayout: ChannelLayout { unsafe ChannelLayout(pointer.pointee.ch_layout) }

  /// Whether decoded frames have floating-point samples.
  package var hasFloatingPointFrames: Bool {
    guard unsafe pointer.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
      let descriptor = unsafe av_pix_fmt_desc_get(AVPixelFormat(pointer.pointee.format))
    else { return false }
    return unsafe descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0
  }

  /// Whether decoded audio has samples of more than 16 bits.
  package var isDeepAudio: Bool {
    unsafe av_get_bytes_per_sample(AVSampleFormat(pointer.pointee.format)) > 2
  }
}

extension CodecParameters {
  /// Returns whether a JPEG 2000 codestream says that it can contain high-throughput coding
  /// (ISO/IEC 15444-15).
  static func isHighThroughputJPEG2000(_ bytes: [UInt8]) -> Bool {
    // Every codestream begins with the markers `SOC` and `SIZ` (ISO/IEC 15444-1, A.5.1).
    let beginning: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
    // The number of bytes from the beginning of the codestream to the end of the field `Rsiz`.
    let length = 8
    // File formats may put some bytes before the codestream.
    let longestWrapping = 1024
    let last = min(bytes.count - length, longestWrapping)
    guard last >= 0,
      let start = (0...last).first(where: { bytes[$0..<$0 + 4].elementsEqual(beginning) })
    else { return false }
    // Bit 14 of `Rsiz` announces the marker `CAP`, which only Part 15 (high throughput) defines.
    return bytes[start + 6] & 0x40 != 0
  }

  /// Returns whether this FFmpeg's decoder knows the kind of frame in a packet.
  package func isKnown(_ packet: Packet) -> Bool {
    // Before FFmpeg 6.1, the decoder makes gray frames from High-Throughput JPEG 2000. Only the
    // packet shows that variant, because its sample entry and codec are the same as for plain JPEG
    // 2000.
    guard codecName == "jpeg2000", candela_decodes_htj2k() == 0 else { return true }
    return !Self.isHighThroughputJPEG2000(packet.bytes)
  }
}
