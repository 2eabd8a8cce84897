// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `candela compare` calls something lost if it is gone, but not if it only has another form.
@Suite struct CompareLossTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The arguments with which ffmpeg makes one second of video, ten frames.
  private static let video = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1"]
  private static let x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

  private func make(_ name: String, _ arguments: [String]) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(arguments + [path])
    return path
  }

  private func textFile(_ name: String, _ lines: [String]) throws -> String {
    try folder.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  private func subRip(_ texts: [(start: String, end: String, text: String)]) throws -> String {
    try textFile(
      "\(texts.count).srt",
      texts.enumerated().flatMap { index, text in
        ["\(index + 1)", "00:00:00,\(text.start) --> 00:00:00,\(text.end)", text.text, ""]
      })
  }

  /// Texts in another form are not lost. Timed text also has samples for the time between texts,
  /// and ASS also has drawings, but neither counts as a text.
  @Test func textsInOtherForms() throws {
    let texts = try subRip([("100", "300", "one"), ("600", "900", "two")])
    let first = try subRip([("100", "300", "one")])
    let drawing = try textFile(
      "a.ass",
      [
        "[Script Info]", "ScriptType: v4.00+", "", "[V4+ Styles]",
        "Format: Name, Fontname, Fontsize",
        "Style: Default,Arial,20", "", "[Events]",
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
        #"Dialogue: 0,0:00:00.10,0:00:00.30,Default,,0,0,0,,{\i1}one"#,
        #"Dialogue: 0,0:00:00.40,0:00:00.50,Default,,0,0,0,,{\p1}m 0 0 l 9 0{\p0}"#,
        #"Dialogue: 0,0:00:00.55,0:00:00.58,Default,,0,0,0,,{\fad(1,1)}\N "#,
        #"Dialogue: 0,0:00:00.60,0:00:00.90,Default,,0,0,0,,two"#,
      ])
    func movie(_ subtitles: String, _ name: String, _ codec: String) throws -> String {
      try make(
        name,
        Self.video + ["-i", subtitles, "-map", "0", "-map", "1"] + Self.x264 + ["-c:s", codec])
    }
    let timed = try movie(texts, "a.mp4", "mov_text")
    let styled = try movie(drawing, "b.mkv", "ass")
    let plain = try movie(texts, "c.mkv", "srt")
    for (source, output) in [(timed, plain), (plain, timed), (styled, timed), (styled, plain)] {
      let report = try ComparedFiles(source, output)
      #expect(report.findings("lost", track: nil).filter { $0 != "chromaLocation" }.isEmpty)
      #expect(report.output(of: "presentedSampleCount") == "2")
    }
    let less = try movie(first, "d.mp4", "mov_text")
    for source in [timed, styled, plain] {
      let lost = try ComparedFiles(source, less).findings("lost")
      #expect(lost.contains("presentedSampleCount") && lost.contains("duration"))
    }
  }

  /// An unstated chroma location is read as left.
  @Test func chromaLocations() throws {
    func movie(_ name: String, _ parameters: String) throws -> String {
      try make(name, Self.video + Self.x264 + ["-x264-params", parameters])
    }
    let (left, corner) = (try movie("a.mp4", "chromaloc=0"), try movie("b.mp4", "chromaloc=2"))
    let bare = try make("c.mp4", Self.video + Self.x264)
    let matroska = try make("d.mkv", ["-i", bare, "-c", "copy"])
    #expect(try !ComparedFiles(left, bare).findings("lost").contains("chromaLocation"))
    #expect(try !ComparedFiles(matroska, bare).findings("lost").contains("chromaLocation"))
    #expect(try ComparedFiles(corner, bare).findings("lost").contains("chromaLocation"))
  }

  @Test func audioThatEndsEarly() throws {
    let tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2"]
    let source = try make("a.mp4", tone + ["-c:a", "aac"])
    for (output, codec) in [("b.mp4", "copy"), ("c.mov", "pcm_s16le")] {
      let report = try ComparedFiles(
        source, make(output, ["-i", source, "-t", "0.7", "-c:a", codec]))
      #expect(report.status == 1)
      #expect(report.findings("lost").contains("duration"))
      // A tone resembles itself at many offsets, but the right one is found.
      #expect(abs(try #require(report.audio["offset"] as? Int)) < 8, "\(report.audio)")
    }
    let report = try ComparedFiles(source, make("d.mkv", ["-i", source, "-c:a", "libopus"]))
    #expect(!report.findings("lost").contains("duration"))
  }

  /// Audio is lost if it becomes other audio or moves to another time. Audio that becomes louder,
  /// softer or inverted is kept. So is audio that a lossy codec encodes, even noise.
  @Test func audioContent() throws {
    let noise = "anoisesrc=sample_rate=48000:duration=2:seed=4:amplitude=0.2"
    let source = try make("a.mov", ["-f", "lavfi", "-i", noise, "-c:a", "pcm_s16le"])
    // The four parts change their order. No part follows the part that it followed before.
    let parts = (0..<4).map { part in
      "[a\(part)]atrim=\(Double(part) * 0.45):\(Double(part) * 0.45 + 0.5)[p\(part)]"
    }
    let joined =
      "[0]asplit=4[a0][a1][a2][a3];" + parts.joined(separator: ";")
      + ";[p2][p0][p3][p1]concat=n=4:v=0:a=1"
    // Two fifths of the audio become other noise. At the best gain, 0.6, the signal-to-noise ratio
    // is -2.5 dB.
    let mixed =
      "[0]volume=0:enable='gt(t,1.2)'[a];"
      + "anoisesrc=sample_rate=48000:duration=2:seed=9:amplitude=0.2,"
      + "volume=0:enable='lt(t,1.2)'[b];[a][b]amix=normalize=0"
    for (name, filter) in [("b.mov", "areverse"), ("c.mov", joined), ("k.mov", mixed)] {
      let other = try ComparedFiles(
        source,
        make(name, ["-i", source, "-filter_complex", filter, "-c:a", "pcm_s16le"]))
      #expect(other.status == 1 && other.findings("lost") == ["audioContent"], "\(other.json)")
    }
    // Nothing is left of the source's only audible channel.
    let (left, right) = ("pan=stereo|c0=c0", "pan=stereo|c1=c0")
    let one = try make("m.mov", ["-i", source, "-af", left, "-c:a", "pcm_s16le"])
    let moved = try ComparedFiles(
      one, make("n.mov", ["-i", source, "-af", right, "-c:a", "pcm_s16le"]))
    #expect(moved.findings("lost").contains("audioContent"), "\(moved.json)")
    let kept = [
      ("d.mov", ["-af", "volume=-0.5", "-c:a", "pcm_s16le"]), ("e.mp4", ["-c:a", "aac"]),
      ("f.mov", ["-c:a", "ac3"]), ("g.mp4", ["-c:a", "libopus", "-b:a", "64k"]),
      ("h.mp4", ["-c:a", "libmp3lame", "-b:a", "64k"]), ("i.mov", ["-c:a", "adpcm_ima_qt"]),
      ("j.mp4", ["-c:a", "aac", "-b:a", "64k"]), ("l.mp4", ["-c:a", "libopus", "-b:a", "32k"]),
    ]
    for (name, arguments) in kept.shortened(to: 3) {
      let same = try ComparedFiles(source, make(name, ["-i", source] + arguments))
      #expect(!same.findings("lost").contains("audioContent"), "\(name): \(same.audio)")
    }
  }

  @Test func channelsThatAreSilent() throws {
    let noise = "anoisesrc=sample_rate=48000:duration=1:seed=4:amplitude=0.2"
    let source = try make(
      "a.mov",
      ["-f", "lavfi", "-i", noise, "-af", "pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0"]
        + ["-c:a", "pcm_s16le"])
    func report(_ name: String, _ arguments: String...) throws -> ComparedFiles {
      try ComparedFiles(source, make(name, ["-i", source] + arguments))
    }
    let center = "pan=5.1|FL=FL|FR=FR|FC=0*FC|LFE=LFE|BL=BL|BR=BR"
    let without = try report("b.mov", "-af", center, "-c:a", "pcm_s16le")
    #expect(without.status == 1 && without.findings("lost") == ["audibleChannels"])
    #expect(without.output(of: "audibleChannels") == "5, silent: 3")
    let silent = try report("c.mp4", "-af", "volume=0", "-c:a", "aac")
    #expect(silent.findings("lost").contains("audibleChannels"))
    let silentStereo = try report("d.mov", "-ac", "2", "-af", "volume=0", "-c:a", "pcm_s16le")
    #expect(silentStereo.findings("lost").contains("audibleChannels"))
    // It is no loss that a downmix has fewer channels, or that lossy codecs keep little of low
    // frequency effects.
    for (name, channels, codec) in [("e.mov", "2", "pcm_s16le"), ("f.mov", "6", "ac3")] {
      let kept = try report(name, "-ac", channels, "-c:a", codec)
      #expect(kept.status == 0 && !kept.findings("lost").contains("audibleChannels"), "\(name)")
    }
  }

  @Test func chaptersWithoutTitles() throws {
    func chapters(_ name: String, _ titles: [String]) throws -> String {
      let parts = titles.enumerated().map { index, title in
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(index * 300)\nEND=\(index * 300 + 300)\n"
          + (title.isEmpty ? "" : "title=\(title)\n")
      }
      let metadata = try textFile("\(name).txt", [";FFMETADATA1"] + parts)
      return try make(name, Self.video + ["-i", metadata, "-map_chapters", "1"] + Self.x264)
    }
    let source = try chapters("a.mkv", ["One", "Two", "Three"])
    func lost(_ name: String, _ titles: [String]) throws -> [String] {
      try ComparedFiles(source, chapters(name, titles)).findings("lost")
    }
    #expect(try lost("b.mkv", ["", "", ""]) == ["chapterTitles"])
    #expect(try lost("c.mkv", ["One", "Two"]) == ["chapters", "chapterTitles"])
    #expect(try lost("d.mkv", ["Un", "Deux", "Trois"]).isEmpty)
  }

  @Test func framesThatAreDamaged() throws {
    let source = try make("a.mp4", Self.video + ["-bf", "0"] + Self.x264)
    var bytes = try FileBytes.read(source)
    let media = try #require(bytes.firstRange(of: Array("mdat".utf8))).upperBound
    let size = bytes[media - 8..<media - 4].reduce(0) { $0 << 8 | Int($1) }
    for place in stride(from: media + size / 3, to: media + size * 2 / 3, by: 40) {
      bytes[place] ^= 0x5A
    }
    let output = try folder.write(bytes, to: "b.mp4")
    let report = try ComparedFiles(source, output)
    #expect(report.status == 1 && report.findings("lost").contains("damagedFrames"))
    let same = try ComparedFiles(output, output)
    #expect(same.status == 0 && same.output(of: "damagedFrames") != nil)
    #expect(try ComparedFiles(source, source).output(of: "damagedFrames") == nil)
    #expect(try BuiltCandela.run("compare", output, output).output.contains(", damaged: "))
  }

  /// A reference to a track that the source does not have cannot be lost.
  @Test func referencesToNothing() throws {
    let metadata = try textFile(
      "a.txt", [";FFMETADATA1", "[CHAPTER]", "TIMEBASE=1/10", "START=0", "END=10", "title=One"])
    let movie = try make("a.mov", Self.video + ["-i", metadata, "-map_chapters", "1"] + Self.x264)
    var bytes = try FileBytes.read(movie)
    let number = try #require(bytes.firstRange(of: Array("chap".utf8))).upperBound + 3
    bytes[number] = 9
    let source = try folder.write(bytes, to: "b.mov")
    let output = try make(
      "c.mov", ["-i", movie, "-map", "0:v", "-map_chapters", "-1", "-c", "copy"])
    let report = try ComparedFiles(source, output)
    #expect(report.findings("changed").contains("reference chap unknown 9"))
    #expect(!report.findings("lost").contains { $0.hasPrefix("reference") })
    #expect(try ComparedFiles(movie, output).findings("lost").contains("reference chap 2"))
  }

  /// If frames change their size, and their pixel aspect ratio changes so that they keep their
  /// shape, nothing is lost.
  @Test func framesThatAreSqueezed() throws {
    func movie(_ name: String, _ size: String, _ ratio: String) throws -> String {
      try make(name, Self.video + ["-vf", "scale=\(size),setsar=\(ratio)"] + Self.x264)
    }
    let source = try movie("a.mp4", "64x48", "4/3")
    for (name, size, ratio, isLost) in [
      ("b.mp4", "64x48", "1", true), ("c.mp4", "86x48", "1", false),
      ("d.mkv", "64x48", "4/3", false),
    ] {
      let lost = try ComparedFiles(source, movie(name, size, ratio)).findings("lost")
      #expect(lost.contains("pixelAspectRatio") == isLost, "\(name)")
    }
  }

  @Test func framesAfterTheEnd() throws {
    let whole = try make("a.mp4", Self.video + Self.x264)
    let part = try make("b.mp4", Self.video + Self.x264 + ["-frames:v", "7"])
    let longer = try ComparedFiles(part, whole)
    #expect(longer.status == 0 && longer.findings("changed").contains("frameCount"))
    #expect(longer.output(of: "frameCount") == "10")
    let words = try BuiltCandela.run("compare", part, whole).output
    #expect(words.contains("7 → 10, 3 of them after the source's end"), "\(words)")
    let shorter = try ComparedFiles(whole, part).findings("lost")
    #expect(shorter.contains("frameCount") && shorter.contains("duration"))
  }

  /// Three or more frames in a row that turn black or stand still are a loss. Low bit rates, tone
  /// curves, crops, other sizes and other frame rates are not.
  @Test func framesOfOtherPictures() throws {
    let video = "testsrc2=size=320x240:rate=10:duration=1"
    let source = try make("a.mp4", ["-f", "lavfi", "-i", video] + Self.x264)
    func report(_ name: String, _ filter: String, _ arguments: String...) throws -> ComparedFiles {
      try ComparedFiles(
        source, make(name, ["-i", source, "-vf", filter] + Self.x264 + arguments))
    }
    let black = "drawbox=color=black:t=fill"
    for (name, filter) in [
      ("b.mp4", black), ("c.mp4", "\(black):enable='between(n,3,7)'"),
      ("d.mp4", "loop=loop=9:size=1:start=0,trim=end_frame=10"),
    ] {
      let other = try report(name, filter)
      #expect(other.status == 1 && other.findings("lost").contains("frameContent"), "\(name)")
    }
    let kept = [
      ("e.mp4", "null", "51"), ("f.mp4", "curves=all='0/0 0.3/0.7 1/1'", "30"),
      ("g.mp4", "scale=160:120", "40"), ("h.mp4", "crop=80:60:0:0", "20"), ("i.mp4", "fps=5", "30"),
      ("j.mp4", "fps=15", "30"), ("k.mp4", "\(black):enable='between(n,3,4)'", "20"),
    ]
    for (name, filter, rate) in kept.shortened(to: 3) {
      let same = try report(name, filter, "-crf", rate)
      #expect(!same.findings("lost").contains("frameContent"), "\(name)")
      #expect(same.frames["otherContentCount"] as? Int == 0)
    }
  }
}
