// SPDX-License-Identifier: GPL-2.0-or-later
/// Something about a file or its processing that a user should know: an assumption, a loss, a
/// contradiction.
///
/// Programs should decide by ``code`` and ``arguments``, which stay the same from version to
/// version. ``text`` is for people to read and may change.
public struct Notice: Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The stable name of a kind of notice or error: `trackNotCarried`.
  public struct Code: RawRepresentable, Hashable, Sendable, Encodable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name as it appears in JSON.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name as it appears in JSON.
    public var description: String { rawValue }
  }

  /// How important a notice is.
  public enum Severity: String, Sendable, CaseIterable, Encodable {
    /// Nothing is wrong, but something is assumed or left out.
    case note
    /// The source contradicts itself or is wrong, or the output may look different than intended.
    case warning
    /// The work will be refused, its result is not as promised, or a value is impossible.
    case error
  }

  /// The kind of notice, by which programs decide.
  public let code: Code
  /// How important the notice is.
  public let severity: Severity
  /// The values in the text, each under a name that never changes.
  public let arguments: [String: String]

  // The text has no period, so that a program can put it after a file's name or into a list.
  /// The notice as text for people: one sentence without a period.
  public let text: String

  package init(
    _ code: Code, severity: Severity = .note, _ arguments: [String: String], _ text: String
  ) {
    self.code = code
    self.severity = severity
    self.arguments = arguments
    self.text = text
  }

  /// Makes a notice that something is wrong or not as promised.
  package static func fault(
    _ code: Code, _ arguments: [String: String], _ text: String
  ) -> Notice {
    Notice(code, severity: .error, arguments, text)
  }

  /// The notice's text.
  public var description: String { text }
}

extension Int {
  /// Returns the number with its noun, as text for people: `1 frame`, `2 frames`.
  ///
  /// - Parameter plural: the noun for numbers other than 1; by default `singular` with an s.
  package func counted(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Notice: JSONObject {
  package static let meaning = "Something that a user should know."
  package static let fields: [JSONField<Notice>] = [
    .init(
      "code", "The kind of notice, a name that never changes; the guide Notices lists all kinds."
    ) {
      $0.code.rawValue
    },
    .init("severity", "How important the notice is.") { $0.severity },
    .init("arguments", "The values in the text, each under a name that never changes.") { notice in
      Dictionary(
        uniqueKeysWithValues: notice.arguments.map { ($0, Argument(name: $0, text: $1)) })
    },
    .init("text", "The notice in words, which may change.") { $0.text },
  ]
}

extension Notice.Severity: JSONDescribed {
  package static let schema = JSONSchema(.words([Self.note, warning, error].map(\.rawValue)))
}

extension Notice {
  // Arguments with the same name are either always numbers or always texts, so that programs know
  // what they get.
  /// The names of arguments that are numbers, such as counts, positions in a file, luma samples,
  /// seconds, bytes, cd/m² and lux.
  package static let numbers: Set<String> = [
    "byteCount", "chapterCount", "count", "first", "frameCount", "free", "gamma", "height",
    "illuminance", "length", "maximum", "minimum", "needed", "number", "promisedCount", "rpu",
    "rpuCount", "start",
    "total", "track", "width", "x", "y",
  ]

  /// An argument in JSON.
  private struct Argument: JSONDescribed {
    let name: String
    let text: String

    static let schema = JSONSchema(.anyOf([String.schema, Double.schema]))

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if Notice.numbers.contains(name), let number = Int(text) {
        try container.encode(number)
      } else if Notice.numbers.contains(name), let number = Double(text) {
        try container.encode(number)
      } else {
        try container.encode(text)
      }
    }
  }
}
