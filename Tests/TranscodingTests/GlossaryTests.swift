// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// What users read has the glossary's words, and none of those that are not used for them.
@Suite struct GlossaryTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Terms of H.264 and H.265 that have the word picture, and what is left in a table of changes.
  private static let terms = [
    "coded picture", "Main Still Picture", "samples in a picture", "picture timing",
    "PictureLayout", "`sound`", "`pictures`", "HEVC Stereo Video",
  ]
  /// Words that have a meaning of their own, too.
  private static let ambiguous: Set<String> = [
    "image", "cut", "levels", "flag", "message", "stereo", "DTS",
  ]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The words of the last column, of which "…, for" and "…, but" say where they are not used.
  private static func otherWords() throws -> [String] {
    let cells = try text("Sources/Transcoding/Transcoding.docc/Glossary.md")
      .matches(of: /\n\| [^|]+ \| [^|]+ \| ([^|]+) \|/).map { $0.1 }
    return cells.flatMap { cell in
      let parts = cell.split(separator: ", ").map(String.init)
      return parts.indices.compactMap { index in
        let qualifiers = parts[index...].prefix(2).filter {
          $0.hasPrefix("for ") || $0.hasPrefix("but ")
        }
        return qualifiers.isEmpty && parts[index] != "Not" && !ambiguous.contains(parts[index])
          ? parts[index] : nil
      }
    }
  }

  private func files(_ folder: String, _ suffix: String) throws -> [String] {
    let path = Self.root.appendingPathComponent(folder).path
    return try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
  }

  /// Finds the words that are not used.
  private static func pattern() throws -> NSRegularExpression {
    let words = try otherWords()
    try #require(words.count > 20 && words.contains("sound") && !words.contains("luminance"))
    return try NSRegularExpression(
      pattern: "(?<![\\w`.-])(?i:\(words.joined(separator: "|")))s?(?![\\w`-])")
  }

  private func expectWords(_ text: String, _ path: String, _ pattern: NSRegularExpression) {
    let rest = Self.terms.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
    let found = pattern.matches(in: rest, range: NSRange(rest.startIndex..., in: rest))
    let words = found.compactMap { Range($0.range, in: rest).map { rest[$0] } }
    #expect(words == [], "\(path)")
  }

  /// Literals of one line and of several, without what is put into them.
  @Test func printedTextHasTheWords() throws {
    let pattern = try Self.pattern()
    for path in try files("Sources", ".swift") {
      let code = try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        .replacing(/\\\([^()"\n]*(?:\([^()"\n]*\)[^()"\n]*)*\)/, with: "")
      let literals = code.matches(of: /"""[\s\S]*?"""|"[^"\n]*"/).map(\.0)
      expectWords(literals.joined(separator: "\n"), path, pattern)
    }
  }

  @Test func documentationHasTheWords() throws {
    let pattern = try Self.pattern()
    let articles = try files("Sources/Transcoding/Transcoding.docc", ".md")
      .filter { !$0.hasSuffix("Glossary.md") }
    let others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Presets/preset.schema.json"]
    for path in articles + others {
      expectWords(try Self.text(path), path, pattern)
    }
  }
}
