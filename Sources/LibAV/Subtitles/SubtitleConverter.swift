// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

/// Makes subtitles that are text (SubRip, ASS, WebVTT, timed text) those of another container.
/// Styles are kept as far as it has them.
@safe
package final class SubtitleConverter {
  /// The forms that texts can get.
  package enum Form {
    /// Samples of `tx3g` (3GPP TS 26.245), for movies.
    case timedText
    /// SubRip without numbers and times, for Matroska.
    case subRip

    fileprivate var codec: AVCodecID {
      switch self {
      case .timedText: AV_CODEC_ID_MOV_TEXT
      case .subRip: AV_CODEC_ID_SUBRIP
      }
    }
  }

  /// The content of the sample entry behind its reserved bytes and its data reference: colors, box,
  /// style and fonts. Empty for SubRip.
  package let sampleDescription: [UInt8]

  /// True if packets are samples of `tx3g`.
  private let isTimedText: Bool
  private let ownedDecoder: Owner<UnsafeMutablePointer<AVCodecContext>>
  private let ownedEncoder: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var decoder: UnsafeMutablePointer<AVCodecContext> { unsafe ownedDecoder.pointer }
  private var encoder: UnsafeMutablePointer<AVCodecContext> { unsafe ownedEncoder.pointer }

  /// A converter for a track.
  ///
  /// - Throws: ``LibAVError`` of kind `unsupported` where the track is no text.
  package init(_ track: DemuxedTrack, to form: Form) throws(LibAVError) {
    _ = LibraryLog.isSilent
    guard track.codec.isTextSubtitle,
      let decoding = unsafe avcodec_find_decoder(track.codec.pointer.pointee.codec_id),
      let encoding = unsafe avcodec_find_encoder(form.codec)
    else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(), .findingDecoder)
    }
    isTimedText = unsafe decoding.pointee.id == AV_CODEC_ID_MOV_TEXT
    unsafe ownedDecoder = try unsafe .codecContext(decoding)
    unsafe ownedEncoder = try unsafe .codecContext(encoding)
    let (decoder, encoder) = unsafe (ownedDecoder.pointer, ownedEncoder.pointer)
    try unsafe check(
      avcodec_parameters_to_context(decoder, track.codec.pointer), "avcodec_parameters_to_context")
    unsafe decoder.pointee.pkt_timebase = track.timeBase
    try unsafe check(avcodec_open2(decoder, decoding, nil), "avcodec_open2", context: "subtitles")
    try unsafe Self.copyHeader(from: decoder, to: encoder)
    unsafe encoder.pointee.time_base = AVRational(num: 1, den: 1000)
    try unsafe check(avcodec_open2(encoder, encoding, nil), "avcodec_open2", context: "subtitles")
    sampleDescription = unsafe Array(
      UnsafeBufferPointer(
        start: encoder.pointee.extradata, count: Int(max(encoder.pointee.extradata_size, 0))))
  }

  /// The encoder takes the styles that the decoder found, and frees its copy.
  private static func copyHeader(
    from decoder: UnsafeMutablePointer<AVCodecContext>,
    to encoder: UnsafeMutablePointer<AVCodecContext>
  ) throws(LibAVError) {
    let size = unsafe Int(decoder.pointee.subtitle_header_size)
    guard let header = unsafe decoder.pointee.subtitle_header, size > 0 else { return }
    guard let copy = unsafe av_mallocz(size + 1) else {
      throw LibAVError("av_mallocz", candela_averror_enomem())
    }
    unsafe copy.copyMemory(from: header, byteCount: size)
    unsafe encoder.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
    unsafe encoder.pointee.subtitle_header_size = Int32(size)
  }

  /// The sample of a packet; nil where it shows nothing.
  ///
  /// - Throws: ``LibAVError`` for a damaged packet.
  package func convert(_ packet: Packet) throws(LibAVError) -> [UInt8]? {
    var subtitle = unsafe AVSubtitle()
    var hasSubtitle: Int32 = 0
    defer { unsafe avsubtitle_free(&subtitle) }
    let packet = try isTimedText ? packet.withTextInUTF8() : packet
    try unsafe check(
      avcodec_decode_subtitle2(decoder, &subtitle, &hasSubtitle, packet.pointer),
      "avcodec_decode_subtitle2")
    guard unsafe hasSubtitle != 0 && subtitle.num_rects > 0 else { return nil }
    var isDrawing = true
    for index in unsafe 0..<Int(subtitle.num_rects) {
      guard let rect = unsafe subtitle.rects[index], let event = unsafe rect.pointee.ass else {
        continue
      }
      let text = unsafe String(cString: event)
      let plain = ASSText.withoutDrawings(text)
      isDrawing = isDrawing && ASSText.isEmpty(plain) && plain != text
      guard plain != text, let copy = unsafe av_strdup(plain) else { continue }
      unsafe av_free(event)
      unsafe rect.pointee.ass = copy
    }
    if isDrawing { return nil }
    // The encoder wants times to begin with the sample.
    unsafe subtitle.start_display_time = 0
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    let count = unsafe avcodec_encode_subtitle(encoder, &bytes, Int32(bytes.count), &subtitle)
    try check(count, "avcodec_encode_subtitle")
    return Array(bytes.prefix(Int(count)))
  }

  /// The most bytes of a sample: a text of 65 535 bytes and its styles.
  private static let largest = 1 << 18
}
