// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `metadata graft` pairs frames by their times only if the frames look alike, and replaces RPUs
/// that are damaged in the source.
@Suite struct GraftPairsTests {
  private let folder: TemporaryFolder
  /// PQ with HDR10+ and Dolby Vision 8.1, in which no frame looks like the next.
  private let source: String
  private static let frameCount = 45
  private static let tags = "log-level=none:colorprim=9:transfer=16:colormatrix=9"

  init() throws {
    folder = try TemporaryFolder()
    source = try folder.write(Self.made.get(), to: "source.mp4")
  }

  private static let made = Result {
    let folder = try TemporaryFolder()
    let (plain, source) = (folder.path("plain.mp4"), folder.path("source.mp4"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=192x128:r=30:d=1.5", "-c:v", "libx265", "-preset",
      "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params", "\(Self.tags):crf=20", plain)
    try candela(
      "metadata", "convert", plain, source, "--hdr10plus", "measure", "--dolby-vision", "8.1")
    return try FileBytes.read(source)
  }

  private static func candela(_ arguments: String...) throws {
    let outcome = try BuiltCandela.run(arguments)
    try #require(outcome.status == 0, outcome.comment)
  }

  private func encode(_ filter: String? = nil, x265: String = "crf=28") throws -> String {
    let path = folder.path("encode.mp4")
    try Tool.ffmpeg(
      ["-i", source, "-map", "0:v"] + (filter.map { ["-vf", $0] } ?? [])
        + [
          "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params",
          "\(Self.tags):\(x265)", "-fps_mode", "passthrough", path,
        ])
    return path
  }

  private func graft(_ source: String, _ encoded: String) throws -> Tool.Outcome {
    try BuiltCandela.run("metadata", "graft", source, encoded, folder.path("out.mp4"), "-y")
  }

  /// Returns, for each frame of an encode, the number of the source's frame.
  private func pairs(_ source: String, _ encoded: String) throws -> [Int] {
    let plan = try BuiltCandela.run(
      "metadata", "graft", source, encoded, "--plan", "--json"
    ).json()
    let frames = try #require(plan["frames"] as? [[String: Any]])
    return frames.compactMap { $0["sourceFrame"] as? Int }
  }

  /// If frames were left out and the gap was closed, frames at the same times differ.
  @Test(arguments: ["eq(n,10)", "between(n,10,12)", "eq(n,35)"].shortened(to: 2))
  func closedGapsAreRefused(frames: String) throws {
    let outcome = try graft(source, try encode("select='not(\(frames))',setpts=N/30/TB"))
    #expect(outcome.status == 65 && outcome.errors.contains("cannot be paired"), outcome.comment)
  }

  @Test(arguments: [("fps=15:round=near", 2), ("select='not(mod(n,4))'", 4)])
  func lowerFrameRates(filter: String, step: Int) throws {
    let found = try pairs(source, try encode(filter))
    #expect(found == Array(stride(from: 0, to: Self.frameCount, by: step)))
  }

  @Test(
    arguments: [
      "eq=brightness=0.05", "hue=s=1.15", "eq=contrast=1.2", "hue=s=0", "hue=s=0.85", "hue=h=8",
    ].shortened(to: 2))
  func gradesAreRefused(filter: String) throws {
    let outcome = try graft(source, try encode(filter))
    #expect(outcome.status == 65 && outcome.errors.contains("brightness or color"), outcome.comment)
  }

  @Test(arguments: [(nil, "crf=40:bframes=0"), ("scale=96:64", "crf=28")] as [(String?, String)])
  func poorAndSmallEncodesAreTaken(filter: String?, x265: String) throws {
    let found = try pairs(source, try encode(filter, x265: x265))
    #expect(found == Array(0..<Self.frameCount))
  }

  /// Frames are paired even if the packets of a fragmented file do not state how long they last.
  @Test func framesWithoutDurations() throws {
    let (av1, ivf, fragments) = (folder.path("a.mp4"), folder.path("a.ivf"), folder.path("f.mp4"))
    try Tool.ffmpeg(
      "-i", source, "-c:v", "libsvtav1", "-preset", "12", "-crf", "30", "-pix_fmt", "yuv420p10le",
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", av1)
    let output = folder.path("hdr.mp4")
    try Self.candela("metadata", "convert", av1, output, "--hdr10plus", "measure")
    try Tool.ffmpeg("-i", output, "-c", "copy", ivf)
    try Tool.ffmpeg("-i", ivf, "-c", "copy", "-movflags", "frag_keyframe+empty_moov", fragments)
    #expect(try pairs(fragments, av1) == Array(0..<Self.frameCount))
  }

  // MARK: Damaged metadata

  /// Writes the source as a byte stream with changed RPUs.
  ///
  /// - Parameter change: takes an RPU's number and NAL unit, and returns the unit to write.
  private func stream(_ change: (Int, [UInt8]) -> [UInt8]?) throws -> String {
    let path = folder.path("stream.hevc")
    try Tool.ffmpeg("-i", source, "-c", "copy", path)
    var number = -1
    let units = ByteStream.units(try FileBytes.read(path)).compactMap { unit -> [UInt8]? in
      guard unit[0] >> 1 == 62 else { return unit }
      number += 1
      return change(number, unit)
    }
    return try folder.write(ByteStream.joined(units), to: "changed.hevc")
  }

  private func damaged(_ unit: [UInt8]) -> [UInt8] {
    var unit = unit
    unit[20] ^= 0xFF
    return unit
  }

  @Test func damagedAndMissingRPUsAreRepeated() throws {
    let changed = try stream { $0 == 0 || $0 == 20 ? damaged($1) : $0 == 30 ? nil : $1 }
    let outcome = try graft(changed, try encode())
    #expect(outcome.status == 2 && outcome.errors.contains("3 frames"), outcome.comment)
    let rpus = folder.path("rpus.bin")
    try Self.candela("rpu", "extract", folder.path("out.mp4"), rpus)
    #expect(ByteStream.units(try FileBytes.read(rpus)).count == Self.frameCount)
  }

  @Test func damageOfAllRPUsIsNamed() throws {
    let outcome = try graft(try stream { damaged($1) }, try encode())
    #expect(outcome.status == 65 && outcome.errors.contains("are damaged"), outcome.comment)
  }

  /// RPUs for HLG do not suit PQ.
  @Test func otherSignalsAreRefused() throws {
    let hlg = folder.path("hlg.mov")
    let sample = try BuiltCandela.sample(in: folder)
    try Self.candela("transcode", sample, hlg, "--preset", "hevc-hlg", "--speed", "ultrafast")
    let file = folder.path("hlg.hevc")
    try Tool.ffmpeg("-i", hlg, "-map", "0:v", "-c", "copy", file)
    let units = ByteStream.units(try FileBytes.read(file))
    let rpu = try #require(units.first { $0[0] >> 1 == 62 })
    let outcome = try graft(try stream { _, _ in rpu }, try encode())
    #expect(outcome.status == 65 && outcome.errors.contains("like the base layer"), outcome.comment)
  }

  /// If the output exists already, the only message is the one that says so.
  @Test func existingOutputsAreRefusedFirst() throws {
    let output = try folder.write("", to: "out.mp4")
    let outcome = try BuiltCandela.run("metadata", "graft", source, try encode(), output)
    #expect(outcome.status != 0 && outcome.errors.contains("exists already"), outcome.comment)
    #expect(outcome.errors.split(separator: "\n").count == 1, outcome.comment)
  }
}

extension Tool.Outcome {
  fileprivate var comment: Comment { "\(status): \(errors)" }
}
