// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Sources of kinds that phones do not make are converted correctly or refused. ffmpeg generates
/// them.
@Suite struct OddSourcesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Generates a file. Its frames have red, green, yellow, blue, magenta and cyan bars.
  private func make(_ name: String, _ arguments: String...) throws -> String {
    let path = folder.path(name)
    let inputs = ["-f", "lavfi", "-i", "testsrc=s=192x144:r=25:d=1"]
    try Tool.ffmpeg(inputs + ["-f", "lavfi", "-i", "sine=r=48000:d=1"] + arguments + [path])
    return path
  }

  @discardableResult
  private func transcode(
    _ input: String, _ name: String, expecting status: Int32 = 0, _ arguments: String...
  ) throws -> (path: String, errors: String) {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(["transcode", input, output, "--overwrite"] + arguments)
    #expect(outcome.status == status, "\(outcome.errors)")
    return (output, outcome.errors)
  }

  /// Compositions without a crop take sources with odd sides, too. An image that is laid over the
  /// frames reaches their edges.
  @Test func overlaysOnOddSides() throws {
    let input = folder.path("odd.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=black:s=97x65:r=25:d=0.08,format=yuv420p", "-c:v", "ffv1", input)
    let logo = folder.path("logo.png")
    try Tool.ffmpeg("-f", "lavfi", "-i", "color=white:s=16x16:d=0.04", "-frames:v", "1", logo)
    let overlay = #"video.composition={"overlay": {"file": "\#(logo)", "x": 88, "y": 56}}"#
    let (path, _) = try transcode(input, "odd.mp4", "--preset", "h264-sdr", "--set", overlay)
    #expect(try Tool.probe(path, "stream=width,height") == ["96,64"])
    let shown = try Tool.picture(path, format: "gray")
    #expect(shown.first.map { $0 < 40 } == true && shown.last.map { $0 > 200 } == true)
    let pad = #"video.composition={"pad": {"width": 128, "height": 96}}"#
    let padded = try transcode(input, "pad.mp4", "--preset", "h264-sdr", "--set", pad).path
    #expect(try Tool.probe(padded, "stream=width,height") == ["128,96"])
  }

  /// R'G'B' sources keep their colors, whatever their pixel format.
  @Test(
    arguments: [
      ["bgr24.avi", "-c:v", "rawvideo", "-pix_fmt", "bgr24"],
      ["rgb.mkv", "-c:v", "libx264rgb", "-qp", "0"],
      ["rle.mov", "-c:v", "qtrle"], ["png.mkv", "-c:v", "png"],
      ["pal8.avi", "-vf", "format=pal8", "-c:v", "rawvideo"],
    ].shortened(to: 2))
  func colorsOfRGBSources(arguments: [String]) throws {
    let name = arguments[0]
    let input = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc=s=192x144:r=25:d=0.2"] + arguments.dropFirst() + [input])
    for preset in ["h264-sdr", "hevc-match-source"] {
      let output = try transcode(input, "\(preset).mp4", "--preset", preset).path
      #expect(try Tool.probe(output, "stream=color_range,color_space") == ["tv,bt709"])
      let result = try Tool.picture(output, format: "rgb24")
      let wanted = try Tool.picture(input, format: "rgb24")
      #expect(result.count == wanted.count)
      let difference = zip(result, wanted).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      // Subsampled chroma makes edges differ. Wrong colors would differ by 40 or more on average.
      let average = Double(difference) / Double(wanted.count)
      #expect(average < 8, "\(name) \(preset): \(average)")
    }
  }

  @Test func floatingPointSamplesAreNamed() throws {
    let input = try make("exr.mov", "-c:v", "exr", "-pix_fmt", "gbrpf32le")
    let report = try BuiltCandela.run("inspect", input)
    #expect(report.status == 0 && report.output.contains("floating-point samples"))
    #expect(try transcode(input, "o.mov", expecting: 65).errors.contains("floating-point samples"))
  }

  @Test func aClockThatWrapsLosesNoPicture() throws {
    let input = try make("wrap.ts", "-c:v", "libx264", "-output_ts_offset", "95443.2")
    let output = try transcode(input, "out.mp4", "--preset", "h264-sdr").path
    #expect(try Tool.probe(output, "stream=nb_frames") == ["25"])
  }

  @Test func picturesThatBeginAfterTheSoundBeginThere() throws {
    let input = try make(
      "late.mkv", "-map", "1", "-map", "0", "-vf", "setpts=PTS+0.7/TB", "-c:v", "libx264", "-c:a",
      "aac")
    let output = try transcode(input, "out.mp4", "--preset", "h264-sdr").path
    let start = try #require(
      try Tool.probe(output, "packet=pts_time").compactMap(Double.init).min())
    #expect(abs(start - 0.7) < 0.03)
    #expect(try Tool.probe(output, "stream=nb_frames") == ["25"])
  }

  @Test func theShapeOfSamplesThatOnlyTheContainerStates() throws {
    let input = try make("sar.mov", "-c:v", "prores_ks", "-vf", "setsar=16/11", "-an")
    let output = try transcode(input, "out.mp4", "--preset", "h264-sdr").path
    #expect(try Tool.probe(output, "stream=sample_aspect_ratio") == ["16:11"])
  }

  @Test(arguments: ["wav", "aiff", "caf"].shortened(to: 1))
  func soundInSingleValues(kind: String) throws {
    let input = try make("audio.\(kind)", "-map", "1")
    let output = try transcode(input, "out.mov").path
    #expect(try Tool.digest(output, of: "a") == Tool.digest(input, of: "a"))
  }

  @Test func audioThatTheContainerCannotHoldIsLeftOutWithAdvice() throws {
    let input = try make("flac.mkv", "-c:v", "libx264", "-c:a", "flac")
    let outcome = try transcode(input, "out.mov", "--set", "audio=passthrough")
    #expect(outcome.errors.contains("use .mp4, or --set audio=auto to encode it"))
    #expect(try Tool.probe(outcome.path, "stream=codec_name", stream: "a").isEmpty)
    try transcode(input, "out.mp4")
    try transcode(input, "silent.mov", "--set", "audio=none")
  }

  @Test func reorderedPicturesAreCopiedFromMatroska() throws {
    let input = try make("b.mkv", "-c:v", "libx264", "-bf", "3", "-an")
    let output = try transcode(input, "copy.mov", "--set", "video.codec=passthrough").path
    #expect(
      try Tool.frameDigests(output, format: "yuv444p")
        == Tool.frameDigests(input, format: "yuv444p"))
  }

  @Test func aMatroskaFileCutInHalfIsSeen() throws {
    let whole = try FileBytes.read(make("whole.mkv", "-c:v", "libx264", "-c:a", "aac"))
    let half = try folder.write(whole.prefix(whole.count / 2), to: "half.mkv")
    let refused = try transcode(half, "out.mov", expecting: 65)
    #expect(refused.errors.contains("is cut off"))
  }

  @Test func colorsThatChangeInTheMiddleAreRefused() throws {
    let parts = try ["bt709", "bt470bg"].map { color in
      try make(
        "\(color).h264", "-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-x264-params",
        "colorprim=\(color):transfer=bt709:colormatrix=\(color)")
    }
    let joined = try folder.write(parts.flatMap(FileBytes.read), to: "joined.h264")
    let refused = try transcode(joined, "out.mp4", expecting: 65)
    #expect(refused.errors.contains("its colors change from BT.709 (1)"))
  }

  /// A second sample entry may state another size for the length fields of NAL units. Each sample
  /// is read with the size that its entry states. In copies, all length fields have the same size.
  @Test func lengthsOfASecondSampleEntry() throws {
    let (stream, whole, plain) = (
      folder.path("plain.hevc"), folder.path("whole.mp4"), folder.path("plain.mp4")
    )
    try ByteStream.encode(to: stream, transfer: 16, options: ["keyint=4", "min-keyint=4"])
    let made = try BuiltCandela.run(
      "metadata", "convert", stream, whole, "--hdr10plus", "measure", "--light", "1000,400")
    #expect(made.status == 0, "\(made.errors)")
    try Tool.ffmpeg("-i", whole, "-c", "copy", "-tag:v", "hvc1", plain)
    let source = try folder.write(
      SyntheticMovie.shortenLengths(from: 4, in: FileBytes.read(plain)), to: "entries.mp4")
    #expect(try !ValidateTests.validate(source).having("fail").contains("sampleData"))
    let frames = try Tool.frameDigests(plain, format: "yuv420p10le")
    for (name, command) in [
      ("copy.mp4", ["transcode", "--set", "video.codec=passthrough"]),
      ("copy.mkv", ["transcode", "--set", "video.codec=passthrough"]),
      ("light.mp4", ["metadata", "convert", "--light", "900,300"]),
    ] {
      let output = folder.path(name)
      let outcome = try BuiltCandela.run(command + [source, output])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Tool.frameDigests(output, format: "yuv420p10le") == frames, "\(name)")
      let shown = try BuiltCandela.run("metadata", "show", output).output
      #expect(shown.contains("hdr10Plus: 8 frames"), "\(shown)")
    }
    // Decoding can begin at the sync sample of the second entry.
    let part = folder.path("part.mp4")
    let cut = try BuiltCandela.run("cut", source, part, "--from", "6f")
    #expect(cut.status == 0, "\(cut.errors)")
    #expect(try Tool.probe(part, "packet=size").count == 4)
  }

  /// The frames of a second sample entry may need other parameter sets. A copy has only one sample
  /// entry, so its samples get the sets, also if only a part is copied.
  @Test func parameterSetsOfASecondSampleEntry() throws {
    let movies = try [("30", "1"), ("20", "0")].map { quantizer, cabac in
      let path = folder.path("\(quantizer).mp4")
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "12", "-pix_fmt", "yuv420p",
        "-c:v", "libx264", "-bf", "0", "-g", "4", "-x264-params",
        "qp=\(quantizer):cabac=\(cabac):weightp=0:8x8dct=0", path)
      return path
    }
    let source = try folder.write(
      SyntheticMovie.continueWith(
        FileBytes.read(movies[1]), from: 4, in: FileBytes.read(movies[0])), to: "sets.mp4")
    let frames = try Array(
      Tool.frameDigests(movies[0], format: "yuv420p")[..<4]
        + Tool.frameDigests(movies[1], format: "yuv420p")[4...])
    #expect(try Tool.frameDigests(source, format: "yuv420p") == frames)
    let copy = ["transcode", "--codec", "passthrough"]
    let lossless = "video.compressionProperties={\"lossless\": true}"
    let range = ["transcode", "--preset", "h264-sdr", "--set", lossless, "--from", "8f"]
    // The second entry begins with frame 4, and the parts begin with a later sync sample.
    for (name, command, first) in [
      ("copy.mp4", copy, 0), ("copy.mkv", copy, 0), ("part.mp4", ["cut", "--from", "8f"], 8),
      ("range.mp4", range, 8),
    ] {
      let output = folder.path(name)
      let outcome = try BuiltCandela.run(command + [source, output])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        try Tool.frameDigests(output, format: "yuv420p") == Array(frames[first...]), "\(name)")
      if name == "copy.mp4" { #expect(outcome.errors.contains("'avc3'"), "\(outcome.errors)") }
      // Nothing changes within the part.
      if name == "part.mp4" {
        #expect(try Tool.probe(output, "stream=codec_tag_string") == ["avc1"])
        #expect(!outcome.errors.contains("parameter sets"), "\(outcome.errors)")
      }
    }
  }

  /// FFmpeg reads only the samples whose sample entry has the type of the first. Half of a file
  /// must not be taken for the whole, and `retag` mends such a file.
  @Test func sampleEntriesOfTwoTypes() throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "8", "-pix_fmt", "yuv420p",
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "keyint=4:min-keyint=4:bframes=0:log-level=none", "-tag:v", "hvc1", plain)
    var other = try FileBytes.read(plain)
    let type = try #require(Data(other).range(of: Data("hvc1".utf8), options: .backwards))
    other.replaceSubrange(type, with: Array("hev1".utf8))
    let source = try folder.write(
      SyntheticMovie.continueWith(other, from: 4, in: FileBytes.read(plain)), to: "types.mp4")
    let output = folder.path("out.mp4")
    for command in [
      ["transcode", "--codec", "passthrough", source, output],
      ["cut", "--from", "2f", source, output], ["metadata", "show", source],
      ["rpu", "show", source], ["compare", source, plain],
    ] {
      let refused = try BuiltCandela.run(command)
      #expect(refused.status == 65 && refused.errors.contains("'hvc1' and 'hev1'"), "\(refused)")
    }
    // A part of the first samples lacks nothing.
    let part = try BuiltCandela.run("cut", "--to", "3f", source, folder.path("part.mp4"))
    #expect(part.status == 0, "\(part.errors)")
    let mended = folder.path("mended.mp4")
    #expect(try BuiltCandela.run("retag", source, mended, "--codec-tag", "hvc1").status == 0)
    #expect(
      try Tool.frameDigests(mended, format: "yuv420p")
        == Tool.frameDigests(plain, format: "yuv420p"))
  }

  /// Entries of one track may also have different codecs.
  @Test func sampleEntriesOfTwoCodecs() throws {
    let movies = try [["mpeg4"], ["libx264", "-bf", "0"]].enumerated().map { number, codec in
      let path = folder.path("\(number).mp4")
      try Tool.ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "8", "-pix_fmt", "yuv420p"]
          + ["-g", "4", "-c:v"] + codec + [path])
      return try FileBytes.read(path)
    }
    let source = try folder.write(
      SyntheticMovie.continueWith(movies[1], from: 4, in: movies[0]), to: "codecs.mp4")
    let refused = try transcode(source, "out.mp4", expecting: 65)
    #expect(refused.errors.contains("'mp4v' and 'avc1'") && !refused.errors.contains("retag"))
  }

  /// A table may say that samples use a sample entry that does not exist.
  @Test(arguments: [0, 3] as [UInt8]) func samplesOfNoSampleEntry(number: UInt8) throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "mpeg4", "-g", "4", plain)
    var bytes = Data(
      try SyntheticMovie.addSampleEntry(without: [], to: FileBytes.read(plain), isUsed: true))
    // The last byte of `stsc` is the last byte of the last run's number.
    let type = try #require(bytes.range(of: Data("stsc".utf8))).lowerBound
    let size = bytes[type - 4..<type].reduce(0) { $0 << 8 | Int($1) }
    bytes[type - 4 + size - 1] = number
    let source = try folder.write([UInt8](bytes), to: "none.mp4")
    for command in [["cut", "--from", "4f"], ["transcode", "--codec", "passthrough"]] {
      let output = folder.path("\(command[0]).mp4")
      let outcome = try BuiltCandela.run([command[0], source, output] + command.dropFirst())
      #expect([0, 65].contains(outcome.status), "\(outcome.errors)")
    }
  }

  /// MPEG-4 Part 2 has its configuration only in the sample entry. A part in which it does not
  /// change can be copied and decoded.
  @Test func configurationOfASecondSampleEntry() throws {
    let movies = try ["0", "1"].map { matrices in
      let path = folder.path("mpeg\(matrices).mp4")
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "12", "-c:v", "mpeg4", "-g", "4",
        "-mpeg_quant", matrices, path)
      return path
    }
    let source = try folder.write(
      SyntheticMovie.continueWith(
        FileBytes.read(movies[1]), from: 4, in: FileBytes.read(movies[0])), to: "matrices.mp4")
    let frames = try Tool.frameDigests(movies[1], format: "yuv420p")
    let part = folder.path("part.mp4")
    let cut = try BuiltCandela.run("cut", source, part, "--from", "8f")
    #expect(cut.status == 0, "\(cut.errors)")
    #expect(try Tool.frameDigests(part, format: "yuv420p") == Array(frames[8...]))
    let lossless = "video.compressionProperties={\"lossless\": true}"
    let encoded = folder.path("encoded.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", source, encoded, "--preset", "h264-sdr", "--set", lossless, "--from", "8f")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.frameDigests(encoded, format: "yuv420p") == Array(frames[8...]))
  }

  /// The color of a second sample entry is not that of the first frames. Frames that change their
  /// color in the middle are refused.
  @Test func colorOfASecondSampleEntry() throws {
    let color = [
      "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc",
    ]
    let movies = try [[], color].enumerated().map { number, options in
      let path = folder.path("\(number).mp4")
      try Tool.ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "8", "-pix_fmt", "yuv420p"]
          + ["-c:v", "libx264", "-bf", "0", "-g", "4"] + options + [path])
      return try FileBytes.read(path)
    }
    let source = try folder.write(
      SyntheticMovie.continueWith(movies[1], from: 4, in: movies[0]), to: "colors.mp4")
    let refused = try transcode(source, "out.mp4", expecting: 65, "--preset", "h264-sdr")
    #expect(refused.errors.contains("its colors change from"), "\(refused.errors)")
  }

  /// A notice names an `hvcC` box that states more than it holds, even if no frame can be decoded.
  @Test func aDamagedConfigurationIsNamed() throws {
    let input = try make("whole.mp4", "-an", "-frames:v", "1", "-c:v", "libx265")
    var data = try Data(contentsOf: URL(fileURLWithPath: input))
    let place = try #require(data.range(of: Data("hvcC".utf8))).upperBound
    // This byte begins the length of the first unit. It comes after 23 bytes of fields and the 3
    // bytes that begin the unit's array.
    data[place + 26] = 0xFF
    let path = folder.path("damaged.mp4")
    try data.write(to: URL(fileURLWithPath: path))
    let shown = try BuiltCandela.run("inspect", path, "--json").notices()
    #expect(shown.arguments("configurationUnreadable")?["box"] == "hvcC")
  }

  /// Gray frames get chroma before they are encoded, and a notice says so.
  @Test func grayFramesGetChromaAndSaySo() throws {
    let input = try make("gray.mkv", "-pix_fmt", "gray", "-c:v", "ffv1", "-an")
    for preset in ["h264-sdr", "av1-match-source"] {
      let notices = try BuiltCandela.run("plan", input, "--preset", preset, "--json").notices()
      #expect(notices.arguments("chromaAdded") == ["chromaSubsampling": "4:2:0"])
    }
  }

  @Test func oddSidesLoseAColumnAndSaySo() throws {
    let input = try make("odd.mkv", "-vf", "scale=191:143", "-c:v", "ffv1", "-an")
    let output = folder.path("out.mp4")
    let result = try BuiltCandela.transcode([input, output, "--preset", "h264-sdr"])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    #expect(try Tool.probe(output, "stream=width,height") == ["190,142"])
    #expect(result.notices.arguments("oddSideCut") == ["from": "191×143", "to": "190×142"])
    let refused = try transcode(
      input, "x.mp4", expecting: 64, "--preset", "h264-sdr", "--set", "video.width=127")
    #expect(refused.errors.contains("need an even width"))
  }

  @Test func anExistingFailedFileAndALinkedOutputAreSpared() throws {
    let input = try make("a.mkv", "-c:v", "libx264", "-an")
    let target = try folder.write("old", to: "target.mp4")
    let link = folder.path("link.mp4")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    try transcode(input, "link.mp4")
    #expect(try Tool.probe(target, "stream=codec_name") == ["hevc"])
    let kind = try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
    #expect(kind == .typeSymbolicLink)
  }

  @Test func namesWithDashesAndColons() throws {
    let input = try make("a:b c.mkv", "-c:v", "libx264", "-an")
    try transcode(input, "out: put.mp4")
    #expect(try BuiltCandela.run("transcode", "-dash.mp4", "out.mp4").status == 64)
  }
}
