// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// What users read has the glossary's words.
@Suite struct GlossaryTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Terms of H.264 and H.265 that have the word picture, and what is left in a table of changes.
  private static let terms = [
    "coded picture", "Main Still Picture", "samples in a picture", "picture timing",
    "PictureLayout", "`sound`", "`pictures`",
  ]

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  private func files(_ folder: String, _ suffix: String) throws -> [String] {
    let path = Self.root.appendingPathComponent(folder).path
    return try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
  }

  private func expectWords(_ text: String, _ path: String) {
    let rest = Self.terms.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
    let other = rest.firstMatch(of: /\b([Pp]ictures?|[Ss]ounds?)\b/)
    #expect(other == nil, "\(path): \(text)")
  }

  @Test func printedTextSaysAudioAndFrame() throws {
    for path in try files("Sources", ".swift") {
      for line in try text(path).split(separator: "\n") where !line.contains("///") {
        for literal in line.matches(of: /"[^"]*"/) { expectWords(String(literal.0), path) }
      }
    }
  }

  @Test func documentationSaysAudioAndFrame() throws {
    let articles = try files("Sources/Transcoding/Transcoding.docc", ".md")
      .filter { !$0.hasSuffix("Glossary.md") }
    for path in articles + ["README.md", "Presets/preset.schema.json"] {
      for line in try text(path).split(separator: "\n") { expectWords(String(line), path) }
    }
  }
}
