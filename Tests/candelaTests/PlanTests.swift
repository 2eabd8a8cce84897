// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// What `plan` says is what `transcode` does, and planning writes no files.
@Suite struct PlanTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  private func encoding(_ arguments: String...) throws -> [String: Any] {
    let outcome = try BuiltCandela.run(["plan", sample, "--json"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let video = try #require(outcome.json()["video"] as? [String: Any])
    return try #require(video["encoding"] as? [String: Any])
  }

  @Test func aConversionIsNamedStepByStep() throws {
    let plan = try encoding("--preset", "h264-sdr")
    #expect(plan["rule"] as? String == "convertTaggedSource")
    let colr = try #require(plan["colr"] as? [String: Any])
    #expect(colr["type"] as? String == "nclx" && colr["range"] as? String == "limited")
    #expect((colr["colorPrimaries"] as? [String: Any])?["code"] as? Int == 1)
    #expect((plan["evidence"] as? [String: String])?["transferFunction"] == "container")
    #expect((plan["evidence"] as? [String: String])?["range"] == "bitstream")
    let steps = try #require(plan["steps"] as? [String])
    for words in [
      "HLG OOTF for a display of 1000", "tone map by 'auto' over 'blend' from 1000 to 203",
      "gamut mapping 'perceptual'", "ordered dither",
    ] {
      #expect(steps.contains { $0.contains(words) }, "\(words)")
    }
    #expect(folder.names == ["sample.mov"])
  }

  /// Every operator can be asked for on the command line and in a preset.
  @Test(
    arguments: ["clip", "reinhard", "bt2390", "spline", "bt2446a", "bt2446b", "bt2446c"].shortened(
      to: 2))
  func everyToneOperatorIsReached(name: String) throws {
    let plan = try encoding(
      "--preset", "h264-sdr", "--set", "video.conversion.toneMapping=\(name)",
      "--set", "video.conversion.gamutMapping=bt2407", "--set",
      "video.conversion.dither=errorDiffusion")
    let steps = try #require(plan["steps"] as? [String])
    for words in ["'\(name)'", "gamut mapping 'bt2407'", "errorDiffusion dither"] {
      #expect(steps.contains { $0.contains(words) }, "\(words)")
    }
  }

  /// Rates are bits per second. A user who thinks in kilobits gets a hint, but the value stays.
  @Test func aTinyRateGetsAHint() throws {
    let clip = folder.path("clip.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=50:d=0.1", clip)
    func isHinted(_ setting: String) throws -> Bool {
      let plan = try BuiltCandela.run(
        "plan", clip, "--json", "--set", "video.compressionProperties.\(setting)")
      #expect(plan.status == 0, "\(plan.errors)")
      return try ReportedNotice.all(in: Data(plan.output.utf8)).codes.contains("rateTooLow")
    }
    #expect(try isHinted("averageBitRate=2000"))
    #expect(try !isHinted("averageBitRate=20000"))
    #expect(try isHinted("dataRateLimits=[200,1]"))
  }

  @Test func theRulesAreNamed() throws {
    #expect(try encoding()["rule"] as? String == "propagate")
    #expect((try encoding()["steps"] as? [String])?.isEmpty == true)
    let untagged = try encoding("--source-color", "none")
    #expect(untagged["rule"] as? String == "leaveUntagged")
    #expect(untagged["colr"] == nil)
    let tagged = try encoding("--source-color", "none", "--preset", "hevc-hlg")
    #expect(tagged["rule"] as? String == "tagUntaggedSource")
    #expect((tagged["steps"] as? [String])?.isEmpty == true)
    let partial = try encoding("--source-color", "9/18/2", "--preset", "hevc-sdr")
    #expect(partial["inferred"] as? [String] == ["yCbCrMatrix"])
  }

  /// If a file's container and its bitstream state different colors, the plan says so. With
  /// `--strict`, the file is refused.
  @Test func conflictsAreShownAndRefusedOnRequest() throws {
    let liar = folder.path("liar.mp4")
    try Tool.ffmpeg(
      "-i", sample, "-c", "copy", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-colorspace", "bt709", liar)
    let report = try BuiltCandela.run("plan", liar, "--preset", "hevc-sdr", "--json")
    let conflicts = try report.notices().filter { $0.code == "tagConflict" }
    #expect(conflicts.contains { $0.arguments["otherStatement"] == "HLG (18)" })
    let strict = try BuiltCandela.run("plan", liar, "--strict")
    #expect(strict.status == 65)
    #expect(strict.errors.contains("refused by --strict"))
    #expect(try BuiltCandela.run("inspect", liar).output.contains("WARNING"))
  }

  /// A viewing environment without any light would make all frames black, so it is ignored, and the
  /// plan says so.
  @Test(.needsSharedMedia)
  func aSurroundWithoutLightIsIgnored() throws {
    var bytes = try SharedMedia.bytes("hdr/androidx__sample_edit_list.mp4")
    let place = try #require(bytes.firstRange(of: Array("amve".utf8)))
    let payload = Array(bytes[place.upperBound..<place.upperBound + 8])
    // Clears the illuminance, the first four bytes, in the box and in every SEI message.
    for range in bytes.ranges(of: payload) {
      bytes.replaceSubrange(range.lowerBound..<range.lowerBound + 4, with: [0, 0, 0, 0])
    }
    let dark = try folder.write(bytes, to: "dark.mp4")
    let change = ["--preset", "h264-sdr", "--set", "video.conversion.hlgSurround=source"]
    let outcome = try BuiltCandela.run(["plan", dark] + change)
    #expect(outcome.output.contains("HLG OOTF for a display of 1000 cd/m²\n"))
    let notices = try BuiltCandela.run(["plan", dark, "--json"] + change).notices()
    #expect(notices.arguments("ambientLightIgnored") == ["illuminance": "0"])
    let sample = try BuiltCandela.run(["plan", sample, "--json"] + change)
    let idle = try sample.notices().arguments("settingHasNoEffect")
    #expect(idle?["key"] == "video.conversion.hlgSurround")
  }

  @Test func chromaThatIsReducedIsNoted() throws {
    let full = folder.path("full.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.04", "-pix_fmt", "yuv444p", "-c:v", "ffv1", full)
    for (format, words) in [("x422", "4:2:2"), ("x420", "4:2:0")] {
      let outcome = try BuiltCandela.run(
        "plan", full, "--set", "video.pixelFormat=\(format)", "--json")
      #expect(try outcome.notices().arguments("chromaReduced") == ["chromaSubsampling": words])
    }
  }

  @Test func theReportStoresPlanAndResult() throws {
    let path = folder.path("report.json")
    let outcome = try BuiltCandela.run(
      "transcode", sample, folder.path("out.mov"), "--preset", "hevc-hlg", "--report", path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(FileBytes.read(path))) as? [String: Any])
    #expect(report["frameCount"] as? Int == 15)
    #expect(report["concealedCount"] as? Int == 0)
    #expect((report["sampleCounts"] as? [Int])?.first == 15)
    let encoder = try #require(report["encoder"] as? [String: Any])
    #expect((encoder["requested"] as? [String: String])?["crf"] == "20.0")
    #expect((report["plan"] as? [String: Any])?["preset"] as? String == "hevc-hlg")
  }

  /// The output's container decides between `nclc` and `nclx`. A run whose output or report cannot
  /// be stored is refused before the work starts.
  @Test func placesAreCheckedFirst() throws {
    let box = try #require(encoding("out.mp4")["colr"] as? [String: Any])
    #expect(box["type"] as? String == "nclx" && box["range"] as? String == "limited")
    #expect((box["transferFunction"] as? [String: Any])?["code"] as? Int == 18)
    #expect(try BuiltCandela.run("plan", sample, "out.avi").status == 64)
    let outcome = try BuiltCandela.run(
      "transcode", sample, folder.path("out.mov"), "--report", folder.path("none/report.json"))
    #expect(outcome.status == 73)
    #expect(folder.names == ["sample.mov"])
  }
}
