// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation

/// A notice in the program's JSON.
public struct ReportedNotice: Decodable, Hashable, Sendable {
  /// The stable name of the kind of notice.
  public let code: String
  /// `note`, `warning` or `error`.
  public let severity: String
  /// Values by their stable names. Numbers are stored as text.
  public let arguments: [String: String]
  /// The notice as text for people.
  public let text: String

  /// An argument: a text or a number.
  private struct Argument: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let number = try? container.decode(Double.self)
      text =
        try number.map { Int(exactly: $0).map { "\($0)" } ?? "\($0)" }
        ?? container.decode(String.self)
    }
  }

  private enum CodingKeys: CodingKey { case code, severity, arguments, text }

  /// Reads a notice, whose arguments are texts and numbers.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(String.self, forKey: .code)
    severity = try container.decode(String.self, forKey: .severity)
    text = try container.decode(String.self, forKey: .text)
    arguments = try container.decode([String: Argument].self, forKey: .arguments)
      .mapValues(\.text)
  }

  /// Returns the notices in a JSON object, at any depth.
  public static func all(in data: Data) throws -> [ReportedNotice] {
    try objects(in: JSONSerialization.jsonObject(with: data)).map { object in
      try JSONDecoder().decode(
        ReportedNotice.self, from: JSONSerialization.data(withJSONObject: object))
    }
  }

  private static func objects(in value: Any) -> [[String: Any]] {
    if let array = value as? [Any] { return array.flatMap { objects(in: $0) } }
    guard let object = value as? [String: Any] else { return [] }
    if object["code"] != nil && object["text"] != nil { return [object] }
    return object.sorted { $0.key < $1.key }.flatMap { objects(in: $0.value) }
  }
}

extension [ReportedNotice] {
  /// The codes of all notices in the list.
  public var codes: Set<String> { Set<String>(map(\.code)) }

  /// Returns the arguments of the first notice with a code, or `nil` if there is none.
  public func arguments(_ code: String) -> [String: String]? {
    first { $0.code == code }?.arguments
  }
}

extension Tool.Outcome {
  /// Returns the notices in the JSON object on standard output.
  public func notices() throws -> [ReportedNotice] {
    try ReportedNotice.all(in: Data(output.utf8))
  }

  /// Returns whether a notice is printed on standard error, with the label of its severity.
  public func tells(_ notice: Notice) -> Bool {
    errors.contains("candela: \(notice.severity == .note ? "note" : "warning"): \(notice)")
  }
}

extension BuiltCandela {
  /// Runs `transcode` with a report.
  ///
  /// - Parameter arguments: the words after `transcode`.
  /// - Returns: how the program ended, and the notices of the plan and of the run, or no notices if
  ///   there is no report.
  public static func transcode(
    _ arguments: [String]
  ) throws -> (outcome: Tool.Outcome, notices: [ReportedNotice]) {
    let folder = try TemporaryFolder()
    let report = folder.path("report.json")
    let outcome = try run(["transcode"] + arguments + ["--report", report])
    let data = FileManager.default.contents(atPath: report)
    return (outcome, try data.map { try ReportedNotice.all(in: $0) } ?? [])
  }
}
