// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If encoding leaves out captions in the samples of video, a notice names them.
@Suite struct CaptionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes MPEG-2 with one pair of CEA-608 bytes in the user data (ATSC A/53) of the frame with the
  /// number `first`, counted from 0, and of all later frames.
  private func source(from first: Int) throws -> String {
    let (plain, captioned) = (folder.path("plain.m2v"), folder.path("captioned.m2v"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "mpeg2video", "-bf", "0", plain)
    let bytes = try FileBytes.read(plain)
    let userData: [UInt8] =
      [0, 0, 1, 0xB2] + Array("GA94".utf8) + [3, 0xC1, 0xFF, 0xFC, 0x94, 0x2C, 0xFF]
    var new: [UInt8] = []
    var frame = -1
    for index in bytes.indices {
      // Code 0 starts a frame's header, and code 1 starts its first slice.
      if bytes[index...].starts(with: [0, 0, 1, 0]) { frame += 1 }
      if frame >= first, bytes[index...].starts(with: [0, 0, 1, 1]) { new += userData }
      new.append(bytes[index])
    }
    try folder.write(new, to: "captioned.m2v")
    let source = folder.path("source.mkv")
    try Tool.ffmpeg("-i", captioned, "-c", "copy", "-bsf:v", "setts=pts=DTS", source)
    return source
  }

  @Test(arguments: [0, 4]) func areNamed(first: Int) throws {
    let (input, output) = (try source(from: first), folder.path("out.mov"))
    let plan = try BuiltCandela.run("plan", input, output, "--json")
    #expect(try plan.notices().codes.contains("captionsNotCarried"))
    let outcome = try BuiltCandela.run("transcode", input, output, "--compare", "--verbose")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let loss = "LOST       captions: \(10 - first) (named: captionsNotCarried)"
    #expect(outcome.errors.contains(loss), "\(outcome.errors)")
    let copy = try BuiltCandela.run(
      "transcode", input, output, "--overwrite", "--compare", "--verbose", "--set",
      #"video={"codec":"passthrough"}"#)
    #expect(copy.status == 0 && !copy.errors.contains("captionsNotCarried"), "\(copy.errors)")
    #expect(copy.errors.contains("captions"))
  }
}
