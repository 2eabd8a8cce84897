// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If something cannot be done, the program ends with the right exit code and one clear line, and
/// leaves nothing behind.
@Suite struct BadInputTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  private func expect(
    _ status: Int32, _ words: String, _ arguments: [String], leaving: [String] = ["sample.mov"],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
    let lines = outcome.errors.split(separator: "\n").filter { !$0.contains("note:") }
    #expect(lines.first?.contains(words) == true, "\(outcome.errors)", sourceLocation: location)
    #expect(folder.names == leaving.sorted(), sourceLocation: location)
  }

  private func transcode(_ input: String, _ output: String = "out.mov", _ more: String...)
    -> [String]
  {
    ["transcode", input, folder.path(output)] + more
  }

  @Test func inputsThatCannotBeRead() throws {
    try expect(66, "there is no such file", transcode(folder.path("missing.mov")))
    try expect(64, "is a folder", transcode("/tmp"))
    let empty = try folder.write("", to: "empty.mov")
    try expect(65, "is empty", transcode(empty), leaving: ["sample.mov", "empty.mov"])
    let text = try folder.write(String(repeating: "words and words\n", count: 99), to: "text.mov")
    try expect(
      65, "not a known kind", transcode(text),
      leaving: ["sample.mov", "empty.mov", "text.mov"])
  }

  @Test func aFileCutInHalfIsRefusedAndTakenWhenAsked() throws {
    let whole = try FileBytes.read(sample)
    let half = try folder.write(whole.prefix(whole.count / 2), to: "half.mov")
    try expect(65, "is cut off", transcode(half), leaving: ["sample.mov", "half.mov"])
    let outcome = try BuiltCandela.run(transcode(half) + ["--on-error", "continue"])
    #expect([0, 2].contains(outcome.status), "\(outcome.errors)")
  }

  @Test func outputsThatCannotBeCreated() throws {
    let there = try folder.write("precious", to: "there.mov")
    try expect(
      73, "exists already", transcode(sample, "there.mov"), leaving: ["sample.mov", "there.mov"])
    #expect(try String(contentsOfFile: there, encoding: .utf8) == "precious")
    try expect(
      73, "does not exist", transcode(sample, "nowhere/out.mov"),
      leaving: ["sample.mov", "there.mov"])
    try expect(
      64, "are read, but not written; use .mov, .mp4, .mkv or .webm", transcode(sample, "out.avi"),
      leaving: ["sample.mov", "there.mov"])
    let outcome = try BuiltCandela.run(transcode(sample, "there.mov") + ["--overwrite"])
    #expect(outcome.status == 0)
    #expect(try Tool.probe(there, "stream=codec_name") == ["hevc"])
  }

  @Test func anOutputDirectoryThatCannotBeWritten() throws {
    let arguments = ["transcode", sample, "/usr/out.mov"]
    // Root may write everywhere, so the program runs as the user `nobody` instead.
    let outcome =
      getuid() == 0
      ? try Tool.run(
        "setpriv", ["--reuid=65534", "--clear-groups", BuiltCandela.path] + arguments)
      : try BuiltCandela.run(arguments)
    #expect(outcome.status == 73, "\(outcome.errors)")
    #expect(outcome.errors.contains("the folder /usr cannot be written"))
  }

  @Test func settingsThatCannotBe() throws {
    try expect(
      64, "there is no preset 'hevc-hgl': did you mean 'hevc-hlg'?",
      transcode(sample, "out.mov", "--preset", "hevc-hgl"))
    try expect(
      64, "video.widht is not a known key: did you mean 'video.width'?",
      transcode(sample, "out.mov", "--set", "video.widht=12"))
    try expect(
      64, "needs 10 bits",
      transcode(
        sample, "out.mov", "--preset", "hevc-hlg", "--set", "video.codec=h264",
        "--set", "video.profileLevel=null"))
    try expect(
      64, "does not support",
      transcode(sample, "out.mov", "--preset", "hevc-hlg", "--set", "video.pixelFormat=420v"))
    try expect(
      64, "--source-color cannot be 'blue'",
      transcode(sample, "out.mov", "--source-color", "blue"))
    try expect(
      64, "--source-color cannot be 'bt2021': did you mean 'bt2020'?",
      transcode(sample, "out.mov", "--source-color", "bt2021"))
    try expect(
      64, "for the folder of the outputs, use --into folder",
      transcode(sample, "out.mov", "--to", "folder"))
    try expect(
      64, "would contradict",
      transcode(
        sample, "out.mov", "--set",
        "video.compressionProperties.encoderOptions.transfer=pq"))
    let broken = try folder.write("{\"video\": ", to: "broken.json")
    try expect(
      64, "is not JSON", transcode(sample, "out.mov", "--preset", broken),
      leaving: ["sample.mov", "broken.json"])
  }

  @Test func hdrThatDoesNotFitIntoEightBitsIsRefusedWithThePresetThatWouldDo() throws {
    try expect(
      65, "use --preset h264-sdr",
      transcode(
        sample, "out.mov", "--preset", "h264-sdr", "--set",
        "video.colorProperties=null"))
  }

  @Test(.needsSharedMedia) func picturesTooSmallForX265AreRefused() throws {
    let tiny = SharedMedia.path("sdr/mp4parse-rust__video_colr_nclx_hlg.mp4")
    try expect(65, "cannot encode 2×2 frames", transcode(tiny))
  }

  @Test(arguments: [SIGINT, SIGTERM].shortened(to: 1))
  func aSignalRemovesTheUnfinishedFile(signal: Int32) throws {
    let long = folder.path("long.mov")
    let running = try Tool.start(
      BuiltCandela.path, ["sample", long, "--size", "1920x1080", "--seconds", "600"])
    running.wait(untilItWritesInto: folder)
    #expect(running.isRunning)
    running.signal(signal)
    let outcome = running.wait()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("interrupted"))
    #expect(folder.names == ["sample.mov"])
  }

  @Test(.needsSharedMedia, arguments: SharedMedia.names(in: "damaged").shortened(to: 5))
  func damagedFilesAreDoneOrRefusedAndNeverCrash(name: String) throws {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path(name), output, "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect([0, 2, 65].contains(outcome.status), "\(outcome.status): \(outcome.errors)")
    let isThere = FileManager.default.fileExists(atPath: output)
    #expect(isThere == (outcome.status != 65))
    #expect(folder.names.count == (isThere ? 2 : 1))
    let inspected = try BuiltCandela.run("inspect", SharedMedia.path(name))
    #expect([0, 65].contains(inspected.status), "\(inspected.errors)")
  }

  /// Paths are read as the system reads them: `..` after a link is the folder that contains the
  /// link's target. No output replaces a pipe or a broken link.
  @Test func oddPaths() throws {
    let manager = FileManager.default
    let sample = folder.path("real/sample.mov")
    try manager.createDirectory(atPath: folder.path("real/sub"), withIntermediateDirectories: true)
    try manager.createDirectory(atPath: folder.path("here"), withIntermediateDirectories: true)
    _ = try BuiltCandela.run("sample", sample, "--size", "64x64", "--seconds", "0.2")
    try manager.copyItem(atPath: sample, toPath: folder.path("here/sample.mov"))
    try manager.createSymbolicLink(
      atPath: folder.path("here/link"), withDestinationPath: "../real/sub")
    let before = try FileBytes.read(folder.path("here/sample.mov"))
    let outcome = try BuiltCandela.run(
      "retag", "--in-place", folder.path("here") + "/link/../sample.mov", "--color", "709")
    #expect(outcome.status == 0)
    let after = try FileBytes.read(folder.path("here/sample.mov"))
    #expect(after == before)
    #expect(try Tool.probe(sample, "stream=color_transfer") == ["bt709"])
    try manager.createSymbolicLink(atPath: folder.path("broken.mov"), withDestinationPath: "none")
    #expect(mkfifo(folder.path("pipe.mov"), 0o600) == 0)
    for name in ["broken.mov", "pipe.mov"] {
      #expect(
        try BuiltCandela.run("retag", sample, folder.path(name), "--color", "hlg", "--overwrite")
          .status == 73)
    }
    #expect(try BuiltCandela.run("inspect", folder.path("pipe.mov")).status == 65)
    #expect(try BuiltCandela.run("inspect", folder.path("broken.mov")).status == 66)
    #expect(
      try BuiltCandela.run("retag", sample, folder.path("a.mkv"), "--color", "hlg").status == 64)
  }

  /// If a file states its colors only after some frames, or changes them, it is refused instead of
  /// being tagged with the first colors throughout.
  @Test func colorsThatComeLater() throws {
    let parts = try ["untagged", "pq"].map { name in
      let path = folder.path("\(name).ts")
      let tags = name == "pq" ? ":colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc" : ""
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-pix_fmt", "yuv420p10le", "-c:v",
        "libx265", "-x265-params", "repeat-headers=1:log-level=none\(tags)", "-bsf:v",
        "hevc_mp4toannexb", "-f", "hevc", path)
      return try FileBytes.read(path)
    }
    let joined = try folder.write(parts[0] + parts[1], to: "joined.hevc")
    let outcome = try BuiltCandela.run("transcode", joined, folder.path("out.mov"))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("colors change from"), "\(outcome.errors)")
    #expect(!folder.names.contains("out.mov"))
  }
}
