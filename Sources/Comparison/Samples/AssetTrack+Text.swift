// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV

extension AssetTrack {
  /// FFmpeg's names of the codecs of text, which become each other where containers differ.
  private static let textCodecs: Set = [
    "mov_text", "text", "subrip", "ass", "ssa", "webvtt", "ttml",
  ]

  /// True if the samples are texts.
  var isText: Bool { Self.textCodecs.contains(demuxed.codec.codecName) }

  /// True if a sample of text shows a letter. Containers without gaps between samples have empty
  /// ones for the time between texts, and ASS has events that only draw.
  func showsText(in sample: [UInt8]) -> Bool {
    let codec = demuxed.codec.codecName
    // Samples of a movie file have forms of their own.
    let isInMovie = box != nil
    switch codec {
    case "mov_text", "text":
      // In movies behind a length of 16 bits, before styles.
      guard codec == "mov_text" || isInMovie else { return Self.hasLetters(sample[...]) }
      guard sample.count > 2 else { return false }
      let count = Int(sample[0]) << 8 | Int(sample[1])
      return sample[2...].prefix(count).contains { $0 > 0x20 }
    case "webvtt" where isInMovie:
      // Cues have a box with their text (ISO/IEC 14496-30).
      return sample.contains("payl".utf8)
    case "ass", "ssa":
      // The text is the ninth field.
      let fields = sample.split(
        separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
      return fields.count == 9 && Self.hasLetters(fields[8])
    default: return Self.hasLetters(sample[...])
    }
  }

  /// True if something is left of a text without its tags, its overrides in braces, and drawings,
  /// which `\p1` begins and `\p0` ends.
  private static func hasLetters(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).replacing(/<[^>]*>|\\[Nnh]/, with: "")
    var isDrawing = false
    for part in text.split(separator: "{") {
      var plain = part
      if part.hasPrefix("\\"), let end = part.firstIndex(of: "}") {
        if let mode = part[..<end].matches(of: /\\p([0-9]+)/).last { isDrawing = mode.1 != "0" }
        plain = part[part.index(after: end)...]
      }
      if !isDrawing, plain.contains(where: { !$0.isWhitespace }) { return true }
    }
    return false
  }
}
