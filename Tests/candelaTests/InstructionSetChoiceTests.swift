// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// An environment variable chooses the instruction set.
@Suite struct InstructionSetChoiceTests {
  private static let variable = "CANDELA_INSTRUCTION_SET"

  @Test func unknownNamesAreRefused() throws {
    let outcome = try Tool.run("env", ["\(Self.variable)=sse", BuiltCandela.path, "presets"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "candela: CANDELA_INSTRUCTION_SET cannot be 'sse': use one of baseline, avx2, avx512, "
        + "or unset it\n")
  }

  @Test func theVersionSaysWhichIsInUse() throws {
    for (value, words) in [("baseline", "the baseline"), ("", "color conversion with")] {
      let outcome = try Tool.run(
        "env", ["\(Self.variable)=\(value)", BuiltCandela.path, "--version"])
      #expect(outcome.status == 0 && outcome.output.contains(words), "\(outcome.output)")
    }
  }

  /// A whole transcode has the same frames with every instruction set, whatever the dither.
  @Test(arguments: ["none", "ordered", "errorDiffusion"].shortened(to: 2))
  func outputsAreTheSame(dither: String) throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    var digests: Set<String> = []
    for set in ["baseline", "avx2", "avx512"] {
      let output = folder.path("\(set).mp4")
      let outcome = try Tool.run(
        "env",
        [
          "\(Self.variable)=\(set)", BuiltCandela.path, "transcode", sample, output, "-q", "-p",
          "h264-sdr", "--speed", "ultrafast", "--set", "dither=\(dither)", "--set", "lossless=true",
        ])
      // Not every processor has all of these instruction sets.
      if outcome.status == 69 && outcome.errors.contains("this processor has no") { continue }
      #expect(outcome.status == 0, "\(outcome.errors)")
      digests.insert(try Tool.digest(output))
    }
    #expect(digests.count == 1)
  }
}
