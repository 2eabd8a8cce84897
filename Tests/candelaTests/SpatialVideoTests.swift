// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// MV-HEVC stores the second eye's frames in a layer that is not decoded. An output keeps this
/// layer, or a notice names the loss.
@Suite(.needsSharedMedia) struct SpatialVideoTests {
  private let folder: TemporaryFolder
  private let input = SharedMedia.path("found/androidx__water_180_mvhevc_5frames.mov")

  init() throws { folder = try TemporaryFolder() }

  private func text(_ arguments: String...) throws -> String {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  /// Returns the types of the boxes in a file that claim a second eye.
  private func claims(_ path: String) throws -> [String] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return ["lhvC", "vexu", "hfov"].filter { data.range(of: Data($0.utf8)) != nil }
  }

  private func packets(_ path: String) throws -> [String] {
    try Tool.probe(path, "packet=data_hash", options: ["-show_data_hash", "md5"])
  }

  @Test func reportsSayMVHEVC() throws {
    #expect(try text("inspect", input).contains("MV-HEVC (lhvC, vexu, hfov), field of view 64.0°"))
    #expect(try text("validate", input, "--all").contains("the second eye's layer in 5 samples"))
    let plan = try BuiltCandela.run("plan", input, "--json").notices()
    #expect(
      plan.arguments("secondEyeNotCarried") == ["kind": "MV-HEVC", "places": "lhvC, vexu, hfov"])
  }

  @Test func encodingNamesTheLossAndClaimsNothing() throws {
    let output = folder.path("out.mov")
    let (outcome, notices) = try BuiltCandela.transcode(
      [input, output, "--set", "video.compressionProperties.speed=ultrafast"])
    #expect(outcome.status == 0 && notices.codes.contains("secondEyeNotCarried"))
    #expect(try claims(output) == [])
  }

  @Test func passThroughKeepsBothEyes() throws {
    for name in ["out.mov", "out.mp4"] {
      let output = folder.path(name)
      let plan = try text("plan", input, output, "--set", "video.codec=passthrough")
      #expect(plan.contains("MV-HEVC, with both eyes"))
      _ = try text("transcode", input, output, "--set", "video.codec=passthrough")
      #expect(try claims(output) == ["lhvC", "vexu", "hfov"])
      #expect(try packets(output) == packets(input))
    }
  }

  /// Matroska has no place for what boxes say about the second eye.
  @Test func copiesInMatroskaNameTheLoss() throws {
    let output = folder.path("out.mkv")
    let (outcome, notices) = try BuiltCandela.transcode(
      [input, output, "--set", "video.codec=passthrough"])
    #expect(outcome.status == 0)
    #expect(notices.arguments("spatialVideoNotCarried") == ["places": "lhvC, vexu, hfov"])
    let plan = try BuiltCandela.run(
      "plan", input, output, "--set", "video.codec=passthrough", "--json"
    ).notices()
    #expect(plan.codes.contains("spatialVideoNotCarried"))
    let compared = try BuiltCandela.run("compare", input, output)
    let words = ["spatialVideo", "two eyes"]
    #expect(words.contains { compared.output.contains($0) })
  }

  @Test func retaggingKeepsBothEyes() throws {
    let output = folder.path("out.mov")
    _ = try text("retag", input, output, "--color", "p3")
    #expect(try claims(output) == ["lhvC", "vexu", "hfov"])
    #expect(try text("inspect", output).contains("MV-HEVC (lhvC, vexu, hfov)"))
  }

  /// A file that claims two eyes fails validation if its video has one layer.
  @Test func aClaimWithoutALayerFails() throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: input))
    let box = try #require(data.range(of: Data("lhvC".utf8)))
    data.replaceSubrange(box, with: Data("free".utf8))
    let path = folder.path("claim.mov")
    try data.write(to: URL(fileURLWithPath: path))
    let outcome = try BuiltCandela.run("validate", path)
    #expect(outcome.status == 1 && outcome.output.contains("but the video has one layer"))
  }
}
