// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Outputs go into the folder that was there when the run began, even if something else takes the
/// folder's place.
@Suite struct OpenFolderTests {
  private let folder: TemporaryFolder
  private let victim: String

  init() throws {
    folder = try TemporaryFolder()
    for name in ["d", "victim"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    victim = try folder.write("precious", to: "victim/o.mov")
  }

  /// Replaces the output's folder with a link to the victim's folder.
  private func swap() throws {
    try FileManager.default.moveItem(atPath: folder.path("d"), toPath: folder.path("d.old"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("d"), withDestinationPath: "victim")
  }

  @Test(arguments: [[], ["-y"]].shortened(to: 1))
  func aSwappedFolderLeadsNowhere(options: [String]) throws {
    let running = try Tool.start(
      BuiltCandela.path,
      ["sample", folder.path("d/o.mov"), "--size", "320x180", "--seconds", "8"] + options)
    running.wait(untilItWritesInto: folder)
    try swap()
    let outcome = running.wait()
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "the folder of \(folder.path("d/o.mov")) was moved or replaced during the run: the "
          + "complete output is"), "\(outcome.errors)")
    #expect(try FileBytes.read(victim) == Array("precious".utf8))
    #expect(try BuiltCandela.run("inspect", folder.path("d.old/o.mov")).status == 0)
    for place in ["victim", "d.old"] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(place)) == ["o.mov"])
    }
  }

  @Test func reportsStayInTheirFolder() throws {
    let clip = folder.path("clip.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=640x360:d=5:r=30", "-c:v", "mpeg4", clip)
    let running = try Tool.start(
      BuiltCandela.path,
      [
        "transcode", clip, folder.path("out.mov"), "-p", "h264-sdr", "--report",
        folder.path("d/o.mov"), "-y",
      ])
    running.wait(untilItWritesInto: folder)
    try swap()
    let outcome = running.wait()
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(try FileBytes.read(victim) == Array("precious".utf8))
    #expect(try FileBytes.read(folder.path("d.old/o.mov")).first == UInt8(ascii: "{"))
  }
}
