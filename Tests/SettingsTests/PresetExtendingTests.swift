// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorConversion
import Foundation
import Host
@testable import Settings
import TestSupport
import Testing
import VideoEncoders

/// A preset can extend another one.
@Suite struct PresetExtendingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ json: String) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(json.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func message(_ path: String, _ changes: String...) throws -> String {
    let error = #expect(throws: TranscodingError.self) {
      try Preset.settings(path, changes: changes)
    }
    #expect(error?.kind == .invalidSettings)
    return error?.message ?? ""
  }

  @Test func objectsAreMerged() throws {
    let path = try write(
      "mine.json",
      """
      {"extends": "hevc-hlg", "name": "mine", "video": {"width": 1280, "conversion":
      {"dither": "none"}, "compressionProperties": {"averageBitRate": 8000000,
      "maxKeyFrameInterval": null}}}
      """)
    let settings = try Preset.settings(path, changes: [])
    #expect(settings.name == "mine")
    #expect(settings.video.colorProperties == .hlg && settings.video.width == 1280)
    #expect(settings.video.conversion.dither == .none)
    #expect(settings.video.conversion.gamutMapping == .perceptual)
    // In a preset, as in a change, a key replaces the other key of its group.
    #expect(settings.video.rateControl == .averageBitRate(8_000_000))
    #expect(settings.video.maxKeyFrameInterval == nil)
    // Changes are applied after the file.
    #expect(try Preset.settings(path, changes: ["width=null"]).video.width == nil)
    let text = try Preset.mergedText(path)
    #expect(!text.contains("extends") && text.contains("ITU_R_2100_HLG") && text.contains("mine"))
    // If a preset extends no other preset, its merged text is the text of its file.
    #expect(try Preset.mergedText("hevc-hlg") == Preset.text(named: "hevc-hlg"))
  }

  /// A preset's data rate limits give way to settings that cannot be combined with them.
  @Test(
    arguments: [
      ("lossless=true", #"{"lossless": true}"#),
      ("encoderOptions.vbv_maxrate=9000", #"{"encoderOptions": {"vbv_maxrate": "9000"}}"#),
    ])
  func limitsGiveWay(change: String, properties: String) throws {
    let base = try write(
      "base.json",
      """
      {"extends": "h264-sdr", "video": {"compressionProperties": {"dataRateLimits": [8500000, 1]}}}
      """)
    #expect(try !Preset.settings(base, changes: []).video.dataRateLimits.isEmpty)
    let changed = try Preset.settings(base, changes: ["video.compressionProperties.\(change)"])
    #expect(changed.video.dataRateLimits.isEmpty)
    let path = try write(
      "mine.json",
      #"{"extends": "base.json", "video": {"compressionProperties": \#(properties)}}"#)
    #expect(try Preset.settings(path, changes: []).video.dataRateLimits.isEmpty)
    // It is a mistake to set the limits and such a setting in the same place.
    let both = "video.compressionProperties.dataRateLimits=[1000000, 1]"
    #expect(try message(path, both).contains("cannot both be set"))
  }

  @Test func limitsOfAShippedPreset() throws {
    func limits(_ changes: String...) throws -> [VideoSettings.DataRateLimit] {
      try Preset.settings("h264-sdr", changes: changes).video.dataRateLimits
    }
    // The highest rate of level 4.2 (H.264, table A-1).
    let shipped = VideoSettings.DataRateLimit(bytes: 50_000_000 / 8, seconds: 1)
    #expect(try limits() == [shipped])
    #expect(try limits("averageBitRate=50000000") == [shipped])
    #expect(try limits("video.codec=hevc") == [shipped])
    #expect(try limits("averageBitRate=50000001").isEmpty)
    #expect(try limits("video.codec=av1").isEmpty)
    #expect(try limits("dataRateLimits=null").isEmpty)
    #expect(throws: (any Error).self) {
      try limits("video.codec=av1", "dataRateLimits=[1000000, 1]")
    }
  }

  @Test func pathsAreRelativeToTheFile() throws {
    let base = try write("base/sdr.json", #"{"extends": "hevc-sdr", "video": {"height": 720}}"#)
    _ = try write("middle.json", #"{"extends": "base/sdr.json", "audio": "none"}"#)
    let top = try write("tops/top.json", #"{"extends": "../middle.json", "metadata": "none"}"#)
    let settings = try Preset.settings(top, changes: [])
    #expect(settings.video.height == 720 && settings.audio == .none && settings.metadata == .none)
    #expect(settings.video.colorProperties == .bt709)
    #expect(Preset.files(top).count == 3)
    let found = Preset.files(top).compactMap { PosixPath.resolved($0) }
    #expect(found.last == PosixPath.resolved(base))
  }

  @Test func mistakesHaveTheirPlaces() throws {
    let unknown = try write("unknown.json", "{\n  \"extends\": \"hevc-hgl\"\n}")
    #expect(
      try message(unknown).hasPrefix("\(unknown):2:3: there is no preset 'hevc-hgl': did you mean"))
    let missing = try write("missing.json", #"{"extends": "./none.json"}"#)
    #expect(try message(missing).hasPrefix("\(missing):1:2: the preset "))
    #expect(try message(missing).contains("none.json cannot be read"))
    let number = try write("number.json", #"{"extends": 5}"#)
    #expect(try message(number) == "\(number):1:2: extends must be a string, not a number")
    let broken = try write("broken.json", "{\n  \"video\": }")
    let onBroken = try write("onBroken.json", #"{"extends": "broken.json"}"#)
    #expect(try message(onBroken).contains("broken.json:2:12: it is not JSON"))
    #expect(try message(broken).contains("broken.json:2:12: it is not JSON"))
    // The error names the file that states the wrong value.
    let wrong = try write("wrong.json", "{\"extends\": \"hevc-sdr\",\n \"video\": {\"width\": 1}}")
    let onWrong = try write("onWrong.json", #"{"extends": "wrong.json", "name": "on"}"#)
    #expect(try message(onWrong).contains("wrong.json:2:12: video.width is 1"))
    #expect(try message(wrong, "height=1").contains(":2:12: video.width is 1"))
    // A built-in preset is valid by itself, so the file that extends it is at fault.
    let codec = try write("codec.json", #"{"extends": "hevc-hlg", "video": {"codec": "h264"}}"#)
    #expect(try message(codec).hasPrefix("\(codec):1:2: video.profileLevel is"))
  }

  @Test func circlesAreFound() throws {
    let own = try write("own.json", "{\n\"extends\": \"own.json\"}")
    #expect(
      try message(own) == "\(own):2:1: extends is 'own.json', which extends this preset in turn")
    let one = try write("one.json", #"{"extends": "two.json"}"#)
    _ = try write("two.json", #"{"extends": "./one.json"}"#)
    #expect(try message(one).contains("two.json:1:2: extends is './one.json'"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: "looped.json")
    let looped = try write("looped.json", #"{"extends": "link.json"}"#)
    #expect(try message(looped).contains("which extends this preset in turn"))
  }

  @Test func aChangeDoesNotExtend() throws {
    #expect(try message("hevc-hlg", "extends=hevc-sdr").contains("extends cannot be changed"))
  }

  /// Settings that do not come from a file can extend a preset by its name.
  @Test func settingsOfProgramsExtend() throws {
    let settings = try TranscodeSettings(["extends": "hevc-hlg", "video": ["width": 640]])
    #expect(settings.video.width == 640 && settings.video.colorProperties == .hlg)
    let error = #expect(throws: TranscodingError.self) {
      try TranscodeSettings(["extends": "hevc-hgl"])
    }
    #expect(error?.message.contains("did you mean 'hevc-hlg'?") == true)
  }
}
