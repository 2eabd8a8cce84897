// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `plan` refuses the same damaged and odd files as `transcode`, even those that `transcode`
/// refuses only after its work.
@Suite(.needsSharedMedia) struct PlanRefusalTests {
  private static let files = SharedMedia.names(in: "damaged") + SharedMedia.names(in: "found")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: files.shortened(to: 6)) func planAndTranscodeAgree(name: String) throws {
    let arguments = [
      "--preset", "h264-sdr", "--set", "video.width=160", "--set",
      "video.compressionProperties.speed=ultrafast",
    ]
    let plan = try BuiltCandela.run(["plan", SharedMedia.path(name)] + arguments)
    let outcome = try BuiltCandela.run(
      ["transcode", SharedMedia.path(name), folder.path("out.mov")] + arguments)
    #expect([0, 2, 65, 69].contains(outcome.status), "\(outcome.errors)")
    let done: Set<Int32> = [0, 2]
    let wanted = done.contains(outcome.status) ? 0 : outcome.status
    #expect(plan.status == wanted, "\(plan.errors), \(outcome.errors)")
  }

  /// Samples that cannot be copied, because some have no duration or no times, are refused before
  /// the work begins.
  @Test func whatCannotBeCopied() throws {
    let bitstream = folder.path("bitstream.h264")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-c:v", "libx264", bitstream)
    for source in [SharedMedia.path("damaged/UXP__negative_duration.mp4"), bitstream] {
      let arguments = [source, folder.path("out.mov"), "--set", "video.codec=passthrough"]
      let plan = try BuiltCandela.run(["plan"] + arguments)
      #expect(plan.status == 65)
      #expect(plan.errors == (try BuiltCandela.run(["transcode"] + arguments).errors))
    }
  }

  /// A sample that is larger than any file is reported as damage, not as a lack of memory.
  @Test func absurdSizesAreDamage() throws {
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path("damaged/UXP__test_case_1296532.mp4"), folder.path("out.mov"),
      "--set", "video.codec=passthrough")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(folder.names.isEmpty)
  }

  /// Encrypted samples are not copied. The copy would not say that they are encrypted, so nobody
  /// could play it.
  @Test func encryptedSamplesAreNotCopied() throws {
    let source = folder.path("encrypted.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2",
      "-c:v", "libx264", "-c:a", "aac", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key",
      "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
      source)
    let outcome = try BuiltCandela.run(
      "transcode", source, folder.path("out.mov"), "--set", "video.codec=passthrough")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("track 1 is encrypted"), "\(outcome.errors)")
    #expect(!folder.names.contains("out.mov"))
  }
}

/// `plan` refuses outputs that `transcode` refuses even with `--overwrite`. If this option would
/// allow the output, `plan` gives a notice instead.
@Suite struct PlannedOutputTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  @Test func outputsThatCannotBeWritten() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.mov"), withDestinationPath: "sample.mov")
    #expect(mkfifo(folder.path("pipe.mov"), 0o600) == 0)
    for name in [
      "sample.mov", "link.mov", "pipe.mov", "none/out.mov", "sample.mov/out.mov", "a.avi",
    ] {
      let arguments = [sample, folder.path("") + "/" + name, "--set", "video.width=96"]
      let plan = try BuiltCandela.run(["plan"] + arguments)
      let outcome = try BuiltCandela.run(["transcode"] + arguments + ["--overwrite"])
      #expect([64, 73].contains(plan.status))
      #expect(plan.status == outcome.status)
      #expect(plan.errors == outcome.errors)
    }
    let nameless = try BuiltCandela.run("retag", sample, "", "--color", "709")
    #expect(nameless.status == 73)
    #expect(nameless.errors.contains("an output has no name"), "\(nameless.errors)")
  }

  @Test func aFolderIsNoOutput() throws {
    let taken = folder.path("taken.mp4")
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    for output in [taken, folder.path("new") + "/"] {
      let plan = try BuiltCandela.run("plan", sample, output)
      #expect(plan.status == 64)
      #expect(plan.errors == (try BuiltCandela.run("transcode", sample, output).errors))
    }
  }

  @Test func outputsThatAreThereAreTold() throws {
    let kept = try folder.write("kept", to: "kept.mov")
    let plan = try BuiltCandela.run("plan", sample, kept, "--json")
    #expect(plan.status == 0)
    #expect(try plan.notices().arguments("outputExists") == ["path": kept])
    // A dry run knows whether the output may be replaced.
    let dryRun = ["transcode", sample, kept, "--dry-run"]
    #expect(try BuiltCandela.run(dryRun).status == 73)
    #expect(try BuiltCandela.run(dryRun + ["--overwrite"]).status == 0)
    let other = try BuiltCandela.run("plan", sample, folder.path("new.mov"), "--json")
    #expect(try !other.notices().codes.contains("outputExists"))
    #expect(folder.names == ["kept.mov", "sample.mov"])
  }
}

/// A movie whose edits present no frame is refused before the work begins.
@Suite struct HiddenPicturesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie is refused if its edit begins after the end of the media and so presents no frame.
  @Test func editsThatPresentNothing() throws {
    let source = try BuiltCandela.sample(in: folder)
    var bytes = try FileBytes.read(source)
    let list = try #require(bytes.firstRange(of: Array("elst".utf8)))
    // Version and flags, the count and the duration come before the media time.
    let place = list.upperBound + 12
    bytes.replaceSubrange(place..<place + 4, with: [0x40, 0, 0, 0])
    let hidden = try folder.write(bytes, to: "hidden.mov")
    let output = folder.path("out.mov")
    let copy = ["--set", "video.codec=passthrough"]
    for command in [
      ["plan", hidden], ["transcode", hidden, output], ["transcode", hidden, output] + copy,
    ] {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("none of its frames is ever presented"), "\(outcome.errors)")
    }
  }
}
