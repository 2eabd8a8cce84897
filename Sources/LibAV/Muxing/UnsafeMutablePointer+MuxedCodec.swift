// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

// Left alone, libavformat would choose tags that readers do not understand, or change samples that
// are already right. So it gets parameters that differ from the codec's own.
extension UnsafeMutablePointer<AVCodecParameters> {
  /// Passes the track's codec off as one whose samples the movie muxer neither checks nor changes.
  /// The sample entry is written elsewhere.
  func becomeOpaque() {
    unsafe pointee.codec_tag = 0
    unsafe forgetExtradata()
    guard unsafe pointee.codec_type == AVMEDIA_TYPE_AUDIO else {
      unsafe pointee.codec_id = AV_CODEC_ID_MPEG4
      return
    }
    unsafe pointee.codec_id = AV_CODEC_ID_MP2
    unsafe keepPackets()
  }

  /// Makes the muxer store each packet of audio as one sample.
  func keepPackets() {
    // Without a frame length, libavformat stores packets that all have the same size as if they
    // were PCM. Any length above 1 prevents that.
    guard unsafe pointee.codec_type == AVMEDIA_TYPE_AUDIO, unsafe pointee.frame_size <= 1 else {
      return
    }
    unsafe pointee.frame_size = 256
  }

  /// Chooses the tag for a movie muxer: the source's tag, if it means the same codec in movies.
  func chooseTag(for format: UnsafePointer<AVOutputFormat>) {
    // Some of libavformat's codecs cover many forms of frames, and only the tag says which.
    let codec = unsafe pointee.codec_id
    switch codec {
    case AV_CODEC_ID_PRORES: unsafe pointee.codec_tag = proResTag
    // AVI's tags name encoders, and a sample entry under such a name has no `esds`.
    case AV_CODEC_ID_MPEG4: unsafe pointee.codec_tag = 0
    default:
      let own = unsafe candela_codec_of_muxer(format, pointee.codec_tag)
      // If the muxer has no tag for a codec, it takes AVI's first one. Keep the source's tag if it
      // is another of AVI's tags for the codec.
      let isOfAVI = unsafe candela_codec_in_avi(pointee.codec_tag) == codec
      let isFree = unsafe own == AV_CODEC_ID_NONE && candela_tag_of_muxer(format, codec) == 0
      if own != codec && !(isFree && isOfAVI) { unsafe pointee.codec_tag = 0 }
    }
  }

  /// Whether these are uncompressed frames in a form for which libavformat cannot write a correct
  /// sample entry in a movie.
  var isUnsupportedInMovies: Bool {
    // libavformat would write an entry for a different form of frames, or an entry without the
    // palette.
    let codec = unsafe pointee.codec_id
    let isMovieCodec = unsafe candela_codec_in_quicktime(pointee.codec_tag) == codec
    let form = unsafe AVPixelFormat(pointee.format)
    return codec == AV_CODEC_ID_RAWVIDEO
      && (isMovieCodec ? form == AV_PIX_FMT_PAL8 : !formsWithEntry.contains(form))
  }

  /// Makes the Matroska muxer write what a decoder needs.
  ///
  /// - Parameter entry: the track's sample entry in QuickTime; `nil` if there is none.
  func suitMatroska(_ entry: [UInt8]?) throws(LibAVError) {
    let codec = unsafe pointee.codec_id
    // Decoders of QuickTime's codecs need the whole sample entry. Copies that FFmpeg itself makes
    // lack the entry, so nothing can decode them.
    if let entry, !matroskaCodecs.contains(codec), unsafe isQuickTime(entry) {
      return try unsafe becomeQuickTime(entry)
    }
    switch codec {
    case AV_CODEC_ID_PRORES: unsafe pointee.codec_tag = proResTag
    case AV_CODEC_ID_RAWVIDEO:
      // FFmpeg's decoder learns the form of samples from this tag. The muxer stores the tag in a
      // header like AVI's. Forms that only FFmpeg knows have no tag in AVI, so they get FFmpeg's
      // own tag.
      guard unsafe candela_codec_in_avi(pointee.codec_tag) != codec else { return }
      let form = unsafe avcodec_pix_fmt_to_codec_tag(AVPixelFormat(pointee.format))
      unsafe pointee.codec_tag = form
    default:
      // Clear a tag that does not mean this codec in AVI. Without a tag, the muxer stores the codec
      // in another way.
      let isKnown = unsafe candela_codec_in_avi(pointee.codec_tag) == codec
      if !isKnown { unsafe pointee.codec_tag = 0 }
    }
  }

