// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets

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

  private static let byParent = Dictionary(grouping: all, by: \.parent)

  /// The whole path of a key of which the end is given, as `width` of `video.width`. Objects with
  /// keys of their own come back as they are.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where several keys end so, or none.
  static func place(of words: [String]) throws(TranscodingError) -> [String] {
    let top = keys(of: "").map(\.name)
    if let first = words.first, top.contains(first) { return words }
    let name = words.joined(separator: ".")
    let lasts = Set(all.map(\.name)).sorted()
    let last = NearestName.exactly(words.last ?? "", among: lasts) ?? words.last ?? ""
    let end = (words.dropLast() + [last]).joined(separator: ".")
    let ending = all.filter { $0.path.hasSuffix("." + end) }
    // The one nearest to the top is meant: the video's width, not that of a part of its frames.
    let depth = ending.map(\.depth).min()
    let found = ending.filter { $0.depth == depth }
    switch found.count {
    case 1: return found[0].path.split(separator: ".").map(String.init)
    case 0: if let inside = placeInside(words) { return inside }
    default:
      let paths = found.map(\.path).joined(separator: ", ")
      throw SettingsReader.error(name, "is the end of several keys: \(paths)")
    }
    guard let near = NearestName.of(last, among: lasts + top) else {
      throw SettingsReader.error(
        name, "is not a known key: \(NearestName.hint(for: words[0], among: top))")
    }
    let path = all.first { $0.name == near }?.path ?? near
    throw SettingsReader.error(name, "is not a known key: did you mean '\(path)'?")
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
    let text = text.filter { $0 != "-" }
    guard text.count > 2 else { return nil }
    let name = NearestName.of(text, among: Set(all.map(\.name)).sorted())
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
