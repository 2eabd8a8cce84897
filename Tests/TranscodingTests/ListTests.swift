// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// Nothing that a list is made of is left out of it: what CONTRIBUTING tells to add is found in the
/// sources by how it is declared, and looked for in its list.
@Suite struct ListTests {
  struct List: CustomTestStringConvertible, Sendable {
    /// The folder of the declarations, in `Sources`.
    let folder: String
    /// A declaration; its first group is the name.
    let declaration: String
    /// The file of the list, in `Sources`, and how the list begins there.
    let file: String
    let beginning: String
    /// How the list ends.
    var ending = "\n\n"

    var testDescription: String { "\(beginning) in \(file)" }
  }

  static let lists = [
    List(
      folder: "ColorScience/TransferFunctions", declaration: #"static let (\w+) = SDRCurve\("#,
      file: "ColorScience/TransferFunctions/SDRCurve.swift", beginning: "let all: [SDRCurve] = ["),
    List(
      folder: "ColorScience", declaration: #"(\w+): ToneCurve \{"#,
      file: "ColorConversion/Planning/ConversionOptions.swift",
      beginning: "var curve: (any ToneCurve.Type)?"),
    List(
      folder: "CodePoints", declaration: #"extension (\w+): StaticHDRMetadataKind \{"#,
      file: "CodePoints/HDR/StaticHDRMetadata.swift",
      beginning: "let kinds: [any StaticHDRMetadataKind.Type]"),
    List(
      folder: "Settings", declaration: #"static let (\w+): \[PresetKey\] = \["#,
      file: "Settings/PresetKeys.swift", beginning: "static let all ="),
    List(
      folder: "VideoEncoders", declaration: #"class (\w+): EncoderLibrary \{"#,
      file: "VideoEncoders/EncoderLibrary.swift", beginning: "var encoder: any EncoderLibrary"),
    List(
      folder: "Comparison", declaration: #"static let (\w+) = ComparisonKey\("#,
      file: "Comparison/Keys/ComparisonKey+Table.swift", beginning: "let all: [ComparisonKey]"),
    List(
      folder: "Inspection/Validation/Rules",
      declaration: #"\n  static let (\w+) = (?:\[|StaticHDRMetadata)"#,
      file: "Inspection/Validation/ConformanceRule.swift",
      beginning: "let all: [ConformanceRule]"),
  ]

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
  }

  /// A key that is a constant of its own stands in one of the lists of keys.
  @Test func everyKeyStandsInAList() throws {
    let folder = Self.sources.appendingPathComponent("Settings").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let text = try files.filter { $0.hasSuffix(".swift") }.map { try Self.text("Settings/\($0)") }
      .joined()
    let keys = text.matches(of: /static let (\w+) = PresetKey\(/).map { String($0.output.1) }
    let lists = text.matches(of: /\[PresetKey\] = \[(?s:(.*?))\n  \]/).map(\.output.1)
    let words = Set(lists.flatMap { $0.matches(of: /\w+/).map { String($0.output) } })
    #expect(!keys.isEmpty)
    #expect(Set(keys).subtracting(words).isEmpty)
  }

  @Test(arguments: lists) func nothingIsLeftOut(list: List) throws {
    let declaration = try Regex(list.declaration, as: (Substring, Substring).self)
    let folder = Self.sources.appendingPathComponent(list.folder).path
    let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap {
      $0 as? String
    }.filter { $0.hasSuffix(".swift") }
    let declared = try files.flatMap {
      try Self.text("\(list.folder)/\($0)").matches(of: declaration).map { String($0.output.1) }
    }
    let file = try Self.text(list.file)
    let items = try #require(file.range(of: list.beginning)).upperBound
    let end = file[items...].range(of: list.ending)?.lowerBound ?? file.endIndex
    let words = Set(file[items..<end].matches(of: /\w+/).map { String($0.output) })
    #expect(!declared.isEmpty)
    #expect(Set(declared).subtracting(words).isEmpty)
  }
}