  /// Returns whether readers find the codec by a sample entry's type.
  private func isQuickTime(_ entry: [UInt8]) -> Bool {
    guard entry.count >= quickTimeEntrySize else { return false }
    return unsafe candela_codec_in_quicktime(tag(entry[4..<8])) == pointee.codec_id
  }

  /// Makes the muxer write V_QUICKTIME, whose configuration is the whole sample entry (Matroska's
  /// codec mappings).
  private func becomeQuickTime(_ entry: [UInt8]) throws(LibAVError) {
    unsafe forgetExtradata()
    try unsafe setExtradata(entry)
    // The muxer writes V_QUICKTIME for a codec that only QuickTime has, such as `QTRLE`. It leaves
    // the sample entry unchanged if it does not know the track's tag, so use a made-up tag.
    unsafe pointee.codec_id = AV_CODEC_ID_QTRLE
    unsafe pointee.codec_tag = tag("cndl".utf8)
  }

  private func forgetExtradata() {
    unsafe av_free(pointee.extradata)
    unsafe pointee.extradata = nil
    unsafe pointee.extradata_size = 0
  }

  /// The four characters that name the kind of ProRes: the track's own tag if it is one of ProRes,
  /// otherwise the tag for FFmpeg's profile number; 0 if neither is known.
  private var proResTag: UInt32 {
    let own = unsafe pointee.codec_tag
    let profile = unsafe Int(pointee.profile)
    if proResTags.contains(own) { return own }
    return proResTags.indices.contains(profile) ? proResTags[profile] : 0
  }
}

/// Returns four characters as libavformat stores them, the first in the lowest byte.
private func tag(_ characters: some BidirectionalCollection<UInt8>) -> UInt32 {
  characters.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

private let proResTags = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"].map { tag($0.utf8) }

/// The forms of uncompressed frames that have their own names in QuickTime and need no palette
/// (FFmpeg 5.1, libavformat/movenc.c, `mov_pix_fmt_tags`).
private let formsWithEntry = [
  AV_PIX_FMT_YUYV422, AV_PIX_FMT_UYVY422, AV_PIX_FMT_RGB555BE, AV_PIX_FMT_RGB555LE,
  AV_PIX_FMT_RGB565BE, AV_PIX_FMT_RGB565LE, AV_PIX_FMT_GRAY16BE, AV_PIX_FMT_RGB24,
  AV_PIX_FMT_BGR24, AV_PIX_FMT_ARGB, AV_PIX_FMT_BGRA, AV_PIX_FMT_RGBA, AV_PIX_FMT_ABGR,
  AV_PIX_FMT_RGB48BE,
]

/// The number of bytes of a video sample entry before its boxes (QuickTime File Format, Video
/// Sample Description).
private let quickTimeEntrySize = 86

/// The video codecs for which Matroska has its own names (Matroska's codec mappings).
private let matroskaCodecs: [AVCodecID] = [
  AV_CODEC_ID_AV1, AV_CODEC_ID_AVS2, AV_CODEC_ID_AVS3, AV_CODEC_ID_DIRAC, AV_CODEC_ID_FFV1,
  AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MJPEG, AV_CODEC_ID_MPEG1VIDEO,
  AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MSMPEG4V3, AV_CODEC_ID_PRORES,
  AV_CODEC_ID_RV10, AV_CODEC_ID_RV20, AV_CODEC_ID_RV30, AV_CODEC_ID_RV40, AV_CODEC_ID_SNOW,
  AV_CODEC_ID_THEORA, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
]
