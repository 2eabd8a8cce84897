// SPDX-License-Identifier: GPL-2.0-or-later

/// Reports for people: a label in each line, and what it is about in a column behind it.
extension Console {
  /// Columns that a line has at most, where its words let it.
  private static let lineWidth = 100

  /// The report with lines that are too long broken between words, below the column that they are
  /// in. The line of the file's name stays as it is.
  static func fitted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.count > lineWidth && $0.hasPrefix(" ") ? fitted(line: $0) : String($0) }
      .joined(separator: "\n")
  }

  private static func fitted(line: Substring) -> String {
    let column = column(of: line)
    let separator = "\n" + String(repeating: " ", count: column)
    let characters = Array(line)
    var parts: [String] = []
    // Where what is left begins, and the columns before it.
    var (begin, indent) = (0, 0)
    while characters.count - begin > lineWidth - indent {
      let end = begin + lineWidth + 1 - indent
      let start = min(begin + column - indent, end)
      guard
        let space = characters[start..<end].lastIndex(of: " ")
          ?? characters[end...].firstIndex(of: " ")
      else { break }
      parts.append(String(characters[begin..<space]))
      (begin, indent) = (space + 1, column)
    }
    return (parts + [String(characters[begin...])]).joined(separator: separator)
  }

  /// The column behind the label of a line, and behind the spaces around it.
  private static func column(of line: Substring) -> Int {
    let start = line.firstIndex { $0 != " " } ?? line.startIndex
    guard let gap = line[start...].firstRange(of: "  "),
      let text = line[gap.lowerBound...].firstIndex(where: { $0 != " " }),
      case let column = line.distance(from: line.startIndex, to: text), column <= lineWidth / 2
    else { return line.distance(from: line.startIndex, to: start) + 2 }
    return column
  }
}
