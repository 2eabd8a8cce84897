// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A batch encodes only the files that need it, and copies video that is finished already.
@Suite struct BatchChoiceTests {
  private let folder: TemporaryFolder
  private let clips: String
  private let out: String

  init() throws {
    folder = try TemporaryFolder()
    (clips, out) = (folder.path("clips"), folder.path("out"))
    try FileManager.default.createDirectory(atPath: clips, withIntermediateDirectories: true)
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      [
        "transcode", clips, "--recursive", "--into", out, "-p", "h264-sdr", "--existing", "skip",
        "--speed", "ultrafast",
      ] + arguments)
  }

  /// Makes a clip of half a second.
  private func clip(_ name: String, _ options: String...) throws {
    let path = "\(clips)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=20:d=0.5", "-pix_fmt", "yuv420p"]
        + ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
        + ["-c:v", "libx264"] + options + [path])
  }

  private func hlg(_ name: String) throws {
    try FileManager.default.copyItem(
      atPath: BuiltCandela.sample(in: folder), toPath: "\(clips)/\(name)")
  }

  private var made: [String] {
    let paths = FileManager.default.enumerator(atPath: out)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".mp4") }.sorted()
  }

  private func bitstream(_ path: String) throws -> [UInt8] {
    let copy = folder.path("\(UUID().uuidString).h264")
    try Tool.ffmpeg("-i", path, "-c:v", "copy", copy)
    return try FileBytes.read(copy)
  }

  /// Video that is already what the preset would make is copied byte for byte.
  @Test func finishedVideoIsCopied() throws {
    try clip("done.mov")
    try clip("ten.mov", "-pix_fmt", "yuv420p10le")
    try clip("full.mov", "-color_range", "pc")
    try clip("turned.mkv", "-colorspace", "smpte170m")
    try clip("fields.mov", "-flags", "+ilme+ildct", "-x264opts", "tff=1")
    let outcome = try run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let copied = outcome.errors.split(separator: "\n").filter { $0.contains("SDR H.264 already") }
    #expect(copied.map { $0.contains("out/done.mp4: copied") } == [true], "\(outcome.errors)")
    #expect(try bitstream("\(clips)/done.mov") == bitstream("\(out)/done.mp4"))
    #expect(try bitstream("\(clips)/full.mov") != bitstream("\(out)/full.mp4"))
    // With another choice for `--encode`, the next run makes all outputs again, but only once.
    #expect(try run("--encode", "always").errors.contains("5 files: 5 done"))
    #expect(try run("--encode", "always").errors.contains("0 done, 5 done before"))
    #expect(try bitstream("\(clips)/done.mov") != bitstream("\(out)/done.mp4"))
  }

  /// Video above the preset's data rate limit is encoded, even if it already fits in all other
  /// ways.
  @Test func videoAboveTheRateIsEncoded() throws {
    try clip("done.mov")
    let limits = ["[100, 1]", "[10000000, 1]"].map { limit in
      "video.compressionProperties.dataRateLimits=\(limit)"
    }
    #expect(!(try run("--set", limits[0]).errors.contains("already")))
    #expect(try run("--set", limits[1]).errors.contains("already"))
  }

  @Test func onlyOneDynamicRangeIsTaken() throws {
    try clip("sdr.mov")
    try hlg("hdr.mov")
    #expect(try run("--only", "hdr").errors.contains("2 files: 1 done, 1 left out by --only"))
    #expect(made == ["hdr.mp4"])
    // The second run knows which file to leave out, without opening it.
    let again = try run("--only", "hdr")
    #expect(again.errors.contains("2 files: 0 done, 1 done before, 1 left out by --only"))
    #expect(try run("--only", "sdr").errors.contains("1 done"))
    #expect(try run().errors.contains("2 files: 0 done, 2 done before"))
    #expect(made == ["hdr.mp4", "sdr.mp4"])
  }

  /// If somebody else's file is where an output would go, it stays, even if earlier runs tried to
  /// make that output.
  @Test func filesOfOthersStay() throws {
    try clip("sdr.mov")
    try clip("whole.mov")
    try Data(FileBytes.read("\(clips)/whole.mov").prefix(700)).write(
      to: URL(fileURLWithPath: "\(clips)/torn.mov"))
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    for name in ["sdr.mp4", "torn.mp4"] {
      try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(out)/\(name)"))
    }
    // Without --existing skip, the run looks at sources before it looks at outputs.
    let first = try BuiltCandela.run(
      "transcode", clips, "--recursive", "--into", out, "-p", "h264-sdr", "--only", "hdr")
    #expect(first.status == 65)
    #expect(try run("--orphans", "remove").errors.contains("2 whose output has no record"))
    try FileManager.default.removeItem(atPath: "\(clips)/torn.mov")
    #expect(try run("--orphans", "remove").status == 0)
    for name in ["sdr.mp4", "torn.mp4"] {
      #expect(try FileBytes.read("\(out)/\(name)") == Array("mine".utf8))
    }
  }

  /// Video is encoded if the user corrects what the source states or asks for other changes,
  /// because a copy would not have them.
  @Test func statementsNeedAnEncoder() throws {
    try clip("done.mov")
    func said(_ options: String...) throws -> String {
      let outcome = try BuiltCandela.run(
        [
          "transcode", "\(clips)/done.mov", folder.path("one.mp4"), "-y", "--encode", "needed",
          "--speed", "ultrafast", "-p", "h264-sdr",
        ] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.errors
    }
    #expect(try said("--report", folder.path("one.json")).contains("SDR H.264 already"))
    #expect(!(try said("--source-color", "601-525").contains("already")))
    #expect(!(try said("--to", "0.3").contains("already")))
    #expect(!(try said("--set", "rotation=apply", "--width", "64").contains("already")))
  }

  /// One torn upload must not make every later nightly run fail.
  @Test func whatFailedIsTriedAgainOnlyIfItChanged() throws {
    try clip("whole.mov")
    try Data(FileBytes.read("\(clips)/whole.mov").prefix(700)).write(
      to: URL(fileURLWithPath: "\(clips)/torn.mov"))
    #expect(try run().status == 65)
    let again = try run()
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.errors.contains("1 done before, 1 failed before: \(clips)/torn.mov (65)"))
    #expect(try run("--retry-failed").status == 65)
    // With other settings, the file might be readable, so it is tried again.
    #expect(try run("--audio", "none").status == 65)
    try FileManager.default.removeItem(atPath: "\(clips)/torn.mov")
    try clip("torn.mov")
    #expect(try run("--audio", "none").errors.contains("2 files: 1 done, 1 done before"))
  }

  @Test func orphansAreThoseThatTheRecordsKnow() throws {
    for name in ["a/one.mov", "a/two.mov", "three.mov"] { try clip(name) }
    #expect(try run().errors.contains("3 done"))
    let manager = FileManager.default
    try manager.copyItem(atPath: "\(out)/three.mp4", toPath: "\(out)/mine.mp4")
    for name in ["a/one.mov", "a/two.mov"] { try manager.removeItem(atPath: "\(clips)/\(name)") }
    // The folder is empty now. Its disk might just not be mounted, so the outputs stay.
    #expect(try run("--orphans", "remove").errors.contains("is empty"))
    #expect(made.count == 4)
    try clip("a/other.mov")
    let listed = try run("--orphans", "list")
    #expect(listed.errors.contains("left over: \(out)/a/one.mp4"), "\(listed.errors)")
    // A dry run only names them, and ends as the run would.
    for measure in ["list", "remove"] {
      let plan = try run("--orphans", measure, "--dry-run")
      #expect(plan.status == 0)
      #expect(plan.errors.contains("left over: \(out)/a/one.mp4"), "\(plan.errors)")
    }
    #expect(made.count == 5)
    // An output that somebody has changed counts as that person's work, so it stays.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(out)/a/two.mp4"))
    #expect(try run("--orphans", "remove").status == 0)
    #expect(made == ["a/other.mp4", "a/two.mp4", "mine.mp4", "three.mp4"])
  }

  /// Outputs of several folders go to separate places from the start, and stay there whatever
  /// folders and clips come later.
  @Test func outputsStayInTheirPlaces() throws {
    for name in ["one/a.mov", "two/b.mov"] { try clip(name) }
    func run(_ roots: String...) throws -> String {
      try BuiltCandela.run(
        ["transcode"] + roots.map { "\(clips)/\($0)" } + ["--recursive", "--into", out]
          + ["-p", "h264-sdr", "--existing", "skip", "--speed", "ultrafast"]
      ).errors
    }
    #expect(try run("one").contains("1 file: 1 done"))
    #expect(try run("one", "two").contains("2 files: 1 done, 1 done before"))
    #expect(made == ["a.mp4", "two/b.mp4"])
    for name in ["two/a.mov", "one/b.mov"] { try clip(name) }
    #expect(try run("two", "one").contains("4 files: 2 done, 2 done before"))
    #expect(made == ["a.mp4", "one/b.mp4", "two/a.mp4", "two/b.mp4"])
    #expect(try run("two").contains("2 files: 0 done, 2 done before"))
  }

  @Test func whatIsExcludedIsNotRead() throws {
    for name in [
      "a.mov", "a.tmp.mov", "@eaDir/a.mov", ".hidden/a.mov", "2019/old/a.mov", "b/a.mov",
    ] {
      try clip(name)
    }
    let outcome = try run("--exclude", "*.tmp.mov", "--exclude", "2019/old")
    #expect(outcome.errors.contains("2 files: 2 done"), "\(outcome.errors)")
    #expect(made == ["a.mp4", "b/a.mp4"])
  }

  /// Two folders may have files of the same name. Their outputs then go to separate folders, and
  /// stay there even if the names are no longer the same.
  @Test func foldersThatMeetKeepTheirNames() throws {
    for name in ["2023/a.mov", "2024/a.mov", "2024/b.mov"] { try clip(name) }
    func both() throws -> Tool.Outcome {
      try BuiltCandela.run(
        [
          "transcode", "\(clips)/2023", "\(clips)/2024", "--recursive", "--into", out, "-p",
          "h264-sdr", "--existing", "skip",
        ])
    }
    #expect(try both().errors.contains("3 files: 3 done"))
    #expect(made == ["2023/a.mp4", "2024/a.mp4", "2024/b.mp4"])
    try FileManager.default.removeItem(atPath: "\(clips)/2023/a.mov")
    try clip("2023/c.mov")
    #expect(try both().errors.contains("3 files: 1 done, 2 done before"))
    let named = try run("--name", "{folder}-{name}.mp4", "--into", folder.path("flat"))
    #expect(named.status == 0, "\(named.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("flat") + "/2024")
    #expect(names.sorted() == ["2024-a.mp4", "2024-b.mp4"])
    #expect(try run("--name", "{year}-{name}.mp4").status == 64)
  }

  /// The plan of a folder says what the run then does, and writes nothing.
  @Test func plansOfManyAreTheirRuns() throws {
    try clip("done.mov")
    try clip("ten.mov", "-pix_fmt", "yuv420p10le")
    try hlg("hdr.mov")
    try Data("no movie".utf8).write(to: URL(fileURLWithPath: "\(clips)/torn.mov"))
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path("."))
    let plan = try BuiltCandela.run(
      "plan", clips, "--recursive", "--into", out, "-p", "h264-sdr", "--existing", "skip",
      "--speed", "ultrafast")
    #expect(plan.status == 65)
    #expect(plan.output.contains("4 files: 2 to encode, 1 to copy, 1 refused"), "\(plan.output)")
    #expect(plan.output.contains("on this machine"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path(".")) == before)
    let lines = try run("--dry-run").output.split(separator: "\n").prefix(5)
    #expect(lines == plan.output.split(separator: "\n").prefix(5))
    #expect(try run().status == 65)
    let again = try run("--dry-run", "--json")
    #expect(again.status == 0)
    #expect(try again.json()["doneCount"] as? Int == 3)
    #expect(try again.json()["refusedCount"] as? Int == 0)
  }

  /// A plan ends with the status that its run would have.
  @Test func plansEndLikeTheirRuns() throws {
    try clip("a.mov")
    for name in ["torn.mov", "text.mov"] {
      try Data("no movie".utf8).write(to: URL(fileURLWithPath: "\(clips)/\(name)"))
    }
    func expect(_ status: Int32, _ names: [String], _ options: String...) throws {
      let arguments =
        names.map { "\(clips)/\($0)" }
        + ["--into", out, "-p", "h264-sdr", "--speed", "ultrafast"] + options
      for command in [
        ["plan"], ["plan", "--json"], ["transcode", "--dry-run"], ["transcode"],
      ] {
        let outcome = try BuiltCandela.run(command + arguments)
        #expect(outcome.status == status, "\(command + arguments): \(outcome.errors)")
      }
    }
    try expect(65, ["torn.mov", "text.mov"])
    try expect(66, ["a.mov", "none.mov", "torn.mov"])
    // Now the output of `a.mov` exists.
    try expect(0, ["a.mov"], "--existing", "skip")
    try expect(73, ["a.mov", "torn.mov"])
    try expect(65, ["a.mov", "torn.mov"], "--only", "hdr")
    // Without --into, a plan does not look at outputs that happen to exist.
    let files = ["a.mov", "torn.mov", "text.mov"].map { "\(clips)/\($0)" }
    #expect(try BuiltCandela.run(["plan"] + files).status == 65)
  }

  /// A plan refuses the folders and outputs that its run cannot create, and creates nothing.
  @Test func plansLookAtTheFolder() throws {
    try clip("a.mov")
    let file = try folder.write("mine", to: "tagged.mp4")
    try FileManager.default.createDirectory(
      atPath: folder.path("taken/a.mp4"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("broken"), withDestinationPath: "none/below")
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path(".")).sorted()
    for (place, words) in [
      (file, "cannot create \(file): Not a directory"),
      ("\(file)/below", "cannot create \(file)/below: Not a directory"),
      (folder.path("broken"), "broken: No such file or directory"),
      ("/proc/candela", "cannot create /proc/candela: "),
      (folder.path("taken"), "a.mp4: it is a folder"),
    ] {
      let arguments = ["\(clips)/a.mov", "--into", place, "-p", "h264-sdr"]
      for command in [["plan"], ["transcode", "--dry-run"], ["transcode"]] {
        let outcome = try BuiltCandela.run(command + arguments)
        let text = outcome.output + outcome.errors
        #expect(outcome.status == 73, "\(command + arguments): \(text)")
        #expect(text.contains(words), "\(command + arguments): \(text)")
      }
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path(".")).sorted()
    #expect(after == before)
    // Without --into, the plan looks at no folder, so it knows no orphans.
    let plan = ["plan", clips, "--recursive", "-p", "h264-sdr"]
    #expect(try BuiltCandela.run(plan).status == 0)
    #expect(try BuiltCandela.run(plan + ["--orphans", "list"]).status == 64)
  }

  /// The time of copies is measured, too, and a name that is too long is reported before the work
  /// begins.
  @Test func plansOfCopies() throws {
    try clip("a\n.mov")
    let long = String(repeating: "x", count: 252)
    try Tool.ffmpeg("-i", "\(clips)/a\n.mov", "-c", "copy", "-f", "mpegts", "\(clips)/\(long).ts")
    let plan = try BuiltCandela.run(
      "plan", clips, "--recursive", "--into", out, "-p", "h264-sdr")
    #expect(plan.status == 73)
    #expect(plan.output.contains("2 files: 1 to copy, 1 refused"), "\(plan.output)")
    #expect(plan.output.contains("on this machine"), "\(plan.output)")
    #expect(plan.output.contains("its name would have 256 bytes"), "\(plan.output)")
    // A line break in a name does not divide the line.
    #expect(plan.output.contains("a\\u000a.mov → "), "\(plan.output)")
    let made = try run()
    #expect(made.status == 73 && made.errors.contains("256 bytes"), "\(made.errors)")
    #expect(made.errors.contains("2 files: 1 done, 1 failed"), "\(made.errors)")
  }
}
