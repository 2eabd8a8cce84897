// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Stills have the right pixels and show the right frames, and their files say what they are.
@Suite struct StillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func still(_ arguments: String..., status: Int32 = 0) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(["still"] + arguments)
    #expect(outcome.status == status, "\(outcome.errors)")
    return outcome
  }

  /// Returns the content of a PNG file's chunks by their types.
  private func chunks(_ path: String) throws -> [String: [UInt8]] {
    let bytes = try FileBytes.read(path)
    var chunks: [String: [UInt8]] = [:]
    var place = 8
    while place + 12 <= bytes.count {
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      chunks[type] = Array(bytes[place + 8..<place + 8 + length])
      place += 12 + length
    }
    return chunks
  }

  /// Transcodes the whole movie without loss, with the settings of a still.
  private func transcode(_ input: String, _ color: String) throws -> String {
    let output = folder.path("lossless.mov")
    let changes = [
      "video.rotation=apply", "video.conversion.dither=none", "video.range=full",
      "video.pixelFormat=444f", "video.pixelAspect=square", "video.colorProperties=\(color)",
      "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}",
    ]
    let result = try BuiltCandela.transcode(
      [input, output, "--overwrite", "--preset", "hevc-match-source"]
        + changes.flatMap { ["--set", $0] })
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return output
  }

  /// A still of an HLG movie equals the frame of a lossless transcode, code value for code value.
  @Test(arguments: [
    ("srgb", 1, 13), ("display-p3", 12, 13), ("709", 1, 1),
  ])
  func equalsALosslessTranscode(name: String, primaries: Int, transfer: Int) throws {
    let input = try BuiltCandela.sample(in: folder)
    let color =
      "{\"colorPrimaries\": \(primaries), \"transferFunction\": \(transfer), \"yCbCrMatrix\": 0}"
    let lossless = try transcode(input, color)
    for frame in [0, 7] {
      let path = folder.path("\(frame).png")
      _ = try still(input, path, "--frame", "\(frame)", "--color", name)
      #expect(
        try Tool.picture(path, format: "rgb24")
          == Tool.picture(lossless, index: frame, format: "rgb24"), "frame \(frame)")
    }
    let found = try chunks(folder.path("7.png"))
    #expect(found["cICP"] == [UInt8(primaries), UInt8(transfer), 0, 1])
    #expect((found["sRGB"] != nil) == (name == "srgb"))
    #expect((found["iCCP"] != nil) == (name != "srgb"))
  }

  /// On average, a still has the colors of the output of `h264-sdr`: nearly the same code values in
  /// BT.709, and nearly the same light in sRGB.
  @Test(arguments: ["709", "srgb"]) func meansAreThoseOfATranscode(name: String) throws {
    let input = try BuiltCandela.sample(in: folder)
    let (path, output) = (folder.path("7.png"), folder.path("sdr.mp4"))
    _ = try still(input, path, "--frame", "7", "--color", name)
    let result = try BuiltCandela.transcode([
      input, output, "--preset", "h264-sdr", "--set", "speed=ultrafast", "--set", "crf=10",
    ])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    func mean(_ bytes: [UInt8], _ light: (Double) -> Double) -> Double {
      bytes.reduce(0) { $0 + light(Double($1) / 255) } / Double(bytes.count)
    }
    let one = try Tool.picture(path, format: "rgb24")
    let other = try Tool.picture(output, index: 7, format: "rgb24")
    if name == "709" { #expect(abs(mean(one) { $0 } - mean(other) { $0 }) * 255 < 3) }
    let light = mean(one) { code in
      name == "709"
        ? pow(code, 2.4) : code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }
    #expect(abs(light - mean(other) { pow($0, 2.4) }) < 0.012, "\(name)")
  }

  /// The track's matrix is applied, SDR is shown as BT.1886 defines it, and samples become square.
  @Test func isTurnedAndSquare() throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2", "-vf",
      "setsar=2/1,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709", "-c:v",
      "libx264", "-preset", "ultrafast", "-colorspace", "bt709", "-color_primaries", "bt709",
      "-color_trc", "bt709", plain)
    let input = try folder.write(
      SyntheticMovie.turn(FileBytes.read(plain), by: [0, 1, -1, 0]), to: "turned.mp4")
    let path = folder.path("turned.png")
    _ = try still(input, path, "--time", "0.1")
    let lossless = try transcode(
      input, "{\"colorPrimaries\": 1, \"transferFunction\": 13, \"yCbCrMatrix\": 0}")
    #expect(try Tool.probe(path, "stream=width,height") == ["64,192"])
    #expect(
      try Tool.picture(path, format: "rgb24")
        == Tool.picture(lossless, index: 2, format: "rgb24"))
  }

  /// exiftool finds the right color profile and the right Exif data in stills of all formats.
  @Test func filesSayWhatTheyAre() throws {
    let input = folder.path("phone.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2", "-c:v", "libx264", "-preset",
      "ultrafast", "-movflags", "use_metadata_tags", "-metadata",
      "com.apple.quicktime.creationdate=2024-05-06T07:08:09+0200", "-metadata",
      "com.apple.quicktime.location.ISO6709=-33.8568+151.2153+012.5/", "-metadata",
      "com.apple.quicktime.make=Maker", "-metadata", "com.apple.quicktime.model=Model 1", input)
    for name in ["still.jpg", "still.webp", "still.png", "still.avif"] {
      let path = folder.path(name)
      _ = try still(input, path, "--color", "display-p3")
      let text = try Tool.run(
        "exiftool",
        [
          "-n", "-s", "-s", "-s", "-p",
          "$Orientation|$DateTimeOriginal|$OffsetTimeOriginal|$Make|$Model|$ProfileDescription|"
            + "$GPSLatitude|$GPSLongitude|$GPSAltitude", path,
        ]
      ).text
      #expect(
        text == "1|2024:05:06 07:08:09|+02:00|Maker|Model 1|Display P3|-33.8568|151.2153|12.5",
        "\(name)")
      #expect(try Tool.probe(path, "stream=width,height") == ["96,64"])
    }
  }

  /// Nothing that Exif requires is missing, even if the source states its position in minutes.
  @Test func exifIsComplete() throws {
    let input = folder.path("place.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.1", "-c:v", "libx264", "-movflags",
      "use_metadata_tags", "-metadata", "com.apple.quicktime.location.ISO6709=+4730.6-00815.36/",
      "-metadata", "com.apple.quicktime.creationdate=2024-05-06T07:08:09+0200", input)
    let path = folder.path("still.jpg")
    _ = try still(input, path)
    let text = try Tool.run(
      "exiftool",
      [
        "-validate", "-n", "-s", "-s", "-s", "-p",
        "$Validate|$ExifImageWidth|$ExifImageHeight|$GPSLatitude|$GPSLongitude", path,
      ]
    ).text
    #expect(text == "0 0 0|96|64|47.51|-8.256")
  }

  /// With `--hdr`, HDR stays HDR and keeps its code points. PNG has 16 bits, and AVIF has 10.
  @Test func keepsHDR() throws {
    let input = try BuiltCandela.sample(in: folder)
    let path = folder.path("hdr.png")
    _ = try still(input, path, "--hdr", "--frame", "3")
    #expect(try Tool.probe(path, "stream=pix_fmt") == ["rgb48be"])
    #expect(try chunks(path)["cICP"] == [9, 18, 0, 1])
    #expect(try still(input, folder.path("hdr.jpg"), "--hdr", status: 64).errors.contains(".png"))
    for (arguments, format) in [(["--hdr"], "yuv444p10le"), ([], "yuv444p")] {
      let names = arguments.isEmpty ? ["sdr.png", "sdr.avif"] : ["hdr.png", "hdr.avif"]
      for name in names {
        let outcome = try BuiltCandela.run(
          ["still", input, folder.path(name), "--frame", "3", "-y"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let paths = names.map(folder.path)
      let entry = "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries"
      #expect(
        try Tool.probe(paths[1], entry) == [
          arguments.isEmpty
            ? "yuv444p,pc,smpte170m,iec61966-2-1,bt709"
            : "yuv444p10le,pc,bt2020nc,arib-std-b67,bt2020"
        ], "\(format)")
      let pictures = try paths.map { try Tool.picture($0, format: "rgb24") }
      let errors = zip(pictures[0], pictures[1]).map { abs(Int($0) - Int($1)) }
      #expect(errors.reduce(0, +) < errors.count, "\(names)")
    }
    #expect(
      try still(input, folder.path("a.avif"), "--depth", "16", status: 64).errors
        .contains("8 or 10 bits"))
    #expect(try still(input, folder.path("a.avif"), "--depth", "10").status == 0)
    let sheet = folder.path("sheet.avif")
    _ = try still(input, sheet, "--sheet", "3x2", "--count", "4", "--width", "64", "--hdr")
    #expect(try Tool.probe(sheet, "stream=width,height") == ["192,96"])
    let sdr = folder.path("sdr.mp4")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.1", "-c:v", "libx264", sdr)
    _ = try still(sdr, folder.path("sdr.png"), "--hdr", status: 65)
  }

  /// Stills work even if the sample table shows each frame for years.
  @Test(
    arguments: [["--count", "3"], ["--every", "400000000s"], ["--sheet", "2x2"]].shortened(to: 1))
  func hugePresentations(options: [String]) throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2", "-c:v", "libx264", "-bf", "0", plain)
    var data = try Data(FileBytes.read(plain))
    // The movie gets no edit, one tick a second (`mdhd`), and samples that last 13 years (`stts`).
    for (type, offset, bytes) in [
      ("edts", -4, Array("free".utf8)), ("mdhd", 12, [0, 0, 0, 1]),
      ("stts", 12, [0x19, 0, 0, 0]),
    ] {
      let place = try #require(data.range(of: Data(type.utf8))).upperBound + offset
      data.replaceSubrange(place..<place + 4, with: bytes)
    }
    let input = try folder.write([UInt8](data), to: "long.mp4")
    let outcome = try BuiltCandela.run(["still", input, folder.path("s-%03d.png")] + options)
    #expect(outcome.status == 0, "\(outcome.status): \(outcome.errors)")
  }

  /// If there are several stills, each gets its own file, or a place in a sheet.
  @Test func severalStills() throws {
    let input = try BuiltCandela.sample(in: folder)
    let pattern = folder.path("s-%03d.jpg")
    #expect(try still(input, pattern, "--every", "0.2s").text.split(separator: "\n").count == 3)
    #expect(try Tool.probe(folder.path("s-003.jpg"), "stream=width") == ["128"])
    _ = try still(input, pattern, "--every", "0.2s", status: 73)
    _ = try still(input, folder.path("one.png"), "--count", "3", status: 64)
    let sheet = folder.path("sheet.png")
    _ = try still(input, sheet, "--sheet", "3x2", "--width", "64")
    #expect(try Tool.probe(sheet, "stream=width,height") == ["192,96"])
    _ = try still(input, folder.path("a.png"), "--time", "1", "--frame", "2", status: 64)
    _ = try still(input, folder.path("a.gif"), status: 64)
    // If several multiples of the interval fall within one frame, each gives a still of that frame,
    // so that a still's number tells its time.
    let dense = try still(input, folder.path("d-%d.jpg"), "--every", "0.02", "--width", "16")
    #expect(dense.text.split(separator: "\n").count > 15)
    #expect(
      try still(input, folder.path("d-%d.jpg"), "--every", "0.00001", status: 64).errors
        .contains("the limit is 10000"))
    _ = try still(input, folder.path("e-%02d.png"), "--sheet", "2x2")
    #expect(FileManager.default.fileExists(atPath: folder.path("e-01.png")))
    _ = try still(input, folder.path("one%d.png"), "--frame", "2")
    #expect(FileManager.default.fileExists(atPath: folder.path("one1.png")))
    _ = try still(input, folder.path("x-%d-%d.jpg"), "--count", "2", status: 64)
    _ = try still(input, folder.path("100%done.jpg"), "--frame", "2")
    #expect(FileManager.default.fileExists(atPath: folder.path("100%done.jpg")))
    let wide = folder.path("wide.mp4")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=720x16:r=100:d=1", "-c:v", "libx264", wide)
    #expect(
      try still(wide, folder.path("f.jpg"), "--sheet", "100x1", "--width", "720", status: 64)
        .errors.contains("each side can be at most 65500"))
    #expect(try still(input, sheet, "--frame=-1", status: 64).errors.contains("are counted from 0"))
    _ = try still(input, folder.path("a.png"), "--frame", "15", status: 65)
  }

  /// If no frame is chosen, a still shows the first frame that is not black. If the chosen frame
  /// cannot be decoded, a still shows the nearest one that can.
  @Test func blackAndDamagedFrames() throws {
    let input = folder.path("late.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=2", "-vf",
      "drawbox=t=fill:c=black:enable='lt(n,9)'", "-c:v", "libx264", "-preset", "ultrafast", "-g",
      "10", "-movflags", "faststart", input)
    #expect(try still(input, folder.path("lit.png")).text.contains("frame 9 at 0.36 s"))
    let bytes = try FileBytes.read(input)
    let cut = folder.path("cut.mp4")
    try Data(bytes.prefix(bytes.count * 3 / 5)).write(to: URL(fileURLWithPath: cut))
    let outcome = try still(cut, folder.path("near.png"), "--frame", "45", status: 2)
    #expect(outcome.errors.contains("frame 45 cannot be decoded"))
    let (sound, safe) = (folder.path("sound.m4a"), folder.path("safe.png"))
    try Tool.ffmpeg("-f", "lavfi", "-i", "sine=d=0.2", "-c:a", "aac", sound)
    _ = try still(sound, safe, status: 65)
    _ = try still(folder.path("none.mp4"), safe, status: 66)
    #expect(!FileManager.default.fileExists(atPath: safe))
  }

  /// A raw bitstream has no times, but its frames are counted like those of a movie.
  @Test func framesWithoutTimes() throws {
    let (input, raw) = (folder.path("in.mp4"), folder.path("raw.h264"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4", "-c:v", "libx264", "-g", "5", input)
    try Tool.ffmpeg("-i", input, "-c", "copy", raw)
    for (source, name) in [(input, "a.png"), (raw, "b.png")] {
      _ = try still(source, folder.path(name), "--frame", "7")
    }
    #expect(
      try Tool.picture(folder.path("a.png"), format: "rgb24")
        == Tool.picture(folder.path("b.png"), format: "rgb24"))
  }
}
