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
    _ = FFmpeg.isSilent
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
      let plain = text.withoutDrawings
      isDrawing = isDrawing && plain.showsNothing && plain != text
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

/// An event of ASS as libavcodec's decoders give it: numbers, names and the text behind commas, in
/// which braces hold overrides.
extension String {
  /// The event without what its text draws: shapes that follow the override `\p1`, up to `\p0`.
  fileprivate var withoutDrawings: String {
    var (result, isDrawing) = ("", false)
    for part in assParts {
      if part.isOverride {
        for match in part.text.matches(of: #/\\p([0-9]+)/#) { isDrawing = match.1 != "0" }
      }
      if part.isOverride || !isDrawing { result += part.text }
    }
    return result
  }

  /// True if the event shows nothing: its text, behind eight commas, is overrides alone.
  fileprivate var showsNothing: Bool {
    let fields = split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    return String(fields.last ?? "").assParts.allSatisfy {
      $0.isOverride || $0.text.allSatisfy(\.isWhitespace)
    }
  }

  /// Overrides in braces, and what lies between them.
  private var assParts: [(text: Substring, isOverride: Bool)] {
    var (parts, rest): ([(Substring, Bool)], Substring) = ([], Substring(self))
    let (opening, closing) = (Character("\u{7B}"), Character("\u{7D}"))
    while let start = rest.firstIndex(of: opening), let end = rest[start...].firstIndex(of: closing)
    {
      parts += [(rest[..<start], false), (rest[start...end], true)]
      rest = rest[rest.index(after: end)...]
    }
    return parts + [(rest, false)]
  }
}

extension Packet {
  /// The sample of `tx3g` with its text in UTF-8 and without its styles, where it is in UTF-16
  /// (3GPP TS 26.245, 5.17.1.1: it begins with a byte order mark); the packet itself where not.
  fileprivate func withTextInUTF8() throws(LibAVError) -> Packet {
    let sample = bytes
    guard sample.count >= 4 else { return self }
    let count = min(Int(sample[0]) << 8 | Int(sample[1]), sample.count - 2)
    let text = sample[2..<2 + count]
    let isBigEndian = text.starts(with: [0xFE, 0xFF])
    guard isBigEndian || text.starts(with: [0xFF, 0xFE]) else { return self }
    let places = stride(from: text.startIndex + 2, to: text.endIndex - 1, by: 2)
    let pairs = places.map { (index: Int) -> UInt16 in
      let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    let plain = Array(String(decoding: pairs, as: UTF16.self).utf8.prefix(Int(UInt16.max)))
    return try replacing([UInt8(plain.count >> 8), UInt8(plain.count & 0xFF)] + plain)
  }
}
