// SPDX-License-Identifier: GPL-2.0-or-later
internal import LibAV

// Names that people know from other programs, for keys and values that have a different name in
// presets.
private let synonyms = [
  "h265": "hevc", "h.265": "hevc", "x265": "hevc", "libx265": "hevc", "hvc1": "hevc",
  "avc": "h264", "h.264": "h264", "x264": "h264", "libx264": "h264", "avc1": "h264",
  "av01": "av1", "svt-av1": "av1", "svtav1": "av1", "libsvtav1": "av1",
  "copy": "passthrough", "tv": "limited", "mpeg": "limited", "pc": "full", "jpeg": "full",
  "crf": "constantRateFactor", "preset": "speed", "matroska": "mkv", "m4v": "mp4",
  "quicktime": "mov",
]

// What people may mean by words that are too vague to be taken for a name, and by the names of
// encoders that Candela does not have.
private let meanings = [
  "off": ["none"], "no": ["none", "off"], "false": ["none", "off"], "on": ["auto"],
  "yes": ["auto"], "true": ["auto"], "fastest": ["ultrafast"], "slowest": ["placebo"],
  "libfdk_aac": ["aac"], "fdk_aac": ["aac"], "libfdk": ["aac"], "fdk": ["aac"],
  "libfaac": ["aac"], "av_aac": ["aac"], "ca_aac": ["aac"], "aac_at": ["aac"],
  "pcm": ["pcm_s16le"], "wav": ["pcm_s16le"],
]

// The ends of the names of encoders that run on a GPU, as in `hevc_nvenc`.
private let hardware = ["nvenc", "qsv", "vaapi", "amf", "videotoolbox", "v4l2m2m", "vulkan"]

/// Finds the name that somebody probably meant.
extension [String] {
  /// Returns the name that a text stands for, ignoring case and accepting synonyms.
  package func match(for text: String) -> String? {
    let text = text.lowercased()
    return first { $0.lowercased() == text } ?? synonyms[text].flatMap { contains($0) ? $0 : nil }
  }

  /// Returns the name that a text probably means: one of `meanings`, the end of one of Apple's
  /// constants, the name that is the fewest edits away, or the only name that contains the text.
  /// Returns `nil` if no name is near.
  package func nearest(to text: String) -> String? {
    let text = text.lowercased()
    // Computing the edit distance takes time that grows with the square of the length, so long
    // texts are not compared.
    guard text.utf8.count <= 100 else { return nil }
    // A single edit turns `h263` into `h264`, or `vvc` into `avc`. But somebody who writes `h263`
    // or `vvc` means a different codec, so do not correct these names.
    guard UnwrittenCodec(named: text)?.advice(among: self) == nil else { return nil }
    if let name = meanings[text]?.first(where: contains) { return name }
    // HandBrake adds a codec to `copy`, as in `copy:aac`.
    if text.contains(":"), let name = match(for: String(text.prefix { $0 != ":" })) { return name }
    if let name = name(inConstant: text) { return name }
    let spellings =
      map { (spelling: $0.lowercased(), name: $0) }
      // Sort the synonyms, so that every run suggests the same one of two equally near names.
      + synonyms.filter { contains($0.value) }.sorted { $0.key < $1.key }
      .map { (spelling: $0.key, name: $0.value) }
    let ranked = spellings.map { (name: $0.name, distance: $0.spelling.editDistance(to: text)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= Self.mostSlips(in: text) { return best.name }
    return onlyOne(with: text)
  }

  /// Returns how many edits of a text may be slips. A text that needs more edits is a different
  /// word.
  private static func mostSlips(in text: String) -> Int {
    switch text.count {
    case ...2: 0
    // Two edits turn `title` into `file`, and `stats` into `shots`.
    case ...5: 1
    default: Swift.max(2, text.count / 3)
    }
  }

  /// Returns the name that one of Apple's constants contains, as `AVVideoCodecKey` contains
  /// `codec`.
  private func name(inConstant text: String) -> String? {
    guard ["avvideo", "avaudio", "av", "kvt", "kcv"].contains(where: text.hasPrefix) else {
      return nil
    }
    let end = text.hasSuffix("key") ? text.dropLast("key".count) : text[...]
    // A constant may end in a name of up to three letters by chance, so such names do not count.
    return filter { $0.count > 3 && end.hasSuffix($0.lowercased()) }.max { $0.count < $1.count }
  }

  /// Returns the only name that contains a text, as `profileLevel` contains `profile`.
  private func onlyOne(with text: String) -> String? {
    // Texts of up to three letters may occur in a name by chance, so they do not count.
    guard text.count > 3 else { return nil }
    let longer = filter { $0.lowercased().contains(text) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// Returns "did you mean 'x'?", what to use instead of a codec that Candela does not write, or a
  /// list of the allowed names.
  package func hint(for text: String) -> String {
    if let nearest = nearest(to: text) { return "did you mean '\(nearest)'?" }
    let isEncoder = hardware.contains { text.lowercased().hasSuffix("_\($0)") }
    if isEncoder { return "Candela does not encode on GPUs: use one of \(quoted)" }
    if let advice = UnwrittenCodec(named: text)?.advice(among: self) { return advice }
    guard let codec = KnownCodec(named: text), contains(codec.isVideo ? "hevc" : "aac") else {
      return "use one of \(quoted)"
    }
    // For some codecs, FFmpeg has several encoders. `libaom-av1`, for example, means AV1.
    if contains(codec.name) { return "did you mean '\(codec.name)'?" }
    return "Candela does not write \(codec.title): use one of \(quoted)"
  }

  private var quoted: String {
    map { "'\($0)'" }.joined(separator: ", ")
  }
}

extension String {
  /// The text as a message quotes it. Long text is cut.
  var shortened: String {
    // Cut between scalars, because one character can consist of any number of them.
    utf8.count > 100 ? String(String.UnicodeScalarView(unicodeScalars.prefix(80))) + "…" : self
  }

  /// Returns the number of edits between two texts. An edit inserts, deletes or replaces a
  /// character, or swaps two neighbors.
  fileprivate func editDistance(to other: String) -> Int {
    let a = Array(self)
    let b = Array(other)
    var before: [Int] = []
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var next = [i + 1]
      for (j, y) in b.enumerated() {
        var best = Swift.min(next[j] + 1, row[j + 1] + 1, row[j] + (x == y ? 0 : 1))
        // A swap of neighbors, the most common slip (`hvec`), counts as one edit, not as two.
        if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { best = Swift.min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}
