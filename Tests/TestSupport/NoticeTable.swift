// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation

/// The tables of codes in the article on notices. Tests check notices against them.
public struct NoticeTable {
  /// A row: the severities and arguments that notices with a code have.
  private struct Row: Equatable {
    var severities: Set<String> = []
    var arguments: Set<String> = []
  }

  private let rows: [String: Row]

  /// All codes in the tables.
  public var codes: Set<String> { Set(rows.keys) }

  /// Reads the tables in the article.
  public init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/Transcoding/Transcoding.docc/Notices.md"),
      encoding: .utf8)
    let row = /\n\| `([a-zA-Z0-9]+)` \| ([a-z, ]+) \| [^|]+ \|([^|\n]*)\|/
    rows = Dictionary(
      article.matches(of: row).map { match in
        let names = match.3.matches(of: /`(\w+)`/).map { String($0.1) }
        let severities = match.2.split(separator: ", ").map(String.init)
        return (String(match.1), Row(severities: Set(severities), arguments: Set(names)))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns where notices disagree with the article. All notices with one code, taken together,
  /// must have every argument and severity that the article lists for it, and no others.
  public func disagreements(on notices: [Notice]) -> [String] {
    var found: [String: Row] = [:]
    for notice in notices {
      found[notice.code.rawValue, default: Row()].severities.insert(notice.severity.rawValue)
      found[notice.code.rawValue, default: Row()].arguments.formUnion(notice.arguments.keys)
    }
    return found.filter { rows[$0.key] != $0.value }.map { code, row in
      "\(code): \(row) instead of \(rows[code].map { "\($0)" } ?? "none")"
    }.sorted()
  }
}
