// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import FoundationEssentials
internal import Host

/// Documents that are made from the keys of presets: a JSON schema for editors, and a table for the
/// guide.
extension PresetKey {
  /// The JSON schema (draft 2020-12), as in `Presets/preset.schema.json`.
  package static var presetSchema: String {
    var schema = object("")
    // A preset may leave out required keys if it extends another preset, which may have them.
    schema["anyOf"] = [["required": [.string(PresetChain.key)]], .object(requirements(""))]
    schema["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    schema["title"] = .string("A preset of Candela")
    schema["description"] = .string(
      "How to transcode a file. Keys have the names of AVFoundation's keys, without AVVideo…Key. "
        + "An absent key has the stated default; null means absent.")
    // A test compares this with the file byte by byte, so keys need a fixed order.
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(JSONValue.object(schema))
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A Markdown table with a row for each key, as in the documentation.
  package static var table: String { table(of: all) }

  /// Returns a table of some keys in Markdown.
  package static func table(of keys: [PresetKey]) -> String {
    let rows = keys.map { key in
      "| `\(key.path)` | \(key.values.text) | \(key.usual.map { "`\($0.text)`" } ?? "") | "
        // A bare `|` would begin another column of the table.
        + "\(key.meaning.replacing("|", with: "\\|")) |"
    }
    return (["| key | values | default | meaning |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }

  /// Returns the keys that another program's word may mean, then the keys whose path contains the
  /// word, then the keys that take it as a value. If there are none, the keys are returned whose
  /// meaning contains the word.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if there are no such keys.
  package static func keys(about word: String) throws -> [PresetKey] {
    guard !word.isEmpty else { return all }
    let ranked = others(of: word) + all.filter { $0.isNamed(word) } + all.filter { $0.takes(word) }
    var seen: Set<String> = []
    let found = ranked.filter { seen.insert($0.path).inserted }
    guard found.isEmpty else { return found }
    // For a word such as `title`, advice helps more than a key that only mentions it.
    let mentions = advice(on: word) == nil ? all.filter { $0.speaks(of: word) } : []
    guard mentions.isEmpty else { return mentions }
    let codecs = words(of: "video.codec") + words(of: "audio.codec")
    let hint = UnwrittenCodec(named: word)?.advice(among: codecs) ?? hint(near: word)
    let end = hint.map { ": \($0)" } ?? ""
    throw TranscodingError(
      .invalidSettings, "no preset key is about '\(word.shortened)'\(end)", code: .unknownKey,
      arguments: ["key": word])
  }

  /// The key for a terminal of 80 columns: its path, its values and its meaning.
  package var text: String {
    let value = values.text.replacing("`", with: "")
    let usual = usual.map { "; default: \($0.text)" } ?? ""
    return ([path] + Self.lines(value + usual) + (meaning.isEmpty ? [] : Self.lines(meaning)))
      .joined(separator: "\n")
  }

  /// Breaks a text between words into indented lines of at most 80 columns.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "   "
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 80, line != "   " {
        lines.append(line)
        line = "   "
      }
      line += " " + word
    }
    return lines + [line]
  }

  private static func object(_ path: String) -> [String: JSONValue] {
    let properties = PresetKey.keys(of: path).map { ($0.name, JSONValue.object(members(of: $0))) }
    return [
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
    ]
  }

  /// Returns the required keys of an object and of the objects inside it.
  private static func requirements(_ path: String) -> [String: JSONValue] {
    let keys = PresetKey.keys(of: path)
    // `video` is required, because it has to name a codec.
    let required = keys.filter { $0.missing != nil || $0.path == "video" }
    var schema: [String: JSONValue] = [:]
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
    let inner = keys.compactMap { (key) -> (String, JSONValue)? in
      guard case .object = key.values else { return nil }
      let requirements = requirements(key.path)
      return requirements.isEmpty ? nil : (key.name, .object(requirements))
    }
    if !inner.isEmpty { schema["properties"] = .object(Dictionary(uniqueKeysWithValues: inner)) }
    return schema
  }

  private static func rules(_ words: [String], _ path: String) -> [String: JSONValue] {
    let rule = JSONValue.object(object(path).merging(requirements(path)) { own, _ in own })
    // `null` is the same as absent.
    let names = JSONValue.array(words.map { .string($0) } + [.null])
    return ["anyOf": [["enum": names], rule, ["type": "array", "items": rule, "minItems": 1]]]
  }

  private static func members(of key: PresetKey) -> [String: JSONValue] {
    var schema: [String: JSONValue] =
      switch key.values {
      case .object: Self.object(key.path)
      case .rules(let words): rules(words, key.path)
      default: key.values.schema
      }
    // `null` is the same as absent, but a required key must not be absent.
    if key.missing == nil, key.path != "video" {
      switch schema["type"] {
      case .string(let type): schema["type"] = .array([.string(type), .string("null")])
      case .array(let types): schema["type"] = .array(types + [.string("null")])
      default: break
      }
      if case .array(let values) = schema["enum"] { schema["enum"] = .array(values + [.null]) }
    }
    if !key.meaning.isEmpty { schema["description"] = .string(key.meaning) }
    schema["default"] = key.usual
    return schema
  }
}

extension PresetKey.Values {
  /// The values as a JSON schema.
  fileprivate var schema: [String: JSONValue] {
    switch self {
    case .object, .anyObject, .rules: ["type": .string("object")]
    case .boolean: ["type": .string("boolean")]
    case .text(let pattern):
      pattern.map { ["type": .string("string"), "pattern": .string($0)] }
        ?? ["type": .string("string")]
    case .wordsOrText(let words, _, let pattern):
      [
        "type": .string("string"),
        "pattern": .string("^(\(words.joined(separator: "|"))|\(pattern))$"),
      ]
    case .textOrNumber(let pattern, let range):
      Self.numbers("number", range.lowerBound, range.upperBound).merging(
        ["type": .array([.string("string"), .string("number")]), "pattern": .string(pattern)]
      ) { $1 }
    case .integer(let range):
      Self.numbers("integer", Double(range.lowerBound), Double(range.upperBound))
    case .number(let range): Self.numbers("number", range.lowerBound, range.upperBound)
    case .names(let names, let numbers):
      [
        "enum": .array(
          names.map { .string($0) } + names.compactMap { Double($0) }.map { .number($0) }
            + (numbers.map(Array.init) ?? []).map { .number(Double($0)) })
      ]
    case .codePoint(let examples):
      [
        "type": .array([.string("string"), .string("integer")]),
        "examples": .array(examples.map { .string($0) }),
      ]
    case .pairs:
      ["type": .string("array"), "items": ["type": "number"], "minItems": 2]
    case .selection(let names):
      [
        "anyOf": .array([
          .object(["enum": .array(names.map { .string($0) } + [.null])]),
          .object([
            "type": .string("array"),
            "items": .object(["type": .array([.string("integer"), .string("string")])]),
          ]),
        ])
      ]
    }
  }

  private static func numbers(
    _ type: String, _ minimum: Double, _ maximum: Double
  ) -> [String: JSONValue] {
    ["type": .string(type), "minimum": .number(minimum), "maximum": .number(maximum)]
  }

  /// The values as text, for the table.
  fileprivate var text: String {
    switch self {
    case .object: "object"
    case .anyObject: "object with any keys"
    case .rules(let words): (words.map { "`\($0)`" } + ["object, array"]).joined(separator: ", ")
    case .boolean: "`true`, `false`"
    case .text: "text"
    case .wordsOrText(let words, let form, _):
      (words.map { "`\($0)`" } + [form]).joined(separator: ", ")
    case .textOrNumber: "text or number"
    case .integer(let range): "\(range.lowerBound)…\(range.upperBound)"
    case .number(let range):
      "\(JSONValue.number(range.lowerBound).text)…\(JSONValue.number(range.upperBound).text)"
    case .names(let names, let numbers):
      (names.map { "`\($0)`" }
        + (numbers.map { ["\($0.lowerBound)…\($0.upperBound)"] } ?? [])).joined(separator: ", ")
    case .pairs(let title): "list of \(title)"
    case .codePoint(let examples): examples.map { "`\($0)`" }.joined(separator: ", ") + ", …"
    case .selection(let names):
      names.map { "`\($0)`" }.joined(separator: ", ") + ", or a list of numbers and languages"
    }
  }
}

extension JSONValue {
  /// A name, number or boolean as a person writes it.
  fileprivate var text: String {
    switch self {
    case .string(let text): text
    case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
    case .bool(let flag): "\(flag)"
    case .null, .array, .object: kind
    }
  }
}

extension PresetKey: JSONObject {
  package static let fields: [JSONField<PresetKey>] = [
    .init("path", "The path from the top, with dots: video.width.") { $0.path },
    .init("meaning", "What the key is for.") { $0.summary },
    .init("values", "The values that it takes, in words.") {
      $0.values.text.replacing("`", with: "")
    },
    .init(
      "schema", "A JSON schema of the values; 'candela schema preset' prints one for all keys.",
      JSONSchema(.dictionary(of: JSONSchema(.anything)))
    ) { JSONValue.object($0.values.schema) },
    .init("default", "The value if the key is absent; left out if there is none.") { $0.usual },
  ]
}
