// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A preset that extends another one works in every command that takes presets.
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
    // The merged preset does not need the files that it was merged from.
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
    // In a batch, each worker gets the merged preset, wherever it runs.
    _ = try run(
      "transcode", sample, "--into", folder.path("many"), "--name", "{name}.mov", "-p", preset)
    #expect(try FileBytes.read(folder.path("many/sample.mov")) == FileBytes.read(output))
  }

  /// One preset can say what all deliverables of a studio have in common. The preset of a film then
  /// says only what differs.
  @Test func deliverablesStateTheLightOfTheirPreset() throws {
    let masters = folder.path("Masters/ep01")
    try FileManager.default.createDirectory(atPath: masters, withIntermediateDirectories: true)
    _ = try run(
      "transcode", sample, "\(masters)/reel.mov", "-p", "hevc-pq", "--speed", "ultrafast")
    let house = try folder.write(
      """
      {"extends": "hevc-pq", "name": "house", "container": "mp4", "video": {
      "masteringDisplay": "p3,1000,0.0001",
      "compressionProperties": {"speed": "ultrafast", "contentLightLevel": "1000,400"}}}
      """, to: "house.json")
    let film = try folder.write(
      """
      {"extends": "house.json", "name": "film", "video": {"masteringDisplay": "p3,4000,0.005",
      "compressionProperties": {"contentLightLevel": "4000,600"}}}
      """, to: "film.json")
    let out = folder.path("Delivery")
    let output = "\(out)/ep01/ep01_reel_HDR10.mp4"
    for (preset, light) in [
      (house, ["10000000/10000", "1/10000", "1000", "400"]),
      (film, ["40000000/10000", "50/10000", "4000", "600"]),
    ] {
      let made = try run(
        "transcode", folder.path("Masters"), "--recursive", "--into", out, "--name",
        "{folder}_{name}_HDR10.{ext}", "-p", preset, "--existing", "skip")
      #expect(made.errors.contains("1 file: 1 done"), "\(made.errors)")
      let stated = try Tool.probe(
        output, "frame_side_data=max_luminance,min_luminance,max_content,max_average",
        options: ["-read_intervals", "%+#1"]
      ).joined(separator: ",").split(separator: ",").map(String.init)
      #expect(Set(stated) == Set(light), "\(stated)")
      _ = try run("validate", output)
    }
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
