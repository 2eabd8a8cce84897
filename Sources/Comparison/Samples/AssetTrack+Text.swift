// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV

extension AssetTrack {
  // FFmpeg's names for text codecs. In another container, text may get another of these codecs.
  private static let textCodecs: Set = [
    "mov_text", "text", "subrip", "ass", "ssa", "webvtt", "ttml",
  ]

  /// Whether the samples are text.
  var isText: Bool { Self.textCodecs.contains(demuxed.codec.codecName) }

  /// Whether a text sample shows any letter.
  func showsText(in sample: [UInt8]) -> Bool {
    // Containers that cannot have gaps fill the time between texts with empty samples, and ASS has
    // events that only draw shapes.
    let codec = demuxed.codec.codecName
    // Movies store text differently from other files.
    let isInMovie = box != nil
    switch codec {
    case "mov_text", "text":
      // In a movie, a 16-bit length precedes the text, and styles follow it (3GPP TS 26.245).
      guard codec == "mov_text" || isInMovie else { return Self.hasLetters(sample[...]) }
      guard sample.count > 2 else { return false }
      let count = Int(sample[0]) << 8 | Int(sample[1])
      return sample[2...].prefix(count).contains { $0 > 0x20 }
    case "webvtt" where isInMovie:
      // A cue's text is in its `payl` box. An empty cue has none (ISO/IEC 14496-30).
      return sample.contains("payl".utf8)
    case "ass", "ssa":
      // In Matroska, an ASS event has eight fields before its text, and only the text may contain
      // commas.
      let fields = sample.split(
        separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
      return fields.count == 9 && Self.hasLetters(fields[8])
    default: return Self.hasLetters(sample[...])
    }
  }

  /// Whether a text has letters besides tags, override codes in braces, and drawings.
  private static func hasLetters(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).replacing(/<[^>]*>|\\[Nnh]/, with: "")
    var isDrawing = false
    for part in text.split(separator: "{") {
      var plain = part
      if part.hasPrefix("\\"), let end = part.firstIndex(of: "}") {
        // In ASS, `\p1` begins a drawing and `\p0` ends it. In between there are coordinates, not
        // letters.
        if let mode = part[..<end].matches(of: /\\p([0-9]+)/).last { isDrawing = mode.1 != "0" }
        plain = part[part.index(after: end)...]
      }
      if !isDrawing, plain.contains(where: { !$0.isWhitespace }) { return true }
    }
    return false
  }
}
