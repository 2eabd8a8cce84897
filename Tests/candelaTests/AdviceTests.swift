// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Host
import Testing
@testable import candela

/// The program's messages say what the library says, and also name the options that help.
@Suite struct AdviceTests {
  /// Codes of errors, their arguments, and the options that the program names for each.
  private static let errors: [(TranscodingError.Code, [String: String], [String])] = [
    (.fragmentedMovie, [:], ["--set video.codec=passthrough"]),
    (.doesNotFit, [:], ["--force"]),
    (.outputExists, [:], ["--overwrite"]),
    (.conflictingStatements, [:], ["--strict"]),
    (.truncatedInput, [:], ["--on-error continue"]),
    (.damagedInput, [:], ["--on-error continue"]),
    (.hdrNeedsMoreBits, [:], ["--preset"]),
    (.containerIsNotOfName, [:], []),
    (.outputIsFolder, ["folder": "out/"], ["--into out/"]),
    (.unknownPreset, ["preset": "slow"], ["--speed slow"]),
    (.unknownPreset, ["preset": "20"], ["--crf 20"]),
    (.unknownPreset, ["preset": "mine"], []),
    (.unknownKey, ["key": "preset"], ["--preset", "--speed"]),
    (.unknownKey, ["key": "x"], []),
    (.unknownKey, ["key": "Threads"], ["--threads"]),
    (.statedMetadata, ["option": "master-display"], ["--set video.masteringDisplay="]),
    (.malformedChange, ["change": "x"], ["--set"]),
    (
      .nothingToChange, [:],
      [
        "--color", "--range", "--chroma-location", "--codec-tag", "--ambient",
        "--mastering-display", "--content-light",
      ]
    ),
    (
      .impossibleMetadata, ["metadata": "masteringDisplay", "fault": "no"],
      ["--mastering-display: no"]
    ),
    (.unknownCodecTag, ["codecTag": "x", "values": "hvc1, hev1"], ["--codec-tag"]),
    (.rangeBesideColor, [:], ["--color none"]),
    (.writtenByAnother, [:], []),
    (.unfitSegment, [:], ["--workers 1"]),
    (.unfitRPUs, [:], ["--force"]),
    (.otherRPUCount, ["frameCount": "5", "rpuCount": "86"], ["--presented"]),
    (.otherRPUCount, ["frameCount": "86", "rpuCount": "78"], ["--presented"]),
    (.noSuchFrame, ["frame": "9", "last": "4", "path": "a.bin"], ["--frame 9"]),
  ]

  /// Returns whether a text names exactly these options, with their values.
  private static func names(_ text: String, _ options: [String]) -> Bool {
    let named = text.split { !$0.isLetter && $0 != "-" }.count { $0.hasPrefix("--") }
    return named == options.count && options.allSatisfy(text.contains)
  }

  @Test func errorsNameTheOption() {
    for (code, arguments, options) in Self.errors {
      let error = TranscodingError(.unusableInput, "so", code: code, arguments: arguments)
      #expect(Self.names(error.advice, options), "\(code)")
    }
    #expect(Set(Self.errors.map(\.0)) == Set(TranscodingError.Code.allCases))
    #expect(TranscodingError(.noInput, "so").advice == "so")
  }

  @Test(
    arguments: [
      ("untaggedBecomesHDR", [:], ["--source-color 709"]),
      ("tagsNotOfBaseLayer", ["baseLayer": "HLG"], ["--source-color hlg"]),
      ("tagsNotOfBaseLayer", ["baseLayer": "HDR10"], ["--source-color pq"]),
      ("outputExists", [:], ["--overwrite"]),
      ("doesNotFit", [:], ["--force"]),
      ("audioNotStorable", ["otherContainer": "mp4"], [".mp4, or --set audio=auto"]),
      ("audioNotStorable", [:], ["--set audio=auto"]),
      ("sampleEntryNotHVC1", [:], ["--codec-tag hvc1"]),
      ("ambientLightMissing", [:], ["--ambient 314,0.3127,0.3290"]),
      ("trackNotCarried", [:], []),
    ] as [(Notice.Code, [String: String], [String])])
  func noticesNameTheOption(
    code: Notice.Code, arguments: [String: String], options: [String]
  ) {
    #expect(Self.names(Notice(code, arguments, "so").advice, options))
  }
}
