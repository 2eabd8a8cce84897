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

  /// Names of other codecs, which are no slip for those that are near.
  private static let others: Set = [
    "av1", "av01", "h261", "h262", "h263", "h266", "mpeg1", "mpeg2", "mpeg4", "vp8", "vp9", "vvc",
  ]

  /// The candidate that a text is, upper and lower case and the field's other names being one; nil
  /// where there is none.
  package static func exactly(_ text: String, among candidates: [String]) -> String? {
    let text = text.lowercased()
    return candidates.first { $0.lowercased() == text }
      ?? synonyms[text].flatMap { candidates.contains($0) ? $0 : nil }
  }

  /// The candidate with the fewest edits to it or to another name of it, if it is close enough to
  /// be meant; nil if none is.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    let name = name.lowercased()
    guard name.utf8.count <= 100, !others.contains(name) else { return nil }
    let names =
      candidates.map { (name: $0.lowercased(), candidate: $0) }
      + synonyms.filter { candidates.contains($0.value) }.sorted { $0.key < $1.key }
      .map { (name: $0.key, candidate: $0.value) }
    let ranked = names.map { (candidate: $0.candidate, distance: distance(name, $0.name)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(name.count > 3 ? 2 : 1, name.count / 3) ? best.candidate : nil
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
