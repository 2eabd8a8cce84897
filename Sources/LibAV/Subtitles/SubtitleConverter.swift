// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// Converts text subtitles (SubRip, ASS, WebVTT, timed text) to another container's form, with the
/// styles that this form can express.
@safe
package final class SubtitleConverter {
  /// For movies, the content of the sample entry after its reserved bytes and data reference:
  /// colors, box, style and fonts. Empty for other containers.
  package let sampleDescription: [UInt8]

  private let isTimedText: Bool
  private let ownedDecoder: Owner<UnsafeMutablePointer<AVCodecContext>>
  private let ownedEncoder: Owner<UnsafeMutablePointer<AVCodecContext>>
  private var decoder: UnsafeMutablePointer<AVCodecContext> { unsafe ownedDecoder.pointer }
  private var encoder: UnsafeMutablePointer<AVCodecContext> { unsafe ownedEncoder.pointer }

  /// Makes a converter for a track. For movies, it makes samples of `tx3g` (3GPP TS 26.245). For
  /// Matroska and WebM, it makes texts without cue numbers and times, in the container's codec for
  /// text.
  ///
  /// - Throws: ``LibAVError`` of kind `unsupported` if the track is not text.
  package init(_ track: DemuxedTrack, for container: FileType) throws(LibAVError) {
    _ = FFmpeg.isSilent
    let codec = container.isMovie ? AV_CODEC_ID_MOV_TEXT : codecID(container.textCodec)
    guard track.codec.isTextSubtitle,
      let decoding = unsafe avcodec_find_decoder(track.codec.pointer.pointee.codec_id),
      let encoding = unsafe avcodec_find_encoder(codec)
    else {
      throw LibAVError(
        "avcodec_find_decoder", candela_averror_decoder_not_found(), .findingComponent)
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

  /// Gives the encoder the styles that the decoder found.
  private static func copyHeader(
    from decoder: UnsafeMutablePointer<AVCodecContext>,
    to encoder: UnsafeMutablePointer<AVCodecContext>
  ) throws(LibAVError) {
    let size = unsafe Int(decoder.pointee.subtitle_header_size)
    guard let header = unsafe decoder.pointee.subtitle_header, size > 0 else { return }
    // The encoder frees this memory itself, so it needs its own copy. The text ends with a zero.
    guard let copy = unsafe av_mallocz(size + 1) else {
      throw LibAVError("av_mallocz", candela_averror_enomem())
    }
    unsafe copy.copyMemory(from: header, byteCount: size)
    unsafe encoder.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
    unsafe encoder.pointee.subtitle_header_size = Int32(size)
  }

  /// Converts a packet to a sample. Returns `nil` if the packet shows nothing.
  ///
  /// - Throws: ``LibAVError`` if the packet is damaged.
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
      // ASS can draw shapes in place of text. Other forms cannot, and would show the coordinates of
      // the shapes as text.
      isDrawing = isDrawing && plain.showsNothing && plain != text
      guard plain != text, let copy = unsafe av_strdup(plain) else { continue }
      unsafe av_free(event)
      unsafe rect.pointee.ass = copy
    }
    if isDrawing { return nil }
    // The encoder wants times that count from the beginning of the sample.
    unsafe subtitle.start_display_time = 0
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    let count = unsafe avcodec_encode_subtitle(encoder, &bytes, Int32(bytes.count), &subtitle)
    try check(count, "avcodec_encode_subtitle")
    return Array(bytes.prefix(Int(count)))
  }

  /// A number of bytes that is enough for the largest sample: a text of 65 535 bytes with its
  /// styles.
  private static let largest = 1 << 18
}

/// Returns libavcodec's identifier for the codec with a name.
func codecID(_ name: String) -> AVCodecID {
  unsafe avcodec_descriptor_get_by_name(name)?.pointee.id ?? AV_CODEC_ID_NONE
}

/// An ASS event as libavcodec's decoders return it: numbers, names and the text separated by
/// commas, with overrides in braces.
extension String {
  /// The event without the shapes that its text draws. They begin after an override `\p` with any
  /// number above 0, such as `\p1`, and end at `\p0`.
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

  /// Whether the event's text consists only of overrides and white space.
  fileprivate var showsNothing: Bool {
    // The text comes after eight commas and may have commas itself.
    let fields = split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    return String(fields.last ?? "").assParts.allSatisfy {
      $0.isOverride || $0.text.allSatisfy(\.isWhitespace)
    }
  }

  /// The overrides in braces, and the text between them.
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
  /// Returns a packet of `tx3g` whose text is UTF-8. A text in UTF-16 is converted and loses its
  /// styles. Any other packet is returned unchanged.
  fileprivate func withTextInUTF8() throws(LibAVError) -> Packet {
    let sample = bytes
    guard sample.count >= 4 else { return self }
    let count = min(Int(sample[0]) << 8 | Int(sample[1]), sample.count - 2)
    let text = sample[2..<2 + count]
    // UTF-16 begins with a byte order mark (3GPP TS 26.245, 5.17.1.1), but libavcodec reads only
    // UTF-8.
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
