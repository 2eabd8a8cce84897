// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Interlaced sources are deinterlaced, or stay interlaced and are scaled field by field. The
/// results are compared sample by sample with those of ffmpeg's own filters.
@Suite struct DeinterlacingTests {
  private let folder: TemporaryFolder
  private let interlaced: String

  /// Makes an MPEG-2 movie of 128×96 with motion and 25 interlaced frames a second.
  init() throws {
    folder = try TemporaryFolder()
    interlaced = folder.path("interlaced.mov")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=50:d=0.4", "-vf",
      "tinterlace=interleave_top,setfield=tff,setsar=16/15", "-c:v", "mpeg2video", "-q:v", "2",
      "-flags", "+ildct+ilme", "-bf", "0", interlaced,
    ])
  }

  private func transcode(
    _ input: String, _ name: String, _ preset: String, _ changes: String...
  ) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path(name)
    let set = (changes + ["video.compressionProperties.speed=ultrafast"]).flatMap { ["--set", $0] }
    let result = try BuiltCandela.transcode([input, output, "--preset", preset] + set)
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private static let lossless = "video.compressionProperties={\"lossless\": true}"

  @Test(arguments: [
    ("auto", "bwdif=mode=send_frame:deint=interlaced"), ("frame", "bwdif=mode=send_frame"),
    ("bob", "bwdif=mode=send_field"),
  ])
  func framesAreThoseOfBwdif(mode: String, filter: String) throws {
    for codec in ["hevc", "h264"].shortened(to: 1) {
      let (path, notices) = try transcode(
        interlaced, "\(mode)-\(codec).mov", "hevc-match-source", "video.codec=\(codec)",
        Self.lossless, "video.deinterlace=\(mode)")
      #expect(
        try Tool.frameDigests(path, format: "yuv420p")
          == Tool.frameDigests(interlaced, format: "yuv420p", filter: filter))
      #expect(notices.arguments("framesDeinterlaced") == ["mode": mode], "\(notices)")
      #expect(try Tool.run("mediainfo", ["--Inform=Video;%ScanType%", path]).text != "Interlaced")
      #expect(try !Data(contentsOf: URL(fileURLWithPath: path)).contains("fiel"))
    }
  }

  /// The output has twice as many frames, and each lasts half as long.
  @Test func bobHalvesTimes() throws {
    let (path, _) = try transcode(
      interlaced, "bob.mov", "h264-sdr", "video.deinterlace=bob")
    #expect(try Tool.probe(path, "stream=r_frame_rate,nb_frames,duration") == ["50/1,0.400000,20"])
    let times = try Tool.probe(path, "packet=pts_time").compactMap(Double.init).sorted()
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 50) < 1e-6) }
  }

  /// A single frame has no neighbors, but still becomes two frames, one for each field.
  @Test func aSingleFrameIsTwo() throws {
    let single = folder.path("single.mov")
    try Tool.ffmpeg(["-i", interlaced, "-frames:v", "1", "-c", "copy", single])
    let (path, _) = try transcode(single, "two.mov", "h264-sdr", "video.deinterlace=bob")
    let times = try Tool.probe(path, "packet=pts_time").compactMap(Double.init).sorted()
    #expect(times.count == 2 && abs((times.last ?? 0) - 0.02) < 1e-6, "\(times)")
  }

  /// Of the shipped presets, only those for H.264 deinterlace.
  @Test func presetsMakeWholeFrames() throws {
    for (preset, scan) in [
      ("h264-sdr", "progressive"), ("h264-1080p", "progressive"), ("hevc-match-source", "t"),
    ] {
      let (path, _) = try transcode(interlaced, "\(preset).mov", preset)
      #expect(try Tool.probe(path, "stream=field_order").first?.hasPrefix(scan) == true)
    }
  }

  /// Frames that are flagged as progressive stay unchanged, even among interlaced ones.
  @Test func mixedFramesAreTreatedOneByOne() throws {
    let (plain, mixed) = (folder.path("plain.m2v"), folder.path("mixed.m2v"))
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.2", "-c:v", "mpeg2video", "-q:v", "2", "-bf",
      "0", plain,
    ])
    let other = folder.path("other.m2v")
    try Tool.ffmpeg(["-i", interlaced, "-c", "copy", other])
    var data = try Data(contentsOf: URL(fileURLWithPath: plain))
    data.append(try Data(contentsOf: URL(fileURLWithPath: other)))
    data.append(try Data(contentsOf: URL(fileURLWithPath: plain)))
    try data.write(to: URL(fileURLWithPath: mixed))
    let input = folder.path("mixed.mov")
    try Tool.ffmpeg(["-i", mixed, "-c", "copy", input])
    let (path, notices) = try transcode(
      input, "out.mov", "hevc-match-source", Self.lossless, "video.deinterlace=auto")
    let (made, whole) = (
      try Tool.frameDigests(path, format: "yuv420p"),
      try Tool.frameDigests(input, format: "yuv420p")
    )
    #expect(
      try made
        == Tool.frameDigests(
          input, format: "yuv420p", filter: "bwdif=mode=send_frame:deint=interlaced"))
    #expect(made.prefix(5) == whole.prefix(5) && made.suffix(4) == whole.suffix(4))
    #expect(made != whole)
    #expect(notices.codes.contains("scanMixed"), "\(notices)")
  }

  /// Each field is scaled on its own: the upper field of the result is the scaled upper field.
  @Test func fieldsAreScaledApart() throws {
    for codec in ["hevc", "h264"] {
      let (path, notices) = try transcode(
        interlaced, "half-\(codec).mov", "hevc-match-source", "video.codec=\(codec)",
        Self.lossless, "video.width=96", "video.height=48", "video.scalingMode=resize")
      #expect(!notices.codes.contains("fieldsMixed"), "\(notices)")
      #expect(try Tool.probe(path, "stream=field_order").first?.hasPrefix("t") == true)
      for field in ["top", "bottom"] {
        let made = try Tool.picture(path, index: 3, format: "gray", filter: "field=\(field)")
        let wanted = try Tool.picture(
          interlaced, index: 3, format: "gray",
          filter: "field=\(field),scale=96:24:flags=lanczos+accurate_rnd")
        let worst = zip(made, wanted).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(made.count == wanted.count && worst <= 2, "\(codec), \(field): \(worst)")
      }
    }
  }

  /// If the rows cannot be divided into fields, both fields are scaled together. A notice says so,
  /// and the output no longer declares fields.
  @Test func fieldsThatCannotBeDividedAreNamed() throws {
    let (path, notices) = try transcode(
      interlaced, "odd.mov", "hevc-match-source", "video.width=96", "video.height=50",
      "video.scalingMode=resize")
    #expect(notices.codes.contains("fieldsMixed"), "\(notices)")
    #expect(try !Data(contentsOf: URL(fileURLWithPath: path)).contains("fiel"))
  }

  /// If a source repeats fields of a film (telecine), a notice says so.
  @Test func telecineIsNamed() throws {
    let film = folder.path("film.m2v")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=24000/1001:d=1", "-c:v", "mpeg2video", "-q:v", "4",
      "-bf", "0", film,
    ])
    var data = try Data(contentsOf: URL(fileURLWithPath: film))
    // Sets `repeat_first_field` in every second frame (H.262, 6.2.3.1). All frames already have
    // `progressive_frame`.
    var count = 0
    let code = Data([0, 0, 1, 0xB5])
    var place = data.startIndex
    while let range = data.range(of: code, in: place..<data.endIndex) {
      place = range.upperBound
      guard data[place] >> 4 == 8 else { continue }
      if count % 2 == 0 { data[place + 3] |= 2 }
      count += 1
    }
    // `progressive_sequence` must be off if fields are repeated.
    var sequence = data.startIndex
    while let range = data.range(of: code, in: sequence..<data.endIndex) {
      sequence = range.upperBound
      if data[sequence] >> 4 == 1 { data[sequence + 1] &= ~8 }
    }
    try data.write(to: URL(fileURLWithPath: film))
    let movie = folder.path("film.mov")
    try Tool.ffmpeg(["-i", film, "-c", "copy", movie])
    let notices = try BuiltCandela.run("plan", movie, "--preset", "h264-sdr", "--json").notices()
    #expect(notices.codes.contains("telecine"), "\(notices)")
  }

  @Test(.needsSharedMedia) func realFramesAreThoseOfBwdif() throws {
    let cases = [
      ("found/format-corpus__mpeg-imx-525-60.mov", "yuv422p", "422v"),
      ("sdr/format-corpus__dv-pal-interlaced.mov", "yuv420p", "420v"),
    ]
    for (name, format, output) in cases.shortened(to: 1) {
      let input = SharedMedia.path(name)
      let (path, _) = try transcode(
        input, "real-\(format).mov", "hevc-match-source", Self.lossless,
        "video.pixelFormat=\(output)", "video.deinterlace=bob")
      #expect(
        try Tool.frameDigests(path, format: format)
          == Tool.frameDigests(input, format: format, filter: "bwdif"))
    }
  }
}

extension Data {
  fileprivate func contains(_ type: String) -> Bool { range(of: Data(type.utf8)) != nil }
}
