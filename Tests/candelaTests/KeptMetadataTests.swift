// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// What becomes of each kind of HDR metadata after each kind of change, as the first table of
/// `HDRMetadata.md` says.
@Suite struct KeptMetadataTests {
  private struct Change: CustomTestStringConvertible, Sendable {
    let name: String
    var preset = "hevc-match-source"
    var settings: [String] = []
    /// The kinds that the output has: static kinds that are kept, and dynamic kinds with what
    /// becomes of them.
    let expected: Set<String>

    var testDescription: String { name }
  }

  private static let changes = [
    Change(
      name: "none",
      expected: [
        "masteringDisplay", "contentLightLevel", "dolbyVision source", "hdr10Plus kept",
        "st2094_50 kept",
      ]),
    Change(
      name: "size", settings: ["video.width=64"],
      expected: ["masteringDisplay", "contentLightLevel", "hdr10Plus kept", "st2094_50 kept"]),
    Change(
      name: "crop",
      settings: ["video.width=96", "video.height=32", "video.scalingMode=resizeAspectFill"],
      expected: ["masteringDisplay", "hdr10Plus measured", "st2094_50 kept"]),
    Change(
      name: "padding",
      settings: ["video.width=192", "video.height=96", "video.scalingMode=resizeAspect"],
      expected: ["masteringDisplay", "hdr10Plus measured", "st2094_50 kept"]),
    Change(name: "HLG", preset: "hevc-hlg", expected: []),
    Change(name: "SDR", preset: "h264-sdr", expected: []),
  ]

  @Test func kindsAndChanges() throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source.mov")
    let kinds = [
      "video.hdrMetadata.dolbyVision=8.1", "video.hdrMetadata.hdr10Plus=measure",
      "video.hdrMetadata.st2094_50=measure",
    ]
    let made = try BuiltCandela.run(
      [
        "transcode", BuiltCandela.sample(in: folder), source, "--preset", "hevc-pq", "--speed",
        "ultrafast",
      ] + kinds.flatMap { ["--set", $0] })
    #expect(made.status == 0, "\(made.errors)")
    for change in Self.changes {
      let plan = try BuiltCandela.run(
        ["plan", source, "--json", "--preset", change.preset]
          + change.settings.flatMap { ["--set", $0] })
      #expect(plan.status == 0, "\(plan.errors)")
      #expect(try Self.kinds(plan) == change.expected, "\(change.name)")
    }
  }

  /// Returns the kinds in a plan. Values that are assumed do not count.
  private static func kinds(_ plan: Tool.Outcome) throws -> Set<String> {
    let video = try #require(try plan.json()["video"] as? [String: Any])
    let encoding = try #require(video["encoding"] as? [String: Any])
    let metadata = encoding["hdrMetadata"] as? [String: Any] ?? [:]
    let rpus = (metadata["dolbyVision"] as? [String: Any])?["rpus"] as? String
    let (kept, measured) = (metadata["kept"] as? [String], metadata["measured"] as? [String])
    return Set(
      ["masteringDisplay", "contentLightLevel"].filter { metadata[$0] is [String: Any] }
        + [rpus.map { "dolbyVision \($0)" }].compactMap { $0 }
        + (kept ?? []).map { "\($0) kept" } + (measured ?? []).map { "\($0) measured" })
  }
}
