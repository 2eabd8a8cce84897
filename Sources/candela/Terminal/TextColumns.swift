// SPDX-License-Identifier: GPL-2.0-or-later

/// Reports for people: a label in each line, and what it is about in a column behind it.
enum TextColumns {
  /// Columns that a line has at most, where its words let it.
  static let width = 100

  /// The report with lines that are too long broken between words, below the column that they are
  /// in. The line of the file's name stays as it is.
  static func fitted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.count > width && $0.hasPrefix(" ") ? fitted(line: $0) : String($0) }
      .joined(separator: "\n")
  }

  private static func fitted(line: Substring) -> String {
    let indent = String(repeating: " ", count: column(of: line))
    var lines: [String] = []
    var rest = line
    while rest.count > width {
      let room = rest.prefix(width + 1)
      let start = rest.index(rest.startIndex, offsetBy: indent.count)
      guard
        let space = room[start...].lastIndex(of: " ") ?? rest[room.endIndex...].firstIndex(of: " ")
      else { break }
      lines.append(String(rest[..<space]))
      rest = indent + rest[rest.index(after: space)...]
    }
    return (lines + [String(rest)]).joined(separator: "\n")
  }

  /// The column behind the label of a line, and behind the spaces around it.
  private static func column(of line: Substring) -> Int {
    let start = line.firstIndex { $0 != " " } ?? line.startIndex
    guard let gap = line[start...].firstRange(of: "  "),
      let text = line[gap.lowerBound...].firstIndex(where: { $0 != " " }),
      case let column = line.distance(from: line.startIndex, to: text), column <= width / 2
    else { return line.distance(from: line.startIndex, to: start) + 2 }
    return column
  }
}
