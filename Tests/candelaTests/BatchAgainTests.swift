// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A batch that is run again does what is still to do, even if its files, its records or its
/// folders have changed.
@Suite struct BatchAgainTests {
  private let folder: TemporaryFolder
  private let clips: String
  private let out: String

  init() throws {
    folder = try TemporaryFolder()
    (clips, out) = (folder.path("clips"), folder.path("out"))
    try FileManager.default.createDirectory(atPath: clips, withIntermediateDirectories: true)
    let sample = try BuiltCandela.sample(in: folder)
    for name in ["a.mov", "b.mov"] {
      try FileManager.default.copyItem(atPath: sample, toPath: "\(clips)/\(name)")
    }
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome { try run(arguments) }

  private func run(_ arguments: [String]) throws -> Tool.Outcome {
    try BuiltCandela.run(
      [
        "transcode", clips, "--recursive", "--into", out, "--existing", "skip", "-p", "hevc-sdr",
        "--speed", "ultrafast",
      ] + arguments)
  }

  private func said(
    _ words: String, _ outcome: Tool.Outcome, status: Int32 = 0,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location)
  }

  /// A link that leads nowhere fails once, until it leads somewhere or is made anew.
  @Test func aBrokenLinkFailsOnce() throws {
    let manager = FileManager.default
    let (link, target) = ("\(clips)/c.mov", folder.path("d.mov"))
    try manager.createSymbolicLink(atPath: link, withDestinationPath: target)
    said("3 files: 2 done, 1 failed: \(link) (66)", try run(), status: 66)
    said("2 done before, 1 failed before: \(link) (66)", try run())
    said("1 failed: \(link) (66)", try run("--retry-failed"), status: 66)
    try manager.copyItem(atPath: "\(clips)/a.mov", toPath: target)
    said("3 files: 1 done, 2 done before", try run())
    try manager.removeItem(atPath: target)
    said("3 files: 0 done, 2 done before, 1 failed: \(link) (66)", try run(), status: 66)
    said("1 failed before: \(link) (66)", try run())
    try manager.removeItem(atPath: link)
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    said("1 failed: \(link) (66)", try run(), status: 66)
  }

