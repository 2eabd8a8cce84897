// SPDX-License-Identifier: GPL-2.0-or-later
/// Finds the name that somebody probably meant.
package enum NearestName {
  /// Other names of the field for things that presets call otherwise.
  private static let synonyms = [
    "h265": "hevc", "h.265": "hevc", "x265": "hevc", "libx265": "hevc", "hvc1": "hevc",
    "avc": "h264", "h.264": "h264", "x264": "h264", "libx264": "h264", "avc1": "h264",
    "copy": "passthrough", "tv": "limited", "mpeg": "limited", "pc": "full", "jpeg": "full",
    "crf": "constantRateFactor", "bitrate": "averageBitRate", "preset": "speed",
  ]

  /// The candidate that a text is, upper and lower case and the field's other names being one; nil
  /// where there is none.
  package static func exactly(_ text: String, among candidates: [String]) -> String? {
    let text = text.lowercased()
    return candidates.first { $0.lowercased() == text }
      ?? synonyms[text].flatMap { candidates.contains($0) ? $0 : nil }
  }

  /// The candidate with the fewest edits, if it is close enough to be meant; nil if none is.
  static func of(_ name: String, among candidates: [String]) -> String? {
    guard name.utf8.count <= 100 else { return nil }
    let ranked = candidates.map { ($0, distance(name.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(2, name.count / 3) ? best.0 : nil
  }

  /// ", did you mean 'x'?" or a list of the allowed names.
  package static func hint(for name: String, among candidates: [String]) -> String {
    if let nearest = of(name, among: candidates) { return "did you mean '\(nearest)'?" }
    return "allowed are \(candidates.map { "'\($0)'" }.joined(separator: ", "))"
  }

  /// Levenshtein's distance.
  private static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let cost = x == y ? diagonal : diagonal + 1
        diagonal = row[j + 1]
        row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}

extension String {
  /// The text as a message quotes it: of a long one, its beginning.
  var shortened: String {
    utf8.count > 100 ? String(String.UnicodeScalarView(unicodeScalars.prefix(80))) + "…" : self
  }
}
