// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import CodePoints
import DolbyVision
import Editing
import Foundation
import TestSupport
import Testing

/// RPUs that do not suit the video, or that are not valid themselves, are refused unless the user
/// forces the injection.
@Suite(.needsSharedMedia) struct RPUFitnessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a 10-bit HEVC movie with a transfer function in its VUI.
  private func movie(transfer: Int, pictures: Int = 1) throws -> String {
    let path = folder.path("\(transfer)-\(pictures).mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=\(0.04 * Double(pictures))", "-vf",
      "format=yuv420p10le", "-c:v", "libx265", "-x265-params",
      "log-level=0:bframes=0:colorprim=9:colormatrix=9:transfer=\(transfer)", "-tag:v", "hvc1",
      path)
    return path
  }

  private func inject(_ rpus: String, _ movie: String, _ options: String...) throws -> Tool.Outcome
  {
    try BuiltCandela.run(
      ["rpu", "inject", movie, rpus, folder.path("out.mp4"), "--overwrite"] + options)
  }

  @Test(arguments: [("profile8", 16), ("cmv40_full_rpu", 16), ("profile84", 18)])
  func whatFitsGoesIn(name: String, transfer: Int) throws {
    let rpus = SharedMedia.path("rpu/\(name).bin")
    #expect(try inject(rpus, movie(transfer: transfer)).status == 0)
  }

  @Test(arguments: [
    ("profile8", 18), ("profile84", 16), ("profile8", 1), ("profile84", 1),
    ("unordered_l8_blocks", 16), ("p84-01-ref", 1), ("p84-01-ref", 16),
  ])
  func mappingsOfOtherPicturesAreRefused(name: String, transfer: Int) async throws {
    let rpus = SharedMedia.path("rpu/\(name).bin")
    let input = try movie(transfer: transfer)
    let refused = try inject(rpus, input)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("to Dolby Vision, but the video is"))
    #expect(refused.errors.contains("--force"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.mp4")))
    let notices = try await RPUFile.inject(
      rpus, into: input, to: folder.path("out.mp4"), force: true)
    #expect(notices.contains { $0.code == "rpuOfOtherSignal" }, "\(notices)")
    #expect(try HDRCheck.facts(folder.path("out.mp4"))["rpu_aus"] as? Int == 1)
  }

  @Test func valuesThatCannotBeAreRefused() throws {
    let valid = try SharedMedia.rpu("profile8")
    var unit = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + valid)
    unit.displayManagement?.sceneRefreshFlag = 5
    let path = folder.path("odd.bin")
    try Data([0, 0, 0, 1] + unit.hevcNALUnit().dropFirst(2)).write(to: URL(fileURLWithPath: path))
    let input = try movie(transfer: 16)
    let refused = try inject(path, input)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("RPU 0 is not valid: scene_refresh_flag"))
    #expect(try inject(path, input, "--force").status == 0)
  }

  /// 00 00 01 inside a checksum does not split an RPU, and does not act as a start code in the
  /// movie either.
  @Test func startCodesHaveFourBytes() throws {
    let rpus = SharedMedia.path("found/dovi_tool__p8_001_end_crc32.bin")
    #expect(try BuiltCandela.run("rpu", "show", rpus, "--json").json()["rpuCount"] as? Int == 3)
    #expect(try inject(rpus, movie(transfer: 16, pictures: 3)).status == 0)
    let facts = try HDRCheck.facts(folder.path("out.mp4"))
    #expect(facts["rpu_aus"] as? Int == 3)
    // The RPUs also survive in a byte stream, where a start code inside a unit would end it.
    let stream = folder.path("stream.hevc")
    try Tool.ffmpeg("-i", folder.path("out.mp4"), "-c", "copy", stream)
    let shown = try BuiltCandela.run("rpu", "show", stream, "--json").json()
    let frames = try #require(shown["frames"] as? [[String: Any]])
    #expect(frames.count == 3)
    #expect(frames.allSatisfy { $0["profile"] as? Int == 8 })
  }

  /// Start codes of 3 bytes are read if a file begins with one.
  @Test func startCodesOfThreeBytes() throws {
    let rpu = try SharedMedia.rpu("profile8")
    let path = folder.path("three.bin")
    let unit = [0, 0, 1] + rpu
    try Data(unit + unit).write(to: URL(fileURLWithPath: path))
    #expect(try BuiltCandela.run("rpu", "show", path, "--json").json()["rpuCount"] as? Int == 2)
  }
}