  /// A broken link stops no batch, even if it lies in the place of an output, or if its output
  /// would have the name of another.
  @Test func aBrokenLinkStopsNothing() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(clips)/x", withIntermediateDirectories: true)
    for name in ["x/a.mov", "a.sdr.mov", "B.mov", "b.mp4", "b.mkv"] {
      try manager.createSymbolicLink(
        atPath: "\(clips)/\(name)", withDestinationPath: "nowhere")
    }
    let beside = try BuiltCandela.run(
      [
        "transcode", clips, "--recursive", "--into", clips, "--name", "{name}.sdr.mov", "-p",
        "hevc-sdr", "--speed", "ultrafast",
      ])
    // One link is in the place of an output, and outputs are not written through links.
    said("7 files: 1 done, 6 failed", beside, status: 73)
    said("7 files: 2 done, 5 failed", try run("--name", "{name}.mov"), status: 66)
    said("2 done before, 5 failed before", try run("--name", "{name}.mov"))
  }

  /// If files were replaced by copies, the first run looks at their content, and records that it is
  /// the same. Later runs need not look again.
  @Test func copiesAreRecordedOnce() throws {
    said("2 files: 2 done", try run())
    let records = "\(out)/.candela-batch.jsonl"
    func count() throws -> Int { try FileBytes.read(records).count { $0 == UInt8(ascii: "\n") } }
    let before = try count()
    try FileManager.default.moveItem(atPath: clips, toPath: folder.path("old"))
    _ = try Tool.run("cp", ["-a", folder.path("old"), clips])
    said("2 files: 0 done, 2 done before", try run())
    #expect(try count() == before + 2)
    said("2 files: 0 done, 2 done before", try run())
    #expect(try count() == before + 2)
  }

  /// If a full disk cuts off a line of the records, the next line can still be read.
  @Test func linesOfRecordsStandAlone() throws {
    // With one job, the last record is that of `b.mov`.
    said("2 files: 2 done", try run("--jobs", "1"))
    let records = "\(out)/.candela-batch.jsonl"
    let bytes = try FileBytes.read(records)
    try Data(bytes.dropLast(40)).write(to: URL(fileURLWithPath: records))
    try FileManager.default.copyItem(atPath: "\(clips)/a.mov", toPath: "\(clips)/c.mov")
    said("1 done, 1 done before, 1 whose output has no record", try run())
    said("3 files: 0 done, 2 done before, 1 whose output has no record", try run())
    // A quiet run prints this line, too, because nothing else would say that the output may have
    // other content than the user wants.
    said(
      "whose output has no record (--existing replace remakes it): \(out)/b.mov",
      try run("--quiet"))
  }

  /// If the folders of sources and outputs were moved, sources that have not changed show where the
  /// files were before. So a source that has changed is recognized, too.
  @Test func movedTreesGoOn() throws {
    let (disk, mount) = (folder.path("disk"), folder.path("mount"))
    let manager = FileManager.default
    try manager.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try manager.moveItem(atPath: clips, toPath: "\(disk)/clips")
    func run(in place: String, _ more: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(
        [
          "transcode", "\(place)/clips", "--recursive", "--into", "\(place)/out", "--existing",
          "skip", "-p", "hevc-sdr", "--speed", "ultrafast",
        ] + more)
    }
    said("2 files: 2 done", try run(in: disk))
    // In a copy of the whole folder, nothing is left to do, although the old folder still exists.
    _ = try Tool.run("cp", ["-a", disk, folder.path("copy")])
    said("2 files: 0 done, 2 done before", try run(in: folder.path("copy")))
    try manager.moveItem(atPath: disk, toPath: mount)
    try manager.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: "\(mount)/clips/b.mov")
    said("2 files: 1 done, 1 done before", try run(in: mount))
    // The records name the new place now, so outputs of removed sources are found there.
    try manager.removeItem(atPath: "\(mount)/clips/a.mov")
    said("left over: \(mount)/out/a.mov", try run(in: mount, "--orphans", "list"))
  }

  /// After a run begins, something else may write to the place of an output that the run has not
  /// reached yet. That file stays as it is.
  @Test func outputsOfOthersStayWhereTheyComeDuringTheRun() throws {
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x240:d=3:r=30", "-y", "-pix_fmt", "yuv420p",
      "\(clips)/a.mov")
    said("2 files: 2 done", try run())
    let running = try Tool.start(
      BuiltCandela.path,
      [
        "transcode", clips, "--recursive", "--into", out, "--existing", "skip", "-p", "hevc-sdr",
        "--speed", "medium", "--verbose",
      ])
    running.wait(untilItWritesInto: folder)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(out)/b.mov"))
    let outcome = running.wait()
    said("2 files: 1 done, 1 whose output was changed after it was made", outcome)
    #expect(try FileBytes.read("\(out)/b.mov") == Array("mine".utf8))
  }

  /// A folder of a library may be a link to another disk. Its files are converted once, however
  /// many links lead there.
  @Test func linkedFoldersAreTakenOnce() throws {
    let other = folder.path("other")
    let manager = FileManager.default
    try manager.createDirectory(atPath: other, withIntermediateDirectories: true)
    try manager.moveItem(atPath: "\(clips)/b.mov", toPath: "\(other)/b.mov")
    try manager.createSymbolicLink(atPath: "\(clips)/2023", withDestinationPath: other)
    try manager.createSymbolicLink(atPath: "\(clips)/2024", withDestinationPath: other)
    try manager.createSymbolicLink(atPath: "\(other)/back", withDestinationPath: clips)
    said("2 files: 2 done", try run())
    #expect(manager.fileExists(atPath: "\(out)/2023/b.mov"))
  }

  /// Outputs of an earlier run are not taken for sources, even if the folder was renamed and the
  /// records still have its old name.
  @Test func outputsInARenamedFolderAreNoSources() throws {
    let arguments = ["-p", "hevc-sdr", "--speed", "ultrafast"]
    let first = try BuiltCandela.run(
      ["transcode", clips, "--recursive", "--into", "\(clips)/sdr"] + arguments)
    said("2 files: 2 done", first)
    let renamed = folder.path("renamed")
    try FileManager.default.moveItem(atPath: clips, toPath: renamed)
    let second = try BuiltCandela.run(
      ["transcode", renamed, "--recursive", "--into", "\(renamed)/web"] + arguments)
    said("2 files: 2 done", second)
  }

  /// A symbolic link stays the source of its output, whatever file the link leads to.
  @Test func linksMayLeadElsewhere() throws {
    let manager = FileManager.default
    let (link, other) = ("\(clips)/link.mov", folder.path("other.mov"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x72:d=0.2:r=20", "-pix_fmt", "yuv420p", other)
    try manager.createSymbolicLink(
      atPath: link, withDestinationPath: BuiltCandela.sample(in: folder))
    said("3 files: 3 done", try run())
    try manager.removeItem(atPath: link)
    try manager.createSymbolicLink(atPath: link, withDestinationPath: other)
    said("3 files: 1 done, 2 done before", try run())
    said("3 files: 0 done, 3 done before", try run())
    try manager.removeItem(atPath: link)
    said("removed: \(out)/link.mov, whose source \(link) is gone", try run("--orphans", "remove"))
    #expect(manager.fileExists(atPath: other))
  }

  /// After clips were renamed, moved and replaced, a second run leaves the same outputs as a run
  /// into an empty folder.
  @Test func outputsFollowTheirSources() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(clips)/2023", withIntermediateDirectories: true)
    for name in ["2023/c.mov", "2023/d.mov", "e.mov"] {
      try manager.copyItem(atPath: "\(clips)/a.mov", toPath: "\(clips)/\(name)")
    }
    let mp4 = ["--name", "{name}.mp4"]
    said("5 files: 5 done", try run(mp4))
    try manager.moveItem(atPath: "\(clips)/2023", toPath: "\(clips)/2024")
    try manager.moveItem(atPath: "\(clips)/a.mov", toPath: "\(clips)/first.mov")
    try manager.removeItem(atPath: "\(clips)/e.mov")
    // The new file has another name than `e.mov`, but its output has the same name.
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x72:d=0.2:r=20", "-pix_fmt", "yuv420p",
      "\(clips)/e.mkv")
    let again = try run(mp4 + ["--orphans", "remove"])
    said("5 files: 4 done, 1 done before", again)
    for name in ["2023/c.mp4", "2023/d.mp4", "a.mp4"] { said("removed: \(out)/\(name)", again) }
    let anew = folder.path("anew")
    said("5 files: 5 done", try run(mp4 + ["--into", anew]))
    let names = try manager.subpathsOfDirectory(atPath: anew).sorted()
    #expect(try manager.subpathsOfDirectory(atPath: out).sorted() == names)
    for name in names where name.hasSuffix(".mp4") {
      #expect(try FileBytes.read("\(out)/\(name)") == FileBytes.read("\(anew)/\(name)"), "\(name)")
    }
  }

  @Test func timesAreGivenAfterwards() throws {
    let date = Date(timeIntervalSince1970: 1_400_000_000)
    let manager = FileManager.default
    try manager.setAttributes([.modificationDate: date], ofItemAtPath: "\(clips)/a.mov")
    said("2 files: 2 done", try run())
    said("0 done, 2 done before", try run("--preserve-times"))
    let made = try manager.attributesOfItem(atPath: "\(out)/a.mov")
    #expect(made[.modificationDate] as? Date == date)
    said("0 done, 2 done before", try run())
  }

  /// Outputs are made again if an overlay file has changed, although the settings that name it are
  /// the same.
  @Test func anotherOverlayMakesAnotherOutput() throws {
    let logo = folder.path("logo.png")
    let overlay = "video.composition.overlay={\"file\": \"\(logo)\"}"
    for (color, words) in [
      ("red", "2 files: 2 done"), ("blue", "2 files: 2 done"), ("", "2 done before"),
    ] {
      if !color.isEmpty {
        try Tool.ffmpeg("-f", "lavfi", "-i", "color=\(color):s=16x16", "-frames:v", "1", "-y", logo)
      }
      said(words, try run("--set", overlay))
    }
  }

  @Test func linksAreNotReplaced() throws {
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let mine = try folder.write("mine", to: "mine.mov")
    try FileManager.default.createSymbolicLink(
      atPath: "\(out)/a.mov", withDestinationPath: mine)
    let outcome = try BuiltCandela.run(
      "transcode", "\(clips)/a.mov", "--into", out, "-y", "-p", "hevc-sdr")
    said("cannot create \(out)/a.mov: it is a symbolic link", outcome, status: 73)
    #expect(try FileBytes.read(mine) == Array("mine".utf8))
  }

  /// A mistake that concerns all files is reported in a single line.
  @Test(arguments: [["--source-color", "foo"], ["--from", "5", "--to", "2"]].shortened(to: 1))
  func optionsAreRefusedOnce(options: [String]) throws {
    let outcome = try run(options)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }
}
