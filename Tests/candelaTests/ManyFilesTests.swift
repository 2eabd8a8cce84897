// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Commands other than `transcode` also work on folders.
@Suite struct ManyFilesTests {
  private let folder: TemporaryFolder

  /// Makes two clips, each in its own folder, and beside these folders the first third of a clip.
  init() throws {
    folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    for (place, name) in [("src/a", "a"), ("src/b", "b")] {
      try FileManager.default.createDirectory(
        atPath: folder.path(place), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: sample, toPath: folder.path("\(place)/\(name).mov"))
    }
    let bytes = try FileBytes.read(sample)
    try Data(bytes.prefix(bytes.count / 3)).write(
      to: URL(fileURLWithPath: folder.path("src/torn.mov")))
  }

  private func run(_ command: String, _ options: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      command.split(separator: " ").map(String.init) + [folder.path("src"), "--recursive"] + options
    )
  }

  private func names(in place: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder.path(place))?.allObjects ?? []
    return found.compactMap { $0 as? String }.filter {
      $0.contains(".") && !$0.contains(".candela")
    }
    .sorted()
  }

  @Test func stillsOfFolders() throws {
    let stills = folder.path("stills")
    let first = try run("still", "--into", stills, "--width", "64", "--jobs", "2")
    #expect(first.status == 0, "\(first.errors)")
    #expect(names(in: "stills") == ["a/a.jpg", "b/b.jpg", "torn.jpg"])
    #expect(
      first.text.split(separator: "\n").map { $0.split(separator: ":")[0] } == [
        "\(stills)/a/a.jpg", "\(stills)/b/b.jpg", "\(stills)/torn.jpg",
      ])
    #expect(first.errors.contains("3 files: 3 done"), "\(first.errors)")
    // The stills exist now. That is an error, unless `--existing skip` is given. Then they are made
    // again only if the settings have changed.
    #expect(try run("still", "--into", stills, "--width", "64").status == 73)
    let again = try run("still", "--into", stills, "--width", "64", "--existing", "skip")
    #expect(again.text.isEmpty && again.errors.contains("3 done before"), "\(again.errors)")
    let wider = try run("still", "--into", stills, "--width", "32", "--existing", "skip")
    #expect(wider.errors.contains("3 files: 3 done"), "\(wider.errors)")
    #expect(try Tool.probe(folder.path("stills/a/a.jpg"), "stream=width") == ["32"])
  }

  /// `rpu plot` and `metadata plot` draw different values, so neither takes a plot of the other for
  /// its own.
  @Test func rpusAreShownAndPlottedForFolders() throws {
    let (clips, plots) = (folder.path("dv"), folder.path("plots"))
    let made = try run(
      "metadata convert", "--into", clips, "--dolby-vision", "8.4", "--exclude", "torn.mov")
    try #require(made.status == 0, "\(made.errors)")
    func rpus(_ command: String..., with options: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(command + [clips, "--recursive"] + options)
    }
    let shown = try rpus("rpu", "show", with: "--frame", "0", "--json")
    let files = try #require(try shown.json()["files"] as? [[String: Any]])
    #expect(shown.status == 0 && files.count == 2 && files.allSatisfy { $0["result"] != nil })
    for (command, end) in [
      ("rpu", "2 files: 2 done"), ("rpu", "2 done before"), ("metadata", "2 files: 2 done"),
    ] {
      let plotted = try rpus(command, "plot", with: "--into", plots, "--existing", "skip")
      #expect(plotted.status == 0 && plotted.errors.contains(end), "\(plotted.errors)")
    }
    #expect(names(in: "plots") == ["a/a.png", "b/b.png"])
    #expect(try Tool.probe(plots + "/a/a.png", "stream=codec_name") == ["png"])
    let named = try rpus("rpu", "plot", with: "--into", plots, "--name", "{name}.jpg")
    #expect(named.status == 64, "\(named.errors)")
  }

  @Test func numberedStillsAreDoneBefore() throws {
    let options = ["--into", folder.path("n"), "--count", "2", "--name", "{name}-%02d.png", "-q"]
    func make(_ more: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(["still", folder.path("src/a/a.mov")] + options + more)
    }
    #expect(try make().status == 0)
    #expect(names(in: "n") == ["a-01.png", "a-02.png"])
    let again = try make("--existing", "skip", "--json").json()
    let summary = try #require(again["summary"] as? [String: Any])
    #expect(summary["skipped"] as? Int == 1 && summary["made"] as? Int == 0)
  }

  /// All stills of one source count as one output: if one is missing, all are made again, and they
  /// are removed together.
  @Test func severalStillsOfASourceBelongTogether() throws {
    func make(_ more: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(
        ["still", folder.path("src"), "--recursive", "--into", folder.path("n"), "--count", "2"]
          + ["--exclude", "torn*"] + more)
    }
    #expect(try make().status == 0)
    let all = ["a/a-1.jpg", "a/a-2.jpg", "b/b-1.jpg", "b/b-2.jpg"]
    #expect(names(in: "n") == all)
    // If one still is gone, the stills of its source are made again.
    try FileManager.default.removeItem(atPath: folder.path("n/b/b-2.jpg"))
    #expect(try make("--existing", "skip").errors.contains("1 done, 1 done before"))
    #expect(names(in: "n") == all)
    // If another program has changed a still, no still of that source is made again.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("n/b/b-2.jpg")))
    let kept = try make("--existing", "skip", "--width", "32")
    #expect(kept.errors.contains("1 done,"), "\(kept.errors)")
    #expect(try FileBytes.read(folder.path("n/b/b-2.jpg")) == Array("mine".utf8))
    // Both sources are moved away. Their folders still contain other clips, so it does not look as
    // if a disk were missing.
    for name in ["a/a", "b/b"] {
      try FileManager.default.moveItem(
        atPath: folder.path("src/\(name).mov"), toPath: folder.path("\(name.suffix(1)).mov"))
      try FileManager.default.copyItem(
        atPath: folder.path("src/torn.mov"), toPath: folder.path("src/\(name.prefix(1))/other.mov"))
    }
    let others = ["a/other-1.jpg", "a/other-2.jpg", "b/other-1.jpg", "b/other-2.jpg"]
    // Torn clips lack the frames for their second stills, so the status is 2.
    #expect(try make("--orphans", "list", "--existing", "skip").status == 2)
    #expect(names(in: "n") == (all + others).sorted())
    #expect(try make("--orphans", "remove", "--existing", "skip").status == 2)
    #expect(names(in: "n") == (others + ["b/b-2.jpg"]).sorted())
  }

  /// If a run makes fewer stills than an earlier run, the surplus files stay, and the records still
  /// know them.
  @Test func fewerStillsLeaveFiles() throws {
    func make(_ count: Int, _ more: String...) throws -> String {
      let made = try BuiltCandela.run(
        ["still", folder.path("src/a/a.mov"), "--into", folder.path("n"), "--count", "\(count)"]
          + ["--width", "32", "--existing", "skip"] + more)
      #expect(made.status == 0, "\(made.errors)")
      return made.errors
    }
    _ = try make(4)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("n/a-4.jpg")))
    // A changed file is somebody's work, so nothing is made again until the user replaces it.
    #expect(try make(2).contains("1 whose output was changed"))
    try FileManager.default.removeItem(atPath: folder.path("n/a-4.jpg"))
    #expect(try make(4).contains("1 done"))
    let listed = try make(2, "--orphans", "list")
    #expect(listed.contains("left over: \(folder.path("n/a-3.jpg")), which was made from"))
    #expect(try make(2).contains("1 done before"))
    #expect(names(in: "n") == ["a-1.jpg", "a-2.jpg", "a-3.jpg", "a-4.jpg"])
    #expect(try make(2, "--orphans", "remove").contains("removed: \(folder.path("n/a-4.jpg"))"))
    #expect(names(in: "n") == ["a-1.jpg", "a-2.jpg"])
    // If the first of several stills is gone, all are made again.
    try FileManager.default.removeItem(atPath: folder.path("n/a-1.jpg"))
    #expect(try make(2).contains("1 file: 1 done"))
    #expect(names(in: "n") == ["a-1.jpg", "a-2.jpg"])
  }

  /// After a run is killed between two stills, the same command completes them.
  @Test func killedStillsAreCompleted() throws {
    let clip = folder.path("long.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-c:v", "mpeg4", clip)
    let arguments = ["still", clip, "--into", folder.path("n"), "--every", "0.04s", "--existing"]
    let running = try Tool.start(BuiltCandela.path, arguments + ["skip"])
    running.wait { _ in names(in: "n").count > 3 }
    running.signal(SIGKILL)
    _ = running.wait()
    try #require(names(in: "n").count < 100, "the run ended too early to be killed")
    let again = try BuiltCandela.run(arguments + ["skip"])
    #expect(again.status == 0 && again.errors.contains("1 file: 1 done"), "\(again.errors)")
    #expect(names(in: "n").count == 100)
    #expect(try BuiltCandela.run(arguments + ["skip"]).errors.contains("1 done before"))
  }

  /// Of two runs at once, each leaves alone what the other makes, and neither fails.
  @Test func twoRunsMakeStills() throws {
    for name in ["c", "d", "e", "f"] {
      try FileManager.default.copyItem(
        atPath: folder.path("src/a/a.mov"), toPath: folder.path("src/\(name).mov"))
    }
    let runs = try ["1", "2"].map { jobs in
      try Tool.start(
        BuiltCandela.path,
        ["still", folder.path("src"), "--recursive", "--into", folder.path("n"), "--count", "3"]
          + ["--width", "64", "--existing", "skip", "--exclude", "torn*", "--jobs", jobs])
    }
    for outcome in runs.map({ $0.wait() }) {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("failed"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("has no record"), "\(outcome.errors)")
    }
    #expect(names(in: "n").count == 18)
  }

  @Test func timeCodesNameStills() throws {
    let source = folder.path("coded.mov")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-timecode", "10:00:00:00", source,
    ])
    func make(_ more: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(
        ["still", source, "--into", folder.path("t"), "--name", "{name}-{timecode}.{ext}"] + more)
    }
    #expect(try make("--time", "0.4").status == 0)
    #expect(names(in: "t") == ["coded-10-00-00-10.jpg"])
    let again = try make("--time", "0.4", "--existing", "skip")
    #expect(again.errors.contains("1 done before"), "\(again.errors)")
    #expect(try make("--count", "2").status == 0)
    #expect(try make("--count", "2").status == 73)
    let all = ["coded-10-00-00-06.jpg", "coded-10-00-00-10.jpg", "coded-10-00-00-18.jpg"]
    #expect(names(in: "t") == all)
    try FileManager.default.removeItem(atPath: folder.path("t/coded-10-00-00-18.jpg"))
    #expect(try make("--count", "2", "--existing", "skip").errors.contains("1 file: 1 done"))
    #expect(names(in: "t") == all)
    // Other commands do not accept {timecode} in the names of outputs, and some sources have no
    // time code.
    let other = try run(
      "retag", "--color", "709", "--into", folder.path("t"), "--name", "{name}{timecode}.{ext}")
    #expect(other.status == 64 && other.errors.contains("cannot contain {timecode}"))
    let none = try run("still", "--into", folder.path("u"), "--name", "{name}{timecode}.{ext}")
    #expect(none.status == 65 && none.errors.contains("it has no time code"), "\(none.errors)")
  }

  @Test func reportsInTheOrderOfNames() throws {
    let report = try run("inspect", "--json", "--jobs", "3").json()
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(
      files.compactMap { $0["input"] as? String }
        == ["a/a.mov", "b/b.mov", "torn.mov"].map {
          folder.path("src/\($0)")
        })
    let results = files.compactMap { $0["result"] as? [String: Any] }
    #expect(results.count == 3 && results.allSatisfy { $0["tracks"] != nil })
    let verdict = try run("validate", "--exclude", "b")
    #expect(verdict.status == 1, "torn.mov did not fail")
    #expect(verdict.text.contains("a/a.mov: HLG: conforms") && !verdict.text.contains("b.mov"))
  }

  /// Options for many files also work if a shell's pattern matches only one file.
  @Test(arguments: [
    "inspect", "validate", "metadata show", "rpu show", "retag --in-place --color 709",
  ])
  func oneFileIsLikeMany(command: String) throws {
    let clip = folder.path("src/a/a.mov")
    func run(_ options: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(command.split(separator: " ").map(String.init) + [clip] + options)
    }
    let bytes = try FileBytes.read(clip)
    let none = try run("--exclude", "a.*")
    #expect(none.status == 66 && none.errors.contains("--exclude"), "\(none.errors)")
    let wrong = try run("--jobs", "0")
    #expect(wrong.status == 64 && wrong.errors.contains("--jobs must be 1"), "\(wrong.errors)")
    #expect(try FileBytes.read(clip) == bytes)
    // From its second run on, `retag` finds the tags as they should be.
    _ = try run()
    let plain = try run()
    let more = try run("--exclude", "b.*", "--jobs", "4")
    #expect(more.status == plain.status && more.output == plain.output, "\(more.errors)")
  }

  @Test func twoFilesOfAComparisonAreOne() throws {
    let clip = folder.path("src/a/a.mov")
    for option in [["--jobs", "2"], ["--exclude", "b.*"], ["--recursive"]] {
      let refused = try BuiltCandela.run(["compare", clip, clip] + option)
      #expect(refused.status == 64, "\(refused.errors)")
      #expect(refused.errors.contains("\(option[0]) needs --with"), "\(refused.errors)")
    }
  }

  @Test func aFileThatIsNamedTwiceIsReadOnce() throws {
    let clip = folder.path("src/a/a.mov")
    let report = try BuiltCandela.run("inspect", clip, clip, folder.path("src/b/b.mov"), "--json")
    let files = try #require(report.json()["files"] as? [[String: Any]])
    #expect(report.status == 0 && files.count == 2 && report.errors.isEmpty, "\(report.errors)")
  }

  /// Each result is printed as soon as it is known. If the run is interrupted, what it has printed
  /// until then becomes a complete document.
  @Test func resultsDoNotWaitForTheEnd() throws {
    let (sources, outputs) = (folder.path("in"), folder.path("out"))
    for place in [sources, outputs] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: folder.path("src/a/a.mov"), toPath: "\(place)/a.mov")
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=320x240:d=20:r=50", "-c:v", "mpeg4", "\(place)/b.mov")
    }
    func interruptedRun() throws -> [String: Any] {
      let document = folder.path("document-\(UUID()).json")
      let running = try Tool.start(
        "sh",
        [
          "-c", #"out=$1; shift; exec "$0" "$@" > "$out""#, BuiltCandela.path, document,
          "compare", sources, "--recursive", "--with", outputs, "--json",
        ])
      running.wait { _ in
        (try? FileBytes.read(document).count) ?? 0 > 0
      }
      try #require(running.isRunning, "the run ended too early to be interrupted")
      running.signal(SIGTERM)
      #expect(running.wait().status == 130)
      let object = try JSONSerialization.jsonObject(with: Data(FileBytes.read(document)))
      let report = try #require(object as? [String: Any])
      let files = try #require(report["files"] as? [[String: Any]])
      #expect(files.first?["input"] as? String == "\(sources)/a.mov")
      return try #require(report["summary"] as? [String: Any])
    }
    var summary = try interruptedRun()
    // On a busy machine, work on the second file may not have begun yet.
    for _ in 0..<5 where summary["left"] as? Int == 1 { summary = try interruptedRun() }
    #expect(summary["interrupted"] as? [String] == ["\(sources)/b.mov"])
  }

  @Test func sourcesWithTheirOutputs() throws {
    let outputs = folder.path("out")
    let made = try run(
      "transcode", "--into", outputs, "--preset", "h264-sdr", "--speed", "ultrafast", "--exclude",
      "torn.mov")
    #expect(made.status == 0, "\(made.errors)")
    let all = try run("compare", "--with", outputs, "--exclude", "torn.mov")
    #expect(all.status == 0 && all.text.contains("\(outputs)/b/b.mp4"), "\(all.errors)")
    try FileManager.default.removeItem(atPath: "\(outputs)/b/b.mp4")
    let missing = try run("compare", "--with", outputs, "--exclude", "torn.mov")
    #expect(missing.status == 66 && missing.errors.contains("b.m"), "\(missing.errors)")
  }

  @Test func tagsOfFolders() throws {
    let tagged = try run("retag", "--into", folder.path("tagged"), "--content-light", "900,300")
    #expect(tagged.status == 65 && tagged.errors.contains("torn.mov"), "\(tagged.errors)")
    #expect(names(in: "tagged") == ["a/a.mov", "b/b.mov"])
    let changed = try run("retag", "--in-place", "--content-light", "900,300", "--exclude", "torn*")
    #expect(changed.status == 0, "\(changed.errors)")
    for path in ["src/a/a.mov", "tagged/b/b.mov"] {
      let facts = try BuiltCandela.run("inspect", folder.path(path))
      #expect(facts.output.contains("MaxCLL 900"), "\(facts.output)")
    }
  }

  /// Files of another dynamic range are left out, even when sources are compared with their
  /// outputs.
  @Test func onlyOneDynamicRange() throws {
    let sdr = folder.path("src/sdr.mp4")
    let made = try BuiltCandela.run(
      "transcode", folder.path("src/a/a.mov"), sdr, "--preset", "h264-sdr", "--speed", "ultrafast")
    #expect(made.status == 0, "\(made.errors)")
    let converted = try run(
      "metadata convert", "--into", folder.path("out"), "--light", "measure", "--only", "hdr",
      "--exclude", "torn*")
    #expect(converted.status == 0, "\(converted.errors)")
    #expect(names(in: "out") == ["a/a.mov", "b/b.mov"])
    let compared = try run("compare", "--with", folder.path("out"), "--exclude", "torn*")
    #expect(compared.status == 0 && !compared.text.contains("sdr.mp4"), "\(compared.errors)")
    let tagged = try BuiltCandela.run(
      "retag", "--in-place", sdr, "--only", "hdr", "--color", "hlg")
    #expect(tagged.status == 0, "\(tagged.errors)")
    #expect(try BuiltCandela.run("inspect", sdr).output.contains("SDR"))
  }

  /// Nothing outside of the folder is changed through a link.
  @Test func linksAreNotChanged() throws {
    let outside = folder.path("outside.mov")
    try FileManager.default.moveItem(atPath: folder.path("src/b/b.mov"), toPath: outside)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("src/b/b.mov"), withDestinationPath: outside)
    let before = try FileBytes.read(outside)
    let changed = try run(
      "retag", "--in-place", "--range", "full", "--exclude", "torn*", "--jobs", "2")
    #expect(changed.status == 0 && changed.errors.contains("1 file: 1 done"), "\(changed.errors)")
    let isSame = try FileBytes.read(outside) == before
    #expect(isSame)
  }

  /// A placeholder in an output's name, such as `%d`, is ordinary text in a source's name.
  @Test(arguments: ["x %d", "x %03d", "x {timecode}"], [[], ["--count", "2"]])
  func oddNames(name: String, options: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("odd"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: folder.path("src/a/a.mov"), toPath: folder.path("odd/\(name).mov"))
    for words in ["1 file: 1 done", "1 done before"] {
      let made = try BuiltCandela.run(
        [
          "still", folder.path("odd"), "--recursive", "--into", folder.path("stills"), "--existing",
          "skip",
        ] + options)
      #expect(made.status == 0 && made.errors.contains(words), "\(made.errors)")
    }
    #expect(names(in: "stills").count == (options.isEmpty ? 1 : 2))
  }

  /// A notice that several files have in common is printed only once.
  @Test func commonNotices() throws {
    let made = try run(
      "metadata convert", "--into", folder.path("dv"), "--dolby-vision", "8.4", "--exclude", "torn*"
    )
    #expect(made.status == 0, "\(made.errors)")
    let lines = made.errors.split(separator: "\n").filter { $0.contains("314 lux") }
    #expect(lines.count == 1 && lines[0].contains("note about 2 files"), "\(made.errors)")
  }

  @Test func timeCodesInNames() throws {
    let clip = folder.path("tc.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=d=2:r=25:s=64x64", "-timecode", "10:00:01:00", "-c:v",
      "libx264", clip)
    let made = try BuiltCandela.run(
      "still", clip, folder.path("tc/{timecode}.png"), "--time", "1.2")
    #expect(made.status == 73, "the missing folder was not an error")
    try FileManager.default.createDirectory(
      atPath: folder.path("tc"), withIntermediateDirectories: true)
    for time in ["0", "1.2"] {
      let made = try BuiltCandela.run(
        "still", clip, folder.path("tc/{timecode}.png"), "--time", time)
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(names(in: "tc") == ["10-00-01-00.png", "10-00-02-05.png"])
    let without = try BuiltCandela.run(
      "still", folder.path("src/a/a.mov"), folder.path("{timecode}.png"))
    #expect(without.status == 65 && without.errors.contains("no time code"))
  }
}
