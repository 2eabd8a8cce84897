// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A track's metadata can say where in the file its items are (`iloc`). In another file, these
/// positions would be wrong. So outputs leave such metadata out, and the plan says so beforehand.
@Suite struct PlacedMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie whose first track has a `meta` box with a file position, like the one for Exif
  /// in AVIF sequences.
  private func source() throws -> String {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-c:v", "libx264", plain)
    var bytes = try FileBytes.read(plain)
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let size = content.count + 8
      return [0, 0, UInt8(size >> 8), UInt8(size & 0xFF)] + Array(type.utf8) + content
    }
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    let places = box(
      "iloc", [0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1] + [0, 0, 0, 40, 0, 0, 0, 4])
    let meta = box("meta", [0, 0, 0, 0] + handler + places)
    // Media data comes before `moov`, so it does not move.
    for type in ["moov", "trak"] {
      let start = try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound - 4
      let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + meta.count
      for place in 0..<4 { bytes[start + place] = UInt8(size >> (24 - 8 * place) & 0xFF) }
    }
    let track = try #require(bytes.firstRange(of: Array("trak".utf8))).lowerBound - 4
    let size = bytes[track..<track + 4].reduce(0) { $0 << 8 | Int($1) } - meta.count
    bytes.insert(contentsOf: meta, at: track + size)
    try folder.write(bytes, to: "source.mp4")
    return folder.path("source.mp4")
  }

  @Test(arguments: ["mov", "mp4", "mkv"], ["h264-sdr", "passthrough"])
  func isNamed(type: String, codec: String) throws {
    let (input, output) = (try source(), folder.path("out.\(type)"))
    let option =
      codec == "passthrough"
      ? ["--codec", codec] : ["--preset", codec, "--set", "container=null"]
    let plan = try BuiltCandela.run(["plan", input, output, "--json"] + option)
    let names = try plan.notices().arguments("statementsNotCarried")?["names"]
    #expect(names?.contains("meta of track 1") == true, "\(plan.output)\(plan.errors)")
    let outcome = try BuiltCandela.run(["transcode", input, output] + option)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FileBytes.read(output).firstRange(of: Array("iloc".utf8)) == nil)
  }
}
