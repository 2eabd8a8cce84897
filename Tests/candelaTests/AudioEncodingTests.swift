// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Encoded audio begins and ends where the source's audio does, to the sample.
@Suite struct AudioEncodingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two channels of rising tones, no part of which resembles any other part.
  private static let tones =
    "aevalsrc=0.3*sin(2*PI*(300*t+700*t*t))|0.3*sin(2*PI*(900*t+500*t*t))"

  /// Makes a file with 24 frames and 1.1 s of audio.
  private func source(
    _ name: String, rate: Int = 48000, before: [String] = [], _ arguments: [String]
  ) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=24:d=1"] + before
        + ["-f", "lavfi", "-i", "\(Self.tones):s=\(rate):d=1.1"]
        + ["-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-preset", "ultrafast"] + arguments
        + [path])
    return path
  }

  @discardableResult
  private func transcode(
    _ input: String, _ name: String, audio: String, expecting status: Int32 = 0
  ) throws -> (path: String, errors: String) {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      "transcode", input, output, "--overwrite", "--preset", "h264-sdr", "--set",
      "video.compressionProperties.speed=ultrafast", "--set", "audio=\(audio)")
    #expect(outcome.status == status, "\(outcome.errors)")
    return (output, outcome.errors)
  }

  @Test(
    arguments: [
      ("aac", "mov"), ("aac", "mp4"), ("alac", "mov"), ("alac", "mp4"), ("opus", "mp4"),
      ("flac", "mp4"), ("pcm_s16le", "mov"), ("pcm_s24le", "mov"), ("ac3", "mov"), ("ac3", "mp4"),
    ].shortened(to: 4))
  func everyCodecIsOnTime(codec: String, container: String) throws {
    let input = try source("source.mov", ["-c:a", "pcm_s16le"])
    let output = try transcode(input, "out.\(container)", audio: #"{"codec":"\#(codec)"}"#).path
    let (before, after) = (try PlayedAudio(input), try PlayedAudio(output))
    #expect(try Tool.probe(output, "stream=codec_name", stream: "a:0") == [codec])
    let counts = (before.channels[0].count, after.presentedCount, after.channels[0].count)
    #expect(after.start == before.start && counts.0 == 52_800 && counts.1 == 52_800)
    #expect(counts.2 >= 52_800)
    let (lag, likeness) = after.lag(behind: before)
    #expect(lag == 0 && likeness > 0.995, "\(lag) \(likeness)")
    let gain =
      PlayedAudio.power(after.channels[1].prefix(52_800))
      / PlayedAudio.power(before.channels[1])
    #expect(abs(10 * log10(gain)) < 0.1, "\(gain)")
    if ["alac", "flac", "pcm_s16le", "pcm_s24le"].contains(codec) {
      let areSame = after.channels.map { Array($0.prefix(52_800)) } == before.channels
      #expect(areSame)
    }
  }

  /// The output's decoded audio is the same as the source's, even if the source has priming, times
  /// before zero, audio that begins after the video, or a clock that does not begin at zero.
  @Test(
    arguments: [
      ["vorbis.mkv", "-c:a", "libvorbis"], ["opus.mkv", "-c:a", "libopus"],
      ["aac.mp4", "-c:a", "aac"], ["aac.mkv", "-c:a", "aac"], ["mp3.mkv", "-c:a", "libmp3lame"],
      ["late.mov", "-c:a", "aac"], ["late.mkv", "-c:a", "flac"], ["ac3.ts", "-c:a", "ac3"],
    ].shortened(to: 3))
  func everySourceIsOnTime(arguments: [String]) throws {
    let isLate = arguments[0].hasPrefix("late")
    let input = try source(
      arguments[0], rate: arguments[0].hasPrefix("late") ? 48000 : 44100,
      before: isLate ? ["-itsoffset", "0.25"] : [], Array(arguments.dropFirst()))
    let output = try transcode(input, "out.mov", audio: #"{"codec":"alac"}"#).path
    let options = arguments.contains("ac3") ? ["-drc_scale", "0"] : []
    let before = try PlayedAudio(input, options: options).withoutPriming
    let after = try PlayedAudio(output)
    // Matroska's times are whole milliseconds. In a transport stream, the first time counts as
    // zero.
    let zero = input.hasSuffix("ts") ? min(before.start, try firstFrameTime(input)) : 0
    #expect(abs(after.start - before.start + zero) <= 0.00101, "\(after.start) \(before.start)")
    // ffmpeg also returns the padding, which edits hide.
    let count = before.channels[0].count
    let least = input.hasSuffix("mkv") ? count : Int(1.1 * Double(after.sampleRate)) - 48
    let presented = after.presentedCount
    #expect(presented >= least && presented <= count, "\(presented) \(count)")
    let (lag, likeness) = after.lag(behind: before)
    #expect(lag == 0 && likeness > 0.999_999, "\(lag) \(likeness)")
  }

  /// Copied Opus has exact times because its packets state their own length, although Matroska
  /// rounds times to milliseconds.
  @Test(arguments: ["2.5", "20", "60"].shortened(to: 1))
  func copiedOpusIsExact(milliseconds: String) throws {
    let input = try source("opus.mkv", ["-c:a", "libopus", "-frame_duration", milliseconds])
    let output = try transcode(input, "copied.mp4", audio: "passthrough").path
    let packets = try Tool.probe(
      output, "packet=pts,duration", stream: "a:0", options: ["-ignore_editlist", "1"])
    let length = Int((Double(milliseconds) ?? 0) * 48)
    let places = packets.dropLast().indices.map { "\($0 * length),\(length)" }
    #expect(packets.count > 18 && Array(packets.dropLast()) == places, "\(packets.prefix(4))")
    let (before, after) = (try PlayedAudio(input), try PlayedAudio(output))
    let (lag, likeness) = after.lag(behind: before)
    #expect(lag == 0 && likeness > 0.999_999, "\(lag) \(likeness)")
    // Neither the priming nor the padding is heard, because the edit list leaves them out.
    #expect(after.presentedCount == before.channels[0].count)
    #expect(try Tool.probe(output, "stream=start_time", stream: "a:0") == ["0.000000"])
  }

  /// The padding at the end is not heard in Matroska either. Matroska has no edits; instead, its
  /// blocks state the padding. Priming is stated only for Opus.
  @Test(arguments: [("opus", 0), ("aac", 1024)].shortened(to: 1))
  func matroskaLeavesPaddingOut(codec: String, priming: Int) throws {
    let input = try source("source.mov", ["-c:a", "pcm_s16le"])
    let encoded = try transcode(input, "encoded.mkv", audio: #"{"codec":"\#(codec)"}"#).path
    let copied = try transcode(encoded, "copied.mkv", audio: "passthrough").path
    for path in [encoded, copied] {
      #expect(try PlayedAudio(path).channels[0].count == 52_800 + priming)
    }
  }

  private func firstFrameTime(_ path: String) throws -> Double {
    let times = try Tool.probe(path, "frame=pts_time", options: ["-read_intervals", "%+#1"])
    return times.compactMap(Double.init).first ?? 0
  }

  @Test func autoCopiesWhatPlayersKnow() throws {
    let input = try source("source.mov", ["-c:a", "pcm_s16le"])
    #expect(
      try Tool.digest(transcode(input, "a.mov", audio: "auto").path, of: "a")
        == Tool.digest(input, of: "a"))
    let (output, errors) = try transcode(input, "b.mp4", audio: "auto")
    #expect(errors.contains("track 2 (audio, pcm_s16le) is encoded as aac"))
    #expect(try Tool.probe(output, "stream=codec_name", stream: "a:0") == ["aac"])
    let plan = try BuiltCandela.run(
      "plan", input, "--json", "--set", "container=mp4", "--preset", "h264-sdr"
    ).json()
    let audio = try #require((plan["audio"] as? [[String: Any]])?.first)
    #expect(audio["action"] as? String == "encoded" && audio["track"] as? Int == 2)
    let encoding = try #require(audio["encoding"] as? [String: Any])
    #expect(encoding["codec"] as? String == "aac" && encoding["bitRate"] as? Int == 192_000)
    let codes = (plan["notices"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(codes?.contains("audioEncoded") == true)
  }

  /// If source and output are the same kind of file, `auto` copies even rare codecs, because
  /// whoever can play the source can then play the output, too.
  @Test(
    arguments: [
      ("wavpack", "mkv"), ("adpcm_ms", "mkv"), ("adpcm_ima_wav", "mkv"), ("libvorbis", "mp4"),
    ].shortened(to: 2))
  func autoCopiesWhatTheSourcesKindHolds(codec: String, type: String) throws {
    let input = try source("source.\(type)", ["-c:a", codec])
    let (output, errors) = try transcode(input, "out.\(type)", audio: "auto")
    #expect(!errors.contains("audio"), "\(errors)")
    let facts = "packet=data_hash"
    let hashes = try [input, output].map {
      try Tool.probe($0, facts, stream: "a:0", options: ["-show_data_hash", "md5"])
    }
    #expect(hashes[0] == hashes[1])
  }

  /// The notice states what really prevents a copy of TTA. Players are not the reason, because
  /// players of Matroska do know TTA.
  @Test func theReasonIsWhatStandsInTheWay() throws {
    let input = try source("source.mkv", ["-c:a", "tta"])
    for (audio, words) in [("auto", "is encoded as aac: "), ("passthrough", "is left out: ")] {
      let (_, errors) = try transcode(input, "\(audio).mkv", audio: audio)
      #expect(errors.contains(words + "readers of .mkv derive"), "\(errors)")
    }
  }

  @Test func rulesAreForLanguages() throws {
    let input = try source(
      "two.mov",
      [
        "-map", "1:a", "-c:a", "aac", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1",
        "language=ger",
      ])
    let rules = #"[{"language":"deu","codec":"alac","channels":"mono"}]"#
    let output = try transcode(input, "out.mp4", audio: rules).path
    #expect(
      try Tool.probe(output, "stream=codec_name,channels:stream_tags=language", stream: "a")
        == ["aac,2,eng", "alac,1,ger"])
  }

  /// FFmpeg cannot decode a phone's spatial audio. The audio is copied if possible; otherwise, a
  /// notice says that it is left out.
  @Test func spatialAudioIsCopiedOrNamed() throws {
    let input = try source("two.mov", ["-map", "1:a", "-c:a", "aac"])
    var bytes = try FileBytes.read(input)
    // Change the type of the sample entry, and that of the box inside it that belongs to AAC.
    for (old, new, place) in [("mp4a", "apac", 3), ("wave", "skip", 1)] {
      let text = Array(old.utf8)
      let places = bytes.indices.filter { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
      let first = try #require(places.dropFirst(place).first)
      bytes.replaceSubrange(first..<first + 4, with: Array(new.utf8))
    }
    try folder.write(bytes, to: "phone.mov")
    let phone = folder.path("phone.mov")
    let sizes = try Tool.probe(phone, "packet=size,pts", stream: "a:1")
    let (movie, _) = try transcode(phone, "out.mov", audio: "auto")
    #expect(try Tool.probe(movie, "packet=size,pts", stream: "a:1") == sizes && sizes.count > 40)
    #expect(
      try Tool.probe(movie, "stream=codec_tag_string", stream: "a") == ["mp4a", "apac"])
    let (output, errors) = try transcode(phone, "out.mp4", audio: "auto")
    #expect(errors.contains("track 3 (audio, apac) is left out: FFmpeg cannot decode it"))
    #expect(try Tool.probe(output, "stream=codec_name", stream: "a") == ["aac"])
  }

  /// A damaged packet becomes silence, and all other packets stay in their place.
  @Test func damageIsSilence() throws {
    let input = try source("source.mp4", ["-c:a", "aac", "-b:a", "256k"])
    let positions = try Tool.probe(input, "packet=pos,size", stream: "a:0")
    let packet = try #require(positions.dropFirst(20).first).split(separator: ",").compactMap {
      Int($0)
    }
    var bytes = try FileBytes.read(input)
    let place = try #require(packet.max()), size = try #require(packet.min())
    for index in place..<place + size { bytes[index] = 0xA5 }
    try folder.write(bytes, to: "damaged.mp4")
    let (output, errors) = try transcode(
      folder.path("damaged.mp4"), "out.mov", audio: #"{"codec":"alac"}"#, expecting: 2)
    #expect(errors.contains("damage"))
    let (before, after) = (try PlayedAudio(input), try PlayedAudio(output))
    #expect(after.start == 0 && abs(after.presentedCount - 52_800) <= 48)
    let (lag, likeness) = after.lag(behind: before)
    #expect(lag == 0 && likeness > 0.95 && likeness < 0.9999, "\(lag) \(likeness)")
    let ranges = [0..<17_000, 26_000..<52_000]
    for range in ranges where min(before.channels[0].count, after.channels[0].count) > 52_000 {
      let pairs = zip(before.channels[0][range], after.channels[0][range])
      let areSame = pairs.allSatisfy { abs($0 - $1) < 0.001 }
      #expect(areSame, "\(range)")
    }
    try transcode(folder.path("damaged.mp4"), "a.mov", audio: "auto")
  }

  /// Speech in the center keeps its loudness, the channel of low-frequency effects (LFE) is left
  /// out, and nothing clips.
  @Test func channelsAreMixed() throws {
    let path = folder.path("center.mov")
    func tone(_ channels: String) throws -> PlayedAudio {
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "aevalsrc=\(channels):c=5.1:s=48000:d=0.5", "-c:a", "pcm_s16le", path)
      return try PlayedAudio(
        transcode(path, "out.mov", audio: #"{"codec":"pcm_s24le","channels":"stereo"}"#).path)
    }
    let sine = "0.5*sin(2*PI*500*t)"
    let center = try tone("0|0|\(sine)|\(sine)|0|0")
    let power = center.channels.reduce(0) { $0 + PlayedAudio.power($1) }
    #expect(center.channels.count == 2 && abs(power - 0.125) < 0.0001)
    let surround = try tone("\(sine)|0|0|0|\(sine)|0")
    let peak = surround.channels[0].map(abs).max() ?? 0
    #expect(abs(peak - 0.5 * (1 + 0.70711)) < 0.001)
    #expect((surround.channels[1].map(abs).max() ?? 1) < 0.001)
    let full = "0.99*sin(2*PI*500*t)"
    let loud = try tone([full, full, full, full, full, full].joined(separator: "|"))
    let loudest = loud.channels[0].map(abs).max() ?? 0
    #expect(loudest < 0.99 && loudest > 0.98)
  }

  /// If a codec has no room for all channels, the output keeps as many as the codec can store.
  @Test func surroundsAreKept() throws {
    let (input, output) = (folder.path("seven.mov"), folder.path("out.mp4"))
    let sine = "0.25*sin(2*PI*500*t)"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "aevalsrc=0|0|0|0|\(sine)|\(sine)|0:c=6.1:s=48000:d=0.5", "-c:a",
      "pcm_s16le", input)
    let result = try BuiltCandela.transcode([input, output])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    let mixed = result.notices.arguments("audioMixed")
    #expect(mixed?["from"] == "6.1" && mixed?["to"] == "5.1")
    #expect(try Tool.probe(output, "stream=channel_layout", stream: "a") == ["5.1"])
    let levels = try PlayedAudio(output).channels.map { 10 * log10(PlayedAudio.power($0) + 1e-12) }
    // The left surround gets its own channel plus the back center, and the right surround gets only
    // the back center.
    #expect(abs(levels[4] - levels[5] - 20 * log10(1 + 2.0.squareRoot())) < 0.3, "\(levels)")
    #expect(levels[..<4].allSatisfy { $0 < levels[5] - 30 }, "\(levels)")
  }

  @Test(
    .needsSharedMedia,
    arguments: ["sdr/mediabunny__multiple-aac-tracks.mp4"])
  func realSurroundIsMixed(name: String) throws {
    let input = SharedMedia.path(name)
    let (output, _) = try transcode(
      input, "out.mp4", audio: #"{"codec":"aac","channels":"stereo","bitRate":256000}"#)
    let half = "0.70711"
    let mixed = folder.path("mixed.wav")
    try Tool.ffmpeg(
      "-drc_scale", "0", "-i", input, "-map", "0:a:0", "-af",
      "pan=stereo|FL=FL+\(half)*FC+\(half)*BL|FR=FR+\(half)*FC+\(half)*BR", mixed)
    let (before, after) = (try PlayedAudio(mixed), try PlayedAudio(output))
    #expect(abs(after.presentedCount - before.channels[0].count) <= 1024)
    let (lag, likeness) = after.lag(behind: before)
    #expect(lag == 0 && likeness > 0.95, "\(lag) \(likeness)")
    let gain = PlayedAudio.power(after.mono) / PlayedAudio.power(before.mono)
    #expect(abs(10 * log10(gain)) < 0.5, "\(gain)")
  }

  /// MP4 players that do not read edit lists learn from `iTunSMPB` how much priming there is.
  @Test func primingIsStatedForOtherPlayers() throws {
    let input = try source("source.mkv", ["-c:a", "flac"])
    let output = try transcode(input, "out.mp4", audio: #"{"codec":"aac"}"#).path
    let text = String(decoding: try FileBytes.read(output), as: UTF8.self)
    // 53 packets of 1024 samples: 1024 of priming, 52 800 that are heard, and 448 of padding.
    let isStated = text.contains(" 00000000 00000400 000001C0 000000000000CE40 00000000")
    #expect(isStated)
    let again = try transcode(output, "again.mov", audio: #"{"codec":"alac"}"#).path
    let isGone = !String(decoding: try FileBytes.read(again), as: UTF8.self).contains("iTunSMPB")
    #expect(isGone)
    #expect(try PlayedAudio(again).presentedCount == 52_800)
    let areThere = ["sgpd", "roll", "elst"].allSatisfy { text.contains($0) }
    #expect(areThere)
  }
}
