// SPDX-License-Identifier: GPL-2.0-or-later
internal import LibAV

/// A codec that people may ask for but that Candela does not write, and what to use in its place.
///
/// To add one, add a line to `all`.
struct UnwrittenCodec {
  /// The name as messages show it.
  let title: String
  /// The names that people type, FFmpeg's first.
  let names: [String]
  let use: Use

  /// The group that a codec belongs to. The group decides what can take the codec's place.
  enum Use {
    case editing, archives, images, successor, older, newer
    case audio(instead: String)
  }

  private init(_ title: String, _ names: String..., for use: Use) {
    (self.title, self.names, self.use) = (title, names, use)
  }

  static let all: [UnwrittenCodec] = [
    .init("ProRes", "prores", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", for: .editing),
    .init("ProRes RAW", "prores_raw", "aprn", "aprh", for: .editing),
    .init("DNxHD", "dnxhd", for: .editing),
    .init("DNxHR", "dnxhr", for: .editing),
    .init("CineForm", "cfhd", "cineform", for: .editing),
    .init("APV", "apv", for: .editing),
    .init("FFV1", "ffv1", for: .archives),
    .init("HuffYUV", "huffyuv", "ffvhuff", for: .archives),
    .init("Ut Video", "utvideo", for: .archives),
    .init("MagicYUV", "magicyuv", for: .archives),
    .init("uncompressed video", "rawvideo", "raw", "v210", "yuv4mpeg", for: .archives),
    .init("Motion JPEG", "mjpeg", "jpeg", "jpg", for: .images),
    .init("JPEG 2000", "jpeg2000", "j2k", for: .images),
    .init("JPEG XL", "jpegxl", "jxl", for: .images),
    .init("JPEG XS", "jpegxs", for: .images),
    .init("PNG", "png", "apng", for: .images),
    .init("GIF", "gif", for: .images),
    .init("WebP", "webp", for: .images),
    .init("TIFF", "tiff", for: .images),
    .init("OpenEXR", "exr", for: .images),
    .init("DPX", "dpx", for: .images),
    .init("VP8", "vp8", "vpx", for: .successor),
    .init("VP9", "vp9", "vp09", for: .successor),
    .init("Theora", "theora", for: .successor),
    .init("H.261", "h261", for: .older),
    .init("H.263", "h263", for: .older),
    .init("MPEG-1", "mpeg1video", "mpeg1", for: .older),
    .init("MPEG-2", "mpeg2video", "mpeg2", "h262", for: .older),
    .init("MPEG-4 Part 2", "mpeg4", "xvid", "divx", "mp4v", for: .older),
    .init("Windows Media Video", "wmv3", "wmv1", "wmv2", "wmv", for: .older),
    .init("VC-1", "vc1", for: .older),
    .init("DV", "dvvideo", "dv", for: .older),
    .init("H.266", "vvc", "h266", "h.266", "x266", "vvenc", "libvvenc", for: .newer),
    .init("EVC", "evc", for: .newer),
    .init("AVS3", "avs3", "avs2", for: .newer),
    .init("AV2", "av2", for: .newer),
    .init("MP3", "mp3", "lame", for: .audio(instead: "aac")),
    .init("MPEG audio layer 2", "mp2", for: .audio(instead: "aac")),
    .init("Windows Media Audio", "wmav2", "wma", for: .audio(instead: "aac")),
    .init("Vorbis", "vorbis", for: .audio(instead: "opus")),
    .init("E-AC-3", "eac3", "e-ac-3", "ddp", for: .audio(instead: "ac3")),
    .init("AC-4", "ac4", "ac-4", for: .audio(instead: "ac3")),
    .init("DTS", "dts", "dca", for: .audio(instead: "ac3")),
    .init("TrueHD", "truehd", "mlp", for: .audio(instead: "flac")),
    .init("WavPack", "wavpack", for: .audio(instead: "flac")),
  ]

  /// The codecs in `all`, by each of their names.
  private static let rows = Dictionary(
    uniqueKeysWithValues: all.flatMap { codec in codec.names.map { ($0, codec) } })

  /// Finds the codec that a text names. The text may be the name that people or FFmpeg use for the
  /// codec, or the name of one of its encoders.
  init?(named text: String) {
    let text = text.lowercased()
    guard let row = Self.rows[text] ?? KnownCodec(named: text).flatMap({ Self.rows[$0.name] })
    else { return nil }
    self = row
  }

  /// The names of the codecs that can take this codec's place.
  private var replacements: [String] {
    switch use {
    case .editing, .archives: ["hevc", "h264"]
    case .images, .older: ["h264"]
    case .successor: ["av1"]
    case .newer: ["av1", "hevc"]
    case .audio(let instead): [instead]
    }
  }

  /// Returns a sentence saying that Candela does not write the codec, and what to use instead.
  /// Returns `nil` if a replacement is not among the allowed names.
  func advice(among names: [String]) -> String? {
    guard Set(replacements).isSubset(of: names) else { return nil }
    let choice = replacements.map { "'\($0)'" }.joined(separator: " or ")
    let lossless = "\(choice) with video.compressionProperties.lossless, which keeps every pixel"
    let copy = "'passthrough' if the source is \(title) already"
    let rest =
      switch use {
      case .editing: ", which is made for editing: use \(lossless), or \(copy)"
      case .archives: ": use \(lossless), or \(copy)"
      case .images: " as video: use \(choice), or make images of individual frames"
      case .successor: ", which AV1 replaces: use \(choice), or \(copy)"
      case .older: ", which takes much more space than H.264: use \(choice), or \(copy)"
      case .newer: ", which few players support: use \(choice), or \(copy)"
      case .audio: ": use \(choice), or copy the audio if it is \(title) already"
      }
    return "Candela does not write \(title)\(rest)"
  }
}
