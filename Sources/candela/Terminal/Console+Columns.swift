// SPDX-License-Identifier: GPL-2.0-or-later

/// Breaks the lines of reports, which have a label and, after it, a column of text.
extension Console {
  /// How many columns a line may have, if its words allow that.
  private static let lineWidth = 100

  /// Returns a report whose long lines are broken between words and continue below their column.
  static func fitted(_ text: String) -> String {
    // The first line is a path, and is not indented. Breaking it would make it useless to copy.
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.count > lineWidth && $0.hasPrefix(" ") ? fitted(line: $0) : String($0) }
      .joined(separator: "\n")
  }

  private static func fitted(line: Substring) -> String {
    let column = column(of: line)
    let separator = "\n" + String(repeating: " ", count: column)
    let characters = Array(line)
    var parts: [String] = []
    // Where the rest of the line begins, and by how many columns it is indented in the result.
    var (begin, indent) = (0, 0)
    while characters.count - begin > lineWidth - indent {
      let end = begin + lineWidth + 1 - indent
      let start = min(begin + column - indent, end)
      guard
        let space = characters[start..<end].lastIndex(of: " ")
          // A word that is longer than the line stays whole.
          ?? characters[end...].firstIndex(of: " ")
      else { break }
      parts.append(String(characters[begin..<space]))
      (begin, indent) = (space + 1, column)
    }
    return (parts + [String(characters[begin...])]).joined(separator: separator)
  }

  /// Returns the column after a line's label and the gap that follows it. If there is no gap, or if
  /// the column is too far to the right, returns the column of the label plus 2.
  private static func column(of line: Substring) -> Int {
    let start = line.firstIndex { $0 != " " } ?? line.startIndex
    guard let gap = line[start...].firstRange(of: "  "),
      let text = line[gap.lowerBound...].firstIndex(where: { $0 != " " }),
      // Beyond the middle of the line, too little room would be left for the text.
      case let column = line.distance(from: line.startIndex, to: text), column <= lineWidth / 2
    else { return line.distance(from: line.startIndex, to: start) + 2 }
    return column
  }
}
