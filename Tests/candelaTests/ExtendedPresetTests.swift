// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Presets that extend one, in every command that takes presets.
@Suite struct ExtendedPresetTests {
  private let folder: TemporaryFolder
  private let sample: String
  private let preset: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
    _ = try folder.write(
      #"{"extends": "hevc-hlg", "name": "base", "video": {"width": 64}}"#, to: "base.json")
    preset = try folder.write(
      """
      {"extends": "base.json", "name": "mine", "audio": "none",
      "video": {"compressionProperties": {"speed": "ultrafast"}}}
      """, to: "mine.json")
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  @Test func theMergedPresetIsShown() throws {
    let shown = try run("presets", "show", preset).json()
    let video = try #require(shown["video"] as? [String: Any])
    #expect(shown["extends"] == nil && shown["name"] as? String == "mine")
    #expect(video["width"] as? Int == 64 && video["codec"] as? String == "hevc")
    // It stands for itself.
    let merged = try folder.write(run("presets", "show", preset).output, to: "merged.json")
    #expect(try run("presets", "validate", merged).output.contains("'mine'"))
    #expect(
      try run("plan", sample, "-p", merged).output == run("plan", sample, "-p", preset).output)
  }

  @Test func filesAreMade() throws {
    let output = folder.path("out.mov")
    _ = try run("transcode", sample, output, "-p", preset)
    #expect(try Tool.probe(output, "stream=width,height") == ["64,48"])
    #expect(try Tool.probe(output, "stream=codec_name", stream: "a").isEmpty)
    // Of many files, each worker has the merged preset, wherever it runs.
    _ = try run(
      "transcode", sample, "--into", folder.path("many"), "--name", "{name}.mov", "-p", preset)
    #expect(try FileBytes.read(folder.path("many/sample.mov")) == FileBytes.read(output))
  }

  @Test func jobsStoreTheMergedPreset() throws {
    let job = folder.path("job")
    _ = try run("segments", "plan", sample, folder.path("out.mov"), "--job", job, "-p", preset)
    let plan = try String(contentsOfFile: job + "/job.json", encoding: .utf8)
    #expect(plan.contains("ITU_R_2100_HLG") && plan.contains("\"mine\""))
    #expect(!plan.contains("\"extends\""))
  }

  /// No output replaces a file that the preset is read from.
  @Test func presetsAreInputs() throws {
    let base = folder.path("base.json")
    let outcome = try BuiltCandela.run(
      "transcode", sample, folder.path("out.mov"), "-p", preset, "--report", base, "-y")
    #expect(outcome.status != 0 && outcome.errors.contains("base.json"), "\(outcome.errors)")
    #expect(try String(contentsOfFile: base, encoding: .utf8).contains("extends"))
  }

  @Test func mistakesHaveTheirPlaces() throws {
    let wrong = try folder.write("{\n  \"extends\": \"hevc-hgl\"\n}", to: "wrong.json")
    let outcome = try BuiltCandela.run("presets", "validate", wrong)
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.hasPrefix("candela: \(wrong):2:3: there is no preset 'hevc-hgl'"),
      "\(outcome.errors)")
  }
}
