// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

// The reader, the schema and the documentation are all made from the rows in ``all``, so they
// cannot disagree.
/// A key of a preset: its path, its values and its meaning.
package struct PresetKey: Sendable {
  /// The values that a key accepts.
  enum Values: Sendable {
    case object
    /// One of several words, an object, or an array of such objects.
    case rules(words: [String])
    /// An object with arbitrary keys.
    case anyObject
    case boolean
    case text(pattern: String?)
    /// One of several words, or text of another form.
    case wordsOrText([String], form: String, pattern: String)
    /// Text, or a number with the same meaning.
    case textOrNumber(pattern: String, ClosedRange<Double>)
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// One of several names, or a number with the same meaning.
    case names([String], numbers: ClosedRange<Int>? = nil)
    /// A code point of H.273, as a number or a name.
    case codePoint(examples: [String])
    /// A list of pairs of numbers. The text names both numbers: `bytes and seconds`.
    case pairs(String)
    /// One of several names, or a list of numbers and names.
    case selection([String])
  }

  typealias Read =
    @Sendable (
      _ reader: SettingsReader, _ key: String, _ settings: inout TranscodeSettings
    ) throws(TranscodingError) -> Void

  /// The property that a value is stored in.
  typealias Place<Value> = any WritableKeyPath<TranscodeSettings, Value> & Sendable

  /// The path from the top, with dots: `video.conversion.toneMapping`.
  package let path: String
  let values: Values
  /// The value that an absent key means, or `nil` if absence means something other than a value.
  var usual: JSONValue?
  /// What the key is for, in sentences.
  var summary = ""
  // An update may change what a preset produces only if the documentation warned of it.
  /// Whether a later version may have a different default.
  var hasChangeableDefault = false
  /// What to say after "is missing" if the key is required, or `nil` if it may be absent.
  var missing: String?
  /// The group of the key. An object may have only one key of a group.
  var group: String?
  /// Stores the value in the settings. Called only if the key is present, except for `video`.
  let read: Read

  /// The words that the key takes. Empty for a key whose values are not words.
  package var words: [String] {
    switch values {
    case .rules(let words), .selection(let words): words
    case .names(let names, _): names
    case .wordsOrText(let words, _, _): words
    case .boolean: ["true", "false"]
    default: []
    }
  }

  /// The same key, with the warning that a later version may change its default.
  var withChangeableDefault: PresetKey {
    var key = self
    key.hasChangeableDefault = true
    return key
  }

  /// What the key is for, and whether its default may change.
  var meaning: String {
    let notice =
      "A later version may change \(usual == nil ? "what absence means" : "the default")."
    return hasChangeableDefault ? "\(summary) \(notice)" : summary
  }

  package var name: String { String(path.split(separator: ".").last ?? "") }

  /// The number of parts of the path.
  private var depth: Int { path.split(separator: ".").count }

  /// The path of the object that contains the key. Empty at the top.
  var parent: String { path.split(separator: ".").dropLast().joined(separator: ".") }

  /// Returns the words that the key at a path takes.
  package static func words(of path: String) -> [String] {
    all.first { $0.path == path }?.words ?? []
  }

  /// Returns the keys of an object, in the order of the table.
  package static func keys(of path: String) -> [PresetKey] { byParent[path] ?? [] }

  /// Returns the paths of all keys below an object, relative to it.
  package static func paths(below path: String) -> [String] {
    all.map(\.path).filter { $0.hasPrefix(path + ".") }.map { String($0.dropFirst(path.count + 1)) }
  }

  private static let byParent = Dictionary(grouping: all, by: \.parent)

  /// Completes the path of a key from its last parts: `width` becomes `video.width`. Ignores case.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if no path ends in these words, or
  ///   several do.
  static func place(of words: [String]) throws(TranscodingError) -> [String] {
    // A path that begins at the top is complete. If it is wrong further down, the reader names the
    // nearest valid key.
    let path = spelled(words)
    if let first = path.first, keys(of: "").contains(where: { $0.name == first }) { return path }
    let name = words.joined(separator: ".")
    let found = paths(endingLike: words)
    if found.count == 1 { return found[0].split(separator: ".").map(String.init) }
    if found.isEmpty, let inside = placeInside(words) { return inside }
    guard found.isEmpty else {
      throw SettingsReader.error(
        name, "could mean \(found.joined(separator: " or ")): write the one you mean")
    }
    throw SettingsReader.error(
      name, "is not a known key: \(hint(for: words))", code: .unknownKey, arguments: ["key": name])
  }

  /// Returns a path that begins at the top with each part spelled as its key is. Parts that are no
  /// keys stay as they are.
  private static func spelled(_ words: [String]) -> [String] {
    words.reduce(into: []) { path, word in
      let names = keys(of: path.joined(separator: ".")).map(\.name)
      let exact = names.first { $0 == word }
      path.append(exact ?? names.first { $0.lowercased() == word.lowercased() } ?? word)
    }
  }

  /// Returns the paths that end in some words.
  private static func paths(endingLike words: [String]) -> [String] {
    let end = "." + words.joined(separator: ".")
    let exact = nearestToTop { $0.hasSuffix(end) }
    let found =
      exact.isEmpty ? nearestToTop { $0.lowercased().hasSuffix(end.lowercased()) } : exact
    // If another program uses the same word, list what it may mean there, too. For example,
    // ffmpeg's `bitrate` may mean video, but our key `bitRate` is for audio.
    guard words.count == 1, !found.isEmpty || words == ["crf"] else { return found }
    let others = otherPaths(of: words[0])
    return others + found.filter { !others.contains($0) }
  }

  /// Returns the paths that meet a condition and are nearest to the top.
  private static func nearestToTop(_ isMeant: (String) -> Bool) -> [String] {
    let found = all.filter { isMeant($0.path) }
    // `width` means the video's width, not a crop's in `video.composition`.
    let depth = found.map(\.depth).min()
    return found.filter { $0.depth == depth }.map(\.path)
  }

  /// Returns the end of a message about an unknown key: what to write instead.
  private static func hint(for words: [String]) -> String {
    hint(near: words.last ?? "") ?? keys(of: "").map(\.name).hint(for: words[0])
  }

  /// Returns the end of a message about an unknown key of an object: what to write instead.
  static func hint(for name: String, of path: String, among names: [String]) -> String {
    if let near = names.nearest(to: name) {
      return "did you mean '\(SettingsReader.join(path, near))'?"
    }
    return hint(near: name) ?? names.hint(for: name)
  }

  /// Returns what to write instead of a word; `nil` if nothing is near it.
  static func hint(near word: String) -> String? {
    // A key from a file can have any length, and nobody types words as long as this.
    guard word.utf8.count <= 100 else { return nil }
    if let advice = advice(on: word) { return advice }
    let paths = near(word)
    return paths.isEmpty
      ? nil : "did you mean \(paths.map { "'\($0)'" }.joined(separator: " or "))?"
  }

  /// Returns the paths of a few keys whose name resembles a word.
  private static func near(_ word: String) -> [String] {
    let others = otherPaths(of: word)
    if !others.isEmpty { return others }
    if let name = Set(all.map(\.name)).sorted().nearest(to: word) {
      return nearestToTop { $0 == name || $0.hasSuffix("." + name) }
    }
    let plain = word.lowercased().filter { !"-_".contains($0) }
    // Words of up to three letters occur in too many names, and a list of more than four keys is no
    // help.
    guard plain.count > 3 else { return [] }
    let longer = all.filter { $0.name.lowercased().contains(plain) }.map(\.path)
    return longer.count <= 4 ? longer : []
  }
}

