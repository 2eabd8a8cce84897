// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Host
import Testing
@testable import candela

/// The options that the program names beside what the library says.
@Suite struct AdviceTests {
  /// Errors by their codes, with what the program prints.
  private static let errors: [(TranscodingError.Code, [String: String], String)] = [
    (.fragmentedMovie, [:], "so: transcode it with --set video.codec=passthrough"),
    (.doesNotFit, [:], "so, or use --force to try all the same"),
    (.outputExists, [:], "so; use --overwrite to replace it"),
    (.conflictingStatements, [:], "so; refused by --strict"),
    (.truncatedInput, [:], "so; use --on-error continue to take what is there"),
    (.damagedInput, [:], "so; use --on-error continue to conceal what is damaged"),
    (
      .hdrNeedsMoreBits, [:],
      "so: use --preset h264-sdr or hevc-sdr to convert it to SDR, or hevc-match-source to keep it"
    ),
    (.containerIsNotOfName, [:], "so"),
    (.outputIsFolder, ["folder": "out/"], "so, or use --into out/"),
    (.unknownPreset, ["preset": "slow"], "so; the encoder's speed is --speed slow"),
    (.unknownPreset, ["preset": "mine"], "so"),
    (.unknownKey, ["key": "preset"], "so A preset is named by --preset, a speed by --speed"),
    (.unknownKey, ["key": "x"], "so"),
    (
      .statedMetadata, ["option": "master-display"],
      "so, or state it afterwards: candela retag --mastering-display"
    ),
    (
      .malformedChange, ["change": "x"],
      "--set takes key=value, such as video.width=1280, not 'x'"
    ),
    (
      .nothingToChange, [:],
      "so: --color, --range, --chroma-location, --codec-tag, --ambient, --mastering-display or "
        + "--content-light"
    ),
    (
      .impossibleMetadata, ["metadata": "masteringDisplay", "fault": "no"],
      "--mastering-display: no"
    ),
    (
      .unknownCodecTag, ["codecTag": "x", "values": "hvc1, hev1"],
      "--codec-tag has no value 'x': hvc1, hev1"
    ),
    (.rangeBesideColor, [:], "so; add --color none"),
    (.writtenByAnother, [:], "so"),
    (.unfitSegment, [:], "so; transcode the file with --workers 1"),
    (.unfitRPUs, [:], "so; --force puts them in as they are"),
    (
      .otherRPUCount, ["frameCount": "5", "rpuCount": "86"],
      "so; where an edit list hid frames, 'rpu extract --presented' leaves theirs out"
    ),
    (
      .otherRPUCount, ["frameCount": "86", "rpuCount": "78"],
      "so; frames that an edit list hides need theirs, too: 'rpu extract' gives them without "
        + "--presented"
    ),
    (
      .noSuchFrame, ["frame": "9", "last": "4", "path": "a.bin"],
      "--frame 9: a.bin has the frames 0 to 4"
    ),
  ]

  @Test func errorsNameTheOption() {
    for (code, arguments, text) in Self.errors {
      let error = TranscodingError(.unusableInput, "so", code: code, arguments: arguments)
      #expect(Advice.text(error) == text)
    }
    #expect(Set(Self.errors.map(\.0)) == Set(TranscodingError.Code.allCases))
    #expect(Advice.text(TranscodingError(.noInput, "so")) == "so")
  }

  @Test(
    arguments: [
      ("untaggedBecomesHDR", [:], "so; if it is SDR, say so with --source-color 709"),
      (
        "tagsNotOfBaseLayer", ["baseLayer": "HLG"],
        "so; if it is HLG, say so with --source-color hlg"
      ),
      (
        "tagsNotOfBaseLayer", ["baseLayer": "HDR10"],
        "so; if it is HDR10, say so with --source-color pq"
      ),
      ("outputExists", [:], "so; it is replaced with --overwrite only"),
      ("doesNotFit", [:], "so; it is tried with --force only"),
      (
        "audioNotStorable", ["otherContainer": "mp4"],
        "so; use .mp4, or --set audio=auto to encode it"
      ),
      ("audioNotStorable", [:], "so; use --set audio=auto to encode it"),
      ("sampleEntryNotHVC1", [:], "so: candela retag --codec-tag hvc1"),
      ("ambientLightMissing", [:], "so: candela retag --ambient 314,0.3127,0.3290"),
      ("trackNotCarried", [:], "so"),
    ] as [(Notice.Code, [String: String], String)])
  func noticesNameTheOption(code: Notice.Code, arguments: [String: String], text: String) {
    #expect(Advice.text(Notice(code, arguments, "so")) == text)
  }
}
