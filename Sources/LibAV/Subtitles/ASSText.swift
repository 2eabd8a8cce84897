// SPDX-License-Identifier: GPL-2.0-or-later
/// An event of ASS as libavcodec's decoders give it: numbers, names and the text behind commas, in
/// which braces hold overrides.
enum ASSText {
  /// The event without what its text draws: shapes that follow the override `\p1`, up to `\p0`.
  static func withoutDrawings(_ event: String) -> String {
    var (result, isDrawing) = ("", false)
    for part in parts(of: event) {
      if part.isOverride {
        for match in part.text.matches(of: #/\\p([0-9]+)/#) { isDrawing = match.1 != "0" }
      }
      if part.isOverride || !isDrawing { result += part.text }
    }
    return result
  }

  /// True if an event shows nothing: its text, behind eight commas, is overrides alone.
  static func isEmpty(_ event: String) -> Bool {
    let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    return parts(of: String(fields.last ?? "")).allSatisfy {
      $0.isOverride || $0.text.allSatisfy(\.isWhitespace)
    }
  }

  /// Overrides in braces, and what lies between them.
  private static func parts(of event: String) -> [(text: Substring, isOverride: Bool)] {
    var (parts, rest): ([(Substring, Bool)], Substring) = ([], Substring(event))
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
  func withTextInUTF8() throws(LibAVError) -> Packet {
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
