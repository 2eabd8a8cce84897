// SPDX-License-Identifier: GPL-2.0-or-later
/// A fact about a file, or about what is done with it, that a user should know: an assumption, a
/// loss, a contradiction.
///
/// Programs decide by ``code`` and ``arguments``, which stay the same from version to version;
/// ``text`` is for people and may change.
public struct Notice: Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The stable name of a kind of notice or error: `trackNotCarried`.
  public struct Code: RawRepresentable, Hashable, Sendable, Encodable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name as JSON has it.
    public let rawValue: String

    /// The code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code of a name.
    public init(stringLiteral value: String) { rawValue = value }

    /// The name.
    public var description: String { rawValue }
  }

  /// The importance of a notice.
  public enum Severity: String, Sendable, Encodable {
    /// The work is as it should be; something is assumed or left out on the way.
    case note
    /// The source contradicts itself or is wrong, or the output may be shown otherwise than meant.
    case warning
    /// The work will be refused as things stand, or what came of it is not as promised; a value
    /// cannot be so.
    case error
  }

  /// The kind of notice.
  public let code: Code
  /// The importance of the notice.
  public let severity: Severity
  /// The values that the text has, by names that never change.
  public let arguments: [String: String]
  /// The notice for people to read: one sentence without a period.
  public let text: String

  /// A notice from its parts.
  package init(
    _ code: Code, severity: Severity = .note, _ arguments: [String: String], _ text: String
  ) {
    self.code = code
    self.severity = severity
    self.arguments = arguments
    self.text = text
  }

  /// A notice that something is wrong, or is not as it was promised.
  package static func fault(
    _ code: Code, _ arguments: [String: String], _ text: String
  ) -> Notice {
    Notice(code, severity: .error, arguments, text)
  }

  /// The text.
  public var description: String { text }
}

/// Collects what a user should know before the work begins: what is assumed, and what is lost.
package struct Notices {
  /// Notices, in the order in which they were found.
  package private(set) var all: [Notice] = []

  /// Notices that were found before; none by default.
  package init(_ all: [Notice] = []) { self.all = all }

  package mutating func add(_ notice: Notice) { all.append(notice) }

  package mutating func add(contentsOf more: [Notice]) { all += more }
}

extension Int {
  /// The number with its noun, for people: `1 frame`, `2 frames`.
  ///
  /// - Parameter plural: the noun for other numbers than 1; nil for the noun with an s.
  package func counted(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}
