// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

/// A key of a preset: its place, its values and its meaning. The reader, the schema and the
/// documentation are made of the rows in ``all``.
package struct PresetKey: Sendable {
  /// The kinds of values that a key takes.
  enum Values: Sendable {
    case object
    /// One of some words, an object, or an array of such objects.
    case rules(words: [String])
    /// An object with any keys.
    case anyObject
    case boolean
    case text(pattern: String?)
    /// A text, or a number that means the same.
    case textOrNumber(pattern: String, ClosedRange<Double>)
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// One of some names, or a number that means the same.
    case names([String], numbers: ClosedRange<Int>? = nil)
    /// A number of H.273 or one of its names.
    case codePoint(examples: [String])
    /// One of some names, or a list of numbers and names.
    case selection([String])
  }

  typealias Read =
    @Sendable (
      _ reader: SettingsReader, _ key: String, _ settings: inout TranscodeSettings
    ) throws(TranscodingError) -> Void

  /// The place of a value in settings.
  typealias Place<Value> = any WritableKeyPath<TranscodeSettings, Value> & Sendable

  /// The path from the top, with dots: `video.conversion.toneMapping`.
  let path: String
  let values: Values
  /// The value that absence stands for; nil where absence has a meaning of its own.
  var usual: JSONValue?
  /// Purpose of the key, in sentences.
  var summary = ""
  /// End of the message about an object without the key, behind "is missing"; nil for a key that
  /// may be absent.
  var missing: String?
  /// Name of a group, of which an object has one key at most; nil for no group.
  var group: String?
  /// Puts the value into settings. It is called where the key is there.
  let read: Read

  /// The last part of the path.
  package var name: String { String(path.split(separator: ".").last ?? "") }

  /// The parts of the path.
  private var depth: Int { path.split(separator: ".").count }

  /// The path of the object that has the key; empty at the top.
  var parent: String { path.split(separator: ".").dropLast().joined(separator: ".") }

  /// The keys of an object, in the order of the table.
  package static func keys(of path: String) -> [PresetKey] { byParent[path] ?? [] }

  /// The paths of all keys below an object, without the object's own.
  package static func paths(below path: String) -> [String] {
    all.map(\.path).filter { $0.hasPrefix(path + ".") }.map { String($0.dropFirst(path.count + 1)) }
  }

  private static let byParent = Dictionary(grouping: all, by: \.parent)

  /// The whole path of a key of which the end is given, as `width` of `video.width`. Objects with
  /// keys of their own come back as they are.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where several keys end so, or none.
  static func place(of words: [String]) throws(TranscodingError) -> [String] {
    let top = keys(of: "").map(\.name)
    if let first = words.first, top.contains(first) { return words }
    let name = words.joined(separator: ".")
    let found = paths(endingLike: words)
    if found.count == 1 { return found[0].split(separator: ".").map(String.init) }
    if found.isEmpty, let inside = placeInside(words) { return inside }
    guard found.isEmpty else {
      throw SettingsReader.error(
        name, "may be \(found.joined(separator: " or ")): write the one that is meant")
    }
    throw SettingsReader.error(
      name, "is not a known key: \(hint(for: words))", code: .unknownKey, arguments: ["key": name])
  }

  /// The keys that a path of which the end is given stands for. A name stands for several where it
  /// is another program's name as well, as `bitRate` is for that of video.
  private static func paths(endingLike words: [String]) -> [String] {
    let end = "." + words.joined(separator: ".")
    let exact = nearestToTop { $0.hasSuffix(end) }
    let found =
      exact.isEmpty ? nearestToTop { $0.lowercased().hasSuffix(end.lowercased()) } : exact
    guard words.count == 1, !found.isEmpty || words == ["crf"] else { return found }
    let others = otherPaths(of: words[0])
    return others + found.filter { !others.contains($0) }
  }

  /// The paths that meet a condition, of these the ones nearest to the top: the video's width is
  /// meant, not that of a part of its frames.
  private static func nearestToTop(_ isMeant: (String) -> Bool) -> [String] {
    let found = all.filter { isMeant($0.path) }
    let depth = found.map(\.depth).min()
    return found.filter { $0.depth == depth }.map(\.path)
  }

  /// The end of the sentence about a key that there is not: what to write in its place.
  private static func hint(for words: [String]) -> String {
    let word = words.last ?? ""
    let paths = near(word)
    guard paths.isEmpty else {
      return "did you mean \(paths.map { "'\($0)'" }.joined(separator: " or "))?"
    }
    return keys(of: "").map(\.name).hint(for: words[0])
  }

  /// The paths of the keys whose name is like a word, a few at most.
  private static func near(_ word: String) -> [String] {
    let others = otherPaths(of: word)
    if !others.isEmpty { return others }
    if let name = Set(all.map(\.name)).sorted().nearest(to: word) {
      return nearestToTop { $0 == name || $0.hasSuffix("." + name) }
    }
    let plain = word.lowercased().filter { !"-_".contains($0) }
    guard plain.count > 3 else { return [] }
    let longer = all.filter { $0.name.lowercased().contains(plain) }.map(\.path)
    return longer.count <= 4 ? longer : []
  }
}

extension PresetKey {
  /// The whole path of a key of an object that takes any, as `encoderOptions.aq-mode`; nil where
  /// the words before the last are the end of no such object.
  private static func placeInside(_ words: [String]) -> [String]? {
    let object = "." + words.dropLast().joined(separator: ".")
    let found = all.first {
      if case .anyObject = $0.values { $0.path.hasSuffix(object) } else { false }
    }
    return found.map { $0.path.split(separator: ".").map(String.init) + words.suffix(1) }
  }

  /// The path of the key with the name that is most like a text, `constant-rate-factor` being
  /// `constantRateFactor`; nil where none is.
  package static func path(near text: String) -> String? {
    let others = otherPaths(of: text)
    guard others.isEmpty else { return others.count == 1 ? others[0] : nil }
    let text = text.filter { $0 != "-" }
    guard text.count > 2 else { return nil }
    let name = Set(all.map(\.name)).sorted().nearest(to: text)
    return all.filter { $0.name == name }.min { $0.depth < $1.depth }?.path
  }
}

// Kinds of rows that many keys are of.
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
