// SPDX-License-Identifier: GPL-2.0-or-later
/// Finds the name that somebody probably meant.
package enum NearestName {
  /// Other names of the field for things that presets call otherwise.
  private static let synonyms = [
    "h265": "hevc", "h.265": "hevc", "x265": "hevc", "libx265": "hevc", "hvc1": "hevc",
    "avc": "h264", "h.264": "h264", "x264": "h264", "libx264": "h264", "avc1": "h264",
    "copy": "passthrough", "tv": "limited", "mpeg": "limited", "pc": "full", "jpeg": "full",
    "crf": "constantRateFactor", "preset": "speed",
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
    if best.distance <= max(name.count > 4 ? 2 : 1, name.count / 3) { return best.candidate }
    return onlyOne(with: name, among: candidates)
  }

  /// The candidate of which a name is a part, as `profile` is of `profileLevel`; nil for a name of
  /// less than four letters, for none and for several.
  private static func onlyOne(with name: String, among candidates: [String]) -> String? {
    guard name.count > 3 else { return nil }
    let longer = candidates.filter { $0.lowercased().contains(name) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// ", did you mean 'x'?" or a list of the allowed names.
  package static func hint(for name: String, among candidates: [String]) -> String {
    if let nearest = of(name, among: candidates) { return "did you mean '\(nearest)'?" }
    return "allowed are \(candidates.map { "'\($0)'" }.joined(separator: ", "))"
  }

  /// Number of letters to insert, to leave out, to replace or to exchange with the next.
  private static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    var before: [Int] = []
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var next = [i + 1]
      for (j, y) in b.enumerated() {
        var best = min(next[j] + 1, row[j + 1] + 1, row[j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { best = min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
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
