// SPDX-License-Identifier: GPL-2.0-or-later

/// Other names of the field for things that presets call otherwise.
private let synonyms = [
  "h265": "hevc", "h.265": "hevc", "x265": "hevc", "libx265": "hevc", "hvc1": "hevc",
  "avc": "h264", "h.264": "h264", "x264": "h264", "libx264": "h264", "avc1": "h264",
  "copy": "passthrough", "tv": "limited", "mpeg": "limited", "pc": "full", "jpeg": "full",
  "crf": "constantRateFactor", "preset": "speed",
]

/// Names of other codecs, which are no slip for those that are near.
private let otherCodecs: Set = [
  "av1", "av01", "h261", "h262", "h263", "h266", "mpeg1", "mpeg2", "mpeg4", "vp8", "vp9", "vvc",
]

/// Finds the name that somebody probably meant, among those that there are.
extension [String] {
  /// The name that a text is, upper and lower case and the field's other names being one; nil where
  /// there is none.
  package func match(for text: String) -> String? {
    let text = text.lowercased()
    return first { $0.lowercased() == text } ?? synonyms[text].flatMap { contains($0) ? $0 : nil }
  }

  /// The name with the fewest edits to it or to another name of it, if it is close enough to be
  /// meant; nil if none is.
  package func nearest(to text: String) -> String? {
    let text = text.lowercased()
    guard text.utf8.count <= 100, !otherCodecs.contains(text) else { return nil }
    let spellings =
      map { (spelling: $0.lowercased(), name: $0) }
      + synonyms.filter { contains($0.value) }.sorted { $0.key < $1.key }
      .map { (spelling: $0.key, name: $0.value) }
    let ranked = spellings.map { (name: $0.name, distance: $0.spelling.editDistance(to: text)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= Swift.max(text.count > 4 ? 2 : 1, text.count / 3) { return best.name }
    return onlyOne(with: text)
  }

  /// The name of which a text is a part, as `profile` is of `profileLevel`; nil for a text of less
  /// than four letters, for none and for several.
  private func onlyOne(with text: String) -> String? {
    guard text.count > 3 else { return nil }
    let longer = filter { $0.lowercased().contains(text) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// ", did you mean 'x'?" or a list of the allowed names.
  package func hint(for text: String) -> String {
    if let nearest = nearest(to: text) { return "did you mean '\(nearest)'?" }
    return "allowed are \(map { "'\($0)'" }.joined(separator: ", "))"
  }
}

extension String {
  /// The text as a message quotes it: of a long one, its beginning.
  var shortened: String {
    utf8.count > 100 ? String(String.UnicodeScalarView(unicodeScalars.prefix(80))) + "…" : self
  }

  /// Number of letters to insert, to leave out, to replace or to exchange with the next.
  fileprivate func editDistance(to other: String) -> Int {
    let a = Array(self)
    let b = Array(other)
    var before: [Int] = []
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var next = [i + 1]
      for (j, y) in b.enumerated() {
        var best = Swift.min(next[j] + 1, row[j + 1] + 1, row[j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { best = Swift.min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}