extension PresetKey {
  /// Completes the path of a key, such as `encoderOptions.aq-mode`, in an object that takes any
  /// key.
  static func placeInside(_ words: [String]) -> [String]? {
    let object = "." + words.dropLast().joined(separator: ".").lowercased()
    let found = all.first {
      if case .anyObject = $0.values { ".\($0.path)".lowercased().hasSuffix(object) } else { false }
    }
    return found.map { $0.path.split(separator: ".").map(String.init) + words.suffix(1) }
  }

  /// Returns the path of the key whose name is most like a text: `constant-rate-factor` gives
  /// `constantRateFactor`.
  package static func path(near text: String) -> String? {
    let others = otherPaths(of: text)
    guard others.isEmpty else { return others.count == 1 ? others[0] : nil }
    let text = text.filter { $0 != "-" }
    guard text.count > 2 else { return nil }
    let name = Set(all.map(\.name)).sorted().nearest(to: text)
    return all.filter { $0.name == name }.min { $0.depth < $1.depth }?.path
  }
}

extension PresetKey {
  static func object(
    _ path: String, _ summary: String = "", missing: String? = nil,
    begin: @escaping Read = { _, _, _ in }
  ) -> PresetKey {
    PresetKey(path: path, values: .object, summary: summary, missing: missing, read: begin)
  }

