// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import LibAV
@testable import Settings
import Testing

/// A preset's `audio` can be a word, one rule or several rules.
@Suite struct AudioSettingsTests {
  private static func settings(_ audio: String) throws -> AudioSettings {
    let json = #"{"video": {"codec": "hevc"}, "audio": \#(audio)}"#
    return try TranscodeSettings(JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))).audio
  }

  @Test func wordsAndRules() throws {
    #expect(try Self.settings("null") == .auto)
    #expect(try Self.settings(#""passthrough""#) == .passthrough)
    #expect(try Self.settings(#""none""#) == .none)
    let rule = try #require(try Self.settings(#"{"codec": "opus", "bitRate": 96000}"#).rules.first)
    #expect(rule.codec == .opus && rule.bitRate == 96_000 && rule.fallback == .encode(.aac))
    let rules = try Self.settings(
      #"[{"language": "ENG", "codec": "alac", "fallback": "none"}, {"codec": "pcm_s24le"}]"#
    ).rules
    #expect(rules.map(\.codec) == [.alac, .pcm24] && rules.map(\.language) == ["eng", nil])
    #expect(rules.map(\.fallback) == [.none, .encode(.aac)])
  }

  @Test func changesOfSinglesKeys() throws {
    let changes = ["audio.codec=aac", "audio.channels=mono", "audio.bitRate=64000"]
    let audio = try Preset.settings("h264-sdr", changes: changes).audio
    var rule = AudioRule()
    (rule.codec, rule.channels, rule.bitRate) = (.aac, .mono, 64_000)
    #expect(audio.rules == [rule])
  }

  @Test(arguments: [
    (#""sum""#, "audio cannot be 'sum': use one of 'auto', 'passthrough', 'none'"),
    (#""pass""#, "audio cannot be 'pass': did you mean 'passthrough'?"),
    ("true", "audio must be a word, an object or an array, not a boolean"),
    ("{}", "audio.codec is missing: add audio.codec=aac"),
    (#"{"codec": "acc"}"#, "audio.codec cannot be 'acc': did you mean 'aac'?"),
    (#"{"codec": "mp3"}"#, "audio.codec cannot be 'mp3': Candela does not write MP3: use 'aac'"),
    (#""eac3""#, "audio.codec cannot be 'eac3': Candela does not write E-AC-3: use 'ac3'"),
    (
      #"{"codec": "aac", "bitrat": 1}"#,
      "audio.bitrat is not a known key: did you mean 'audio.bitRate'?"
    ),
    (#"[{"codec": "aac"}, {"codec": 1}]"#, "audio[1].codec cannot be '1': use one of 'aac'"),
    (#""128k""#, "for a bit rate, set audio.bitRate=128000 and audio.codec=aac"),
    (#""off""#, "audio cannot be 'off': did you mean 'none'?"),
    (#"[1]"#, "audio[0] must be an object, not a number"),
    ("[]", "audio is an empty array"),
    (#"{"codec": "flac", "bitRate": 96000}"#, "audio.bitRate is 96000, but flac is lossless"),
    (
      #"{"codec": "opus", "sampleRate": 44100}"#,
      "audio.sampleRate is 44100, which opus does not support"
    ),
    (#"{"codec": "aac", "language": "english"}"#, "audio.language is 'english': a language has"),
    (#"{"codec": "aac", "fallback": "nine"}"#, "audio.fallback cannot be 'nine': did you mean"),
  ])
  func mistakesAreNamed(json: String, message: String) {
    let error = #expect(throws: (any Error).self) { try Self.settings(json) }
    #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }
}
