// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Stills have the same colors in every format. If the source states no colors, a still has the
/// colors that a transcode would have.
@Suite struct StillColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func still(_ input: String, _ path: String, _ arguments: String...) throws -> String {
    let outcome = try BuiltCandela.run(["still", input, path, "-y"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.errors
  }

  private func clip(_ name: String, _ options: [String], source: String = "") throws -> String {
    let path = folder.path(name)
    let pattern = source.isEmpty ? "testsrc2=s=320x180:r=25:d=0.1" : source
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", pattern, "-c:v", "libx264", "-qp", "4"] + options + [path])
    return path
  }

  /// Returns the means of R', G' and B'.
  private func means(_ path: String) throws -> [Double] {
    let bytes = try Tool.picture(path, format: "rgb24")
    return (0..<3).map { part in
      let samples = stride(from: part, to: bytes.count, by: 3).map { Double(bytes[$0]) }
      return samples.reduce(0, +) / Double(samples.count)
    }
  }

  /// WebP's compression is not visible: the PSNR against PNG is above 38 dB.
  @Test func webPIsFine() throws {
    let input = try clip("in.mp4", ["-pix_fmt", "yuv420p"])
    let paths = ["a.png", "a.webp"].map(folder.path)
    for path in paths { try still(input, path) }
    let grays = try paths.map { try Tool.picture($0, format: "gray") }
    let errors = zip(grays[0], grays[1]).map { pow(Double($0) - Double($1), 2) }
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(10 * log10(255 * 255 / mean) > 38)
  }

  /// A still of a source that states no colors looks like the output of `h264-sdr`, whatever the
  /// size of the source.
  @Test(arguments: ["720x480", "320x180"].shortened(to: 1))
  func untaggedIsBT709(size: String) throws {
    let input = try clip(
      "in.mp4", ["-pix_fmt", "yuv420p"], source: "testsrc2=s=\(size):r=25:d=0.1")
    let (path, output) = (folder.path("a.png"), folder.path("sdr.mp4"))
    #expect(try still(input, path, "--color", "709").contains("BT.709"))
    let result = try BuiltCandela.transcode([
      input, output, "--preset", "h264-sdr", "--set", "speed=ultrafast", "--set", "crf=4",
    ])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    for (one, other) in zip(try means(path), try means(output)) { #expect(abs(one - other) < 3) }
  }

  /// What the user says about the source's color replaces what the file says.
  @Test func sourceColor() throws {
    let untagged = try clip("none.mp4", ["-pix_fmt", "yuv420p"])
    let tagged = folder.path("tagged.mp4")
    try Tool.ffmpeg(
      "-i", untagged, "-c", "copy", "-bsf:v",
      "h264_metadata=colour_primaries=6:transfer_characteristics=6:matrix_coefficients=6", tagged)
    let paths = ["a.png", "b.png", "c.png"].map(folder.path)
    let words = try still(untagged, paths[0], "--source-color", "601-525")
    #expect(!words.contains("assumed"), "\(words)")
    try still(tagged, paths[1])
    try still(untagged, paths[2])
    let pictures = try paths.map { try Tool.picture($0, format: "rgb24") }
    #expect(pictures[0] == pictures[1])
    #expect(pictures[0] != pictures[2])
    let wrong = try BuiltCandela.run("still", untagged, paths[0], "-y", "--source-color", "710")
    #expect(wrong.status == 64 && wrong.errors.contains("--source-color"), "\(wrong.errors)")
  }

  /// Y'CbCr values outside the range of R'G'B' get the same colors in all formats.
  @Test func formatsAgreeOnColorsOutside() throws {
    let input = try clip(
      "out.mp4", ["-pix_fmt", "yuv444p"],
      source: "color=gray:s=64x64:r=25:d=0.1,format=yuv444p,geq=lum=80:cb=40:cr=235")
    let names = ["a.png", "a.jpg", "a.avif", "a.webp"]
    for name in names { try still(input, folder.path(name)) }
    let colors = try names.map { try means(folder.path($0)) }
    for color in colors {
      for (one, other) in zip(colors[0], color) { #expect(abs(one - other) < 3.5, "\(colors)") }
    }
  }

  /// Stills cannot have opacity. If a source has it, a notice says that it is left out.
  @Test func opacityIsTold() throws {
    let input = folder.path("alpha.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.1,format=yuva444p10le", "-c:v", "prores_ks",
      "-profile:v", "4", input)
    #expect(try still(input, folder.path("a.png")).contains("the frames' opacity is left out"))
  }

  /// If a track's matrix cannot be applied, the notice says that the still is shown without it, and
  /// does not claim that it is kept.
  @Test func otherMatrices() throws {
    let input = try clip("in.mp4", [])
    var bytes = try FileBytes.read(input)
    let unit: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
    let place = try #require(
      (0..<bytes.count - unit.count).last { bytes[$0..<$0 + unit.count].elementsEqual(unit) })
    // Turned by 45 degrees: the cosine and the sine are 0.7071.
    let turned: [UInt8] = [
      0, 0, 0xB5, 5, 0, 0, 0xB5, 5, 0, 0, 0, 0, 0xFF, 0xFF, 0x4A, 0xFB, 0, 0, 0xB5, 5,
    ]
    bytes.replaceSubrange(place..<place + turned.count, with: turned)
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let words = try still(input, folder.path("a.png"))
    #expect(words.contains("shown without it") && !words.contains("kept"), "\(words)")
  }

  /// A date or time that does not exist is not written.
  @Test func impossibleDates() throws {
    for (date, isPossible) in [
      ("2023-02-29T25:61:00+1400", false), ("2024-02-30T10:00:00Z", false),
      ("2024-02-29T23:59:59+1400", true),
    ] {
      let input = try clip(
        "date.mov",
        [
          "-y", "-movflags", "use_metadata_tags", "-metadata",
          "com.apple.quicktime.creationdate=\(date)",
        ])
      let path = folder.path("a.jpg")
      try still(input, path)
      let text = try Tool.run("exiftool", ["-s3", "-DateTimeOriginal", path]).text
      #expect(text.isEmpty != isPossible, "\(date): \(text)")
    }
  }
}