  static func boolean(
    _ path: String, _ property: Place<Bool>, usual: Bool,
    _ summary: String
  ) -> PresetKey {
    PresetKey(path: path, values: .boolean, usual: .bool(usual), summary: summary) {
      (reader, key, settings) throws(TranscodingError) in
      if let value = try reader.bool(key) { settings[keyPath: property] = value }
    }
  }

  static func integer<Property>(
    _ path: String, _ property: Place<Property>,
    in range: ClosedRange<Int>, usual: Int? = nil, missing: String? = nil, _ summary: String = "",
    _ convert: @escaping @Sendable (Int) -> Property
  ) -> PresetKey {
    PresetKey(
      path: path, values: .integer(range), usual: usual.map { .number(Double($0)) },
      summary: summary, missing: missing
    ) { (reader, key, settings) throws(TranscodingError) in
      guard let value = try reader.integer(key, in: range) else { return }
      settings[keyPath: property] = convert(value)
    }
  }

  static func number<Property>(
    _ path: String, _ property: Place<Property>,
    in range: ClosedRange<Double>, usual: Double? = nil, group: String? = nil,
    _ summary: String = "", _ convert: @escaping @Sendable (Double) -> Property
  ) -> PresetKey {
    PresetKey(
      path: path, values: .number(range), usual: usual.map { .number($0) }, summary: summary,
      group: group
    ) { (reader, key, settings) throws(TranscodingError) in
      guard let value = try reader.number(key, in: range) else { return }
      settings[keyPath: property] = convert(value)
    }
  }

  static func choice<Choice>(
    _ path: String, _ property: Place<Choice>,
    usual: Choice? = nil, missing: String? = nil, _ summary: String
  ) -> PresetKey
  where Choice: RawRepresentable & CaseIterable & Sendable, Choice.RawValue == String {
    choice(path, property, usual: usual, missing: missing, summary) { $0 }
  }

  static func choice<Choice, Property>(
    _ path: String, _ property: Place<Property>,
    usual: Choice? = nil, missing: String? = nil, _ summary: String,
    _ convert: @escaping @Sendable (Choice) -> Property
  ) -> PresetKey
  where Choice: RawRepresentable & CaseIterable & Sendable, Choice.RawValue == String {
    PresetKey(
      path: path, values: .names(Choice.allCases.map(\.rawValue)),
      usual: usual.map { .string($0.rawValue) }, summary: summary, missing: missing
    ) { (reader, key, settings) throws(TranscodingError) in
      guard let value: Choice = try reader.choice(key) else { return }
      settings[keyPath: property] = convert(value)
    }
  }

  static func text(
    _ path: String, missing: String? = nil, pattern: String? = nil, _ summary: String,
    read: @escaping Read
  ) -> PresetKey {
    PresetKey(
      path: path, values: .text(pattern: pattern), summary: summary, missing: missing, read: read)
  }
}
