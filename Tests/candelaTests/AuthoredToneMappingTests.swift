// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// HDR is tone-mapped as its author wants, with the curves of ST 2094-50.
extension GainCurveTests {
  private static let authored = ["--set", "video.conversion.toneMapping=authored"]

  private func digests(_ path: String) throws -> [String] {
    try Tool.frameDigests(path, format: "yuv420p10le")
  }

  /// Transcodes without loss and returns the output's frames.
  private func rendered(_ source: String, _ name: String, _ arguments: String...) throws -> [String]
  {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      ["transcode", source, output, "-y", "--speed", "ultrafast"] + Self.authored
        + ["--set", "video.compressionProperties.lossless=true"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try digests(output)
  }

  /// The first frames state a headroom of 0, so they stay as bright as SDR allows. The last ones
  /// state three stops and are dimmed.
  @Test func eachFrameHasItsOwnCurves() throws {
    let changing = try numbered { body, number in
      let headroom = number < 7 ? 0 : 30_000
      body[2...3] = [UInt8(headroom >> 8), UInt8(headroom & 255)]
    }
    let frames = try rendered(changing, "changing.mp4", "--preset", "hevc-sdr")
    let bright = try numbered { body, _ in body[2...3] = [0, 0] }
    let brightFrames = try rendered(bright, "bright.mp4", "--preset", "hevc-sdr")
    let dim = try numbered { body, _ in body[2...3] = [0x75, 0x30] }
    let dimFrames = try rendered(dim, "dim.mp4", "--preset", "hevc-sdr")
    #expect(frames.count == 15)
    #expect(Array(frames.prefix(7)) == Array(brightFrames.prefix(7)))
    #expect(Array(frames.suffix(8)) == Array(dimFrames.suffix(8)))
    #expect(brightFrames[3] != dimFrames[3])
    #expect(try numbers(folder.path("changing.mp4")).allSatisfy { $0 == nil })
    // Only three frames state curves. The part begins at frame 4, which uses the curves of frame 2.
    let sparse = try numbered(only: [0, 2, 5]) { body, number in
      let headroom = number == 2 ? 30_000 : 0
      body[2...3] = [UInt8(headroom >> 8), UInt8(headroom & 255)]
    }
    let all = try rendered(sparse, "sparse.mp4", "--preset", "hevc-sdr")
    let part = try rendered(
      sparse, "part.mp4", "--preset", "hevc-sdr", "--from", "4f", "--to", "6f")
    #expect(part == Array(all[4..<6]) && part[0] != part[1])
  }

  /// A frame without curves uses those of an earlier frame, which might be in another segment, so
  /// the file is not divided.
  @Test func thereIsOneSegment() throws {
    let plan = try candela(
      ["segments", "plan", try numbered(), folder.path("out.mov"), "--job", folder.path("job")]
        + ["--preset", "hevc-sdr"] + Self.authored)
    #expect(
      plan.output.contains("toneMapping 'authored' also needs the frames before"), "\(plan.output)")
  }

  /// HDR that is converted to less headroom no longer states its source's curves and mastering
  /// display, because neither fits the output.
  @Test func lessHeadroomLeavesOutWhatIsNoLongerTrue() throws {
    let source = folder.path("mastered.mov")
    try candela(
      "retag", try numbered(), source, "--mastering-display", "p3,1000,0.0001")
    let output = folder.path("half.mov")
    try candela(
      ["transcode", source, output, "--preset", "hevc-pq", "--speed", "ultrafast"] + Self.authored
        + ["--set", "video.conversion.headroom=2"])
    #expect(try numbers(output).allSatisfy { $0 == nil })
    let found = try candela("inspect", output).output
    #expect(!found.contains("mastering") && !found.contains("2094-50"), "\(found)")
  }

  @Test func plansNameTheCurveAndTheHeadroom() throws {
    let source = try numbered()
    let sdr = try candela(["plan", source, "--preset", "h264-sdr"] + Self.authored).output
    #expect(sdr.contains("reference-white curve from headroom 0.1"), "\(sdr)")
    #expect(sdr.contains("SDR (headroom 0)"), "\(sdr)")
    let auto = try candela("plan", source, "--preset", "h264-sdr", "--json").notices()
    #expect(auto.codes.contains("authoredCurvesNotUsed"), "\(auto)")
  }

  @Test func sourcesWithoutCurvesAreRefused() throws {
    let source = try BuiltCandela.sample(in: folder)
    let outcome = try BuiltCandela.run(["plan", source, "--preset", "h264-sdr"] + Self.authored)
    #expect(outcome.status == 65 && outcome.errors.contains("ST 2094-50"), "\(outcome.errors)")
    #expect(outcome.errors.contains("'auto'"), "\(outcome.errors)")
  }

  /// An HDR still in AVIF has the curves of its frame, in a unit before the coded frame, and other
  /// programs can read the file. SDR stills and sheets have no curves.
  @Test func stillsCarryThem() throws {
    let source = try numbered()
    let curves: [UInt8] = [4, 0xB5, 0, 0x90, 0, 1, 0, 0x40, 0x03, 0xE8, 0x80, 0x80]
    let unit = Data([0x2A, UInt8(curves.count)] + curves)
    let (kept, mapped, sheet) = (
      folder.path("hdr.avif"), folder.path("sdr.avif"), folder.path("sheet.avif")
    )
    try candela(["still", source, kept, "--hdr", "--frame", "0"])
    try candela(["still", source, mapped, "--frame", "0"])
    try candela(["still", source, sheet, "--hdr", "--sheet", "2x1", "--count", "2"])
    #expect(try Data(FileBytes.read(kept)).range(of: unit) != nil)
    #expect(try Data(FileBytes.read(mapped)).range(of: unit) == nil)
    #expect(try Data(FileBytes.read(sheet)).range(of: unit) == nil)
    #expect(try Tool.picture(kept, format: "gbrp10le").count > 0)
  }

  @discardableResult private func candela(_ arguments: [String]) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome
  }
}
