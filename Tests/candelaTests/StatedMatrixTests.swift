// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import Foundation
import TestSupport
import Testing

/// Colors stay right if a source states its matrix and nothing else, or if two gamuts nearly agree.
/// Lossless output shows each code value.
@Suite struct StatedMatrixTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a clip of bars in 4:4:4, so that no chroma is resampled.
  private func bars(_ tags: String, depth: Int = 10) throws -> String {
    let path = folder.path("bars.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.04", "-vf",
      "format=yuv444p\(depth == 10 ? "10le" : "")", "-c:v", "libx265", "-x265-params",
      "log-level=0:lossless=1:\(tags)", "-tag:v", "hvc1", path)
    return path
  }

  private func convert(
    _ input: String, _ options: String...
  ) throws -> (outcome: Tool.Outcome, notices: [ReportedNotice]) {
    try BuiltCandela.transcode(
      [
        input, folder.path("out.mp4"), "--overwrite", "--preset", "hevc-sdr", "--set",
        "video.compressionProperties={\"lossless\":true}",
      ] + options.flatMap { ["--set", $0] })
  }

  private func samples(_ path: String) throws -> [[Double]] {
    let bytes = try Tool.picture(path, format: "yuv444p10le")
    let values = stride(from: 0, to: bytes.count, by: 2).map {
      Double(UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    let count = values.count / 3
    return (0..<3).map { Array(values[$0 * count..<($0 + 1) * count]) }
  }

  /// Matrix 6 is converted to matrix 1 by way of R'G'B', with the weights of BT.601 and BT.709.
  /// Primaries and transfer function play no part.
  @Test func theMatrixAloneIsConverted() throws {
    let input = try bars("colormatrix=6")
    let (outcome, notices) = try convert(
      input, "video.profileLevel=HEVC_Main44410_AutoLevel", "video.conversion.dither=none")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(notices.codes.contains("onlyMatrixStated"))
    let (before, after) = (try samples(input), try samples(folder.path("out.mp4")))
    #expect(before[0].count == after[0].count)
    var worst = 0.0
    for index in before[0].indices {
      let (y, cb, cr) = (
        (before[0][index] - 64) / 876, (before[1][index] - 512) / 896,
        (before[2][index] - 512) / 896
      )
      let red = y + 2 * (1 - 0.299) * cr
      let blue = y + 2 * (1 - 0.114) * cb
      let green = (y - 0.299 * red - 0.114 * blue) / 0.587
      let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      let wanted = [
        64 + 876 * luma, 512 + 896 * (blue - luma) / (2 * (1 - 0.0722)),
        512 + 896 * (red - luma) / (2 * (1 - 0.2126)),
      ]
      for plane in 0..<3 {
        worst = max(worst, abs(after[plane][index] - min(max(wanted[plane], 0), 1023)))
      }
    }
    #expect(worst < 0.56, "\(worst)")
  }

  /// If a source states only primaries or only a transfer function, nothing is converted, and the
  /// plan says that the statement is ignored.
  @Test(arguments: [("colorprim=5", "colorPrimaries"), ("transfer=6", "transferFunction")])
  func otherPartsAloneConvertNothing(tags: String, field: String) throws {
    let plan = try BuiltCandela.run("plan", try bars(tags), "--preset", "hevc-sdr", "--json")
    #expect(try plan.notices().arguments("incompleteTagsIgnored") == ["ignored": field])
    #expect(!plan.output.contains("Y'CbCr to R'G'B'"))
  }

  /// On 100 % bars of BT.601 with 625 lines, the results of `perceptual` and `clip` differ by at
  /// most 2 code values.
  @Test func barsOfNearbyGamutsStay() throws {
    let input = folder.path("pal.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "pal100bars=s=128x96:r=25:d=0.04", "-vf", "format=yuv420p", "-c:v",
      "libx264", "-qp", "0", "-x264-params",
      "colorprim=bt470bg:transfer=bt709:colormatrix=bt470bg", input)
    var results: [[UInt8]] = []
    for mapping in ["perceptual", "clip"] {
      let output = folder.path("\(mapping).mp4")
      let outcome = try BuiltCandela.run(
        "transcode", input, output, "--preset", "h264-sdr", "--set",
        "video.compressionProperties={\"lossless\":true}", "--set",
        "video.conversion.dither=none", "--set", "video.conversion.gamutMapping=\(mapping)")
      #expect(outcome.status == 0, "\(outcome.errors)")
      results.append(try Tool.picture(output, format: "yuv420p"))
    }
    let worst = zip(results[0], results[1]).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(worst <= 2)
  }
}
