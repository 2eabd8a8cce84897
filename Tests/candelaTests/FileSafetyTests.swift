// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Without `--in-place`, no command writes its output over a file that it reads, even if the file
/// goes by another name. Other existing files are replaced only with permission. Unfinished files
/// do not stay behind.
@Suite struct FileSafetyTests {
  private let folder: TemporaryFolder
  private let sample: String
  private let before: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
    before = try FileBytes.read(sample)
  }

  private func expect(
    _ status: Int32, _ arguments: [String], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try BuiltCandela.run(arguments)
    #expect(
      outcome.status == status, "\(arguments): \(outcome.errors)", sourceLocation: location)
    #expect(try FileBytes.read(sample) == before, sourceLocation: location)
    #expect(!folder.names.contains { $0.hasPrefix(".candela") }, sourceLocation: location)
  }

  /// Returns other names of the sample: a symbolic link, a hard link and another path.
  private func otherNames() throws -> [String] {
    let manager = FileManager.default
    let (link, hard) = (folder.path("link.mov"), folder.path("hard.mov"))
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "sample.mov")
    try manager.linkItem(atPath: sample, toPath: hard)
    return [link, hard, folder.path("") + "/./sample.mov"]
  }

  @Test func reportsNeverReplaceWhatTheRunReadsOrWrites() throws {
    let output = folder.path("out.mov")
    let preset = folder.path("own.json")
    let shipped = try BuiltCandela.run("presets", "show", "hevc-hlg").output
    try folder.write(shipped, to: "own.json")
    for report in try otherNames() + [sample, output, folder.path("./out.mov"), preset] {
      try expect(
        64, ["transcode", sample, output, "--preset", preset, "--overwrite", "--report", report])
      #expect(!folder.names.contains("out.mov"))
    }
    #expect(try String(contentsOfFile: preset, encoding: .utf8) == shipped)
  }

  @Test func reportsNeedPermissionToReplaceAFile() throws {
    let kept = try folder.write("precious", to: "kept.txt")
    let arguments = ["transcode", sample, folder.path("out.mov"), "--report", kept]
    try expect(73, arguments)
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "precious")
    try expect(0, arguments + ["--overwrite"])
    let report = try JSONSerialization.jsonObject(with: Data(FileBytes.read(kept)))
    #expect((report as? [String: Any])?["frameCount"] as? Int == 15)
  }

  @Test func reportsAreWrittenToDevicesAndPipes() throws {
    let outcome = try BuiltCandela.run(
      "transcode", sample, folder.path("a.mov"), "--report", "/dev/stdout")
    #expect(outcome.status == 0)
    #expect(try outcome.json()["frameCount"] as? Int == 15)
    try expect(74, ["transcode", sample, folder.path("b.mov"), "--report", "/dev/full"])
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    // Nobody reads the pipe yet.
    try expect(73, ["transcode", sample, folder.path("c.mov"), "--report", pipe])
    let reader = try Tool.start("cat", [pipe])
    // The reader has to open the pipe first.
    reader.waitUntilAsleep()
    try expect(0, ["transcode", sample, folder.path("c.mov"), "--report", pipe])
    #expect(try reader.wait().json()["frameCount"] as? Int == 15)
    var status = stat()
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func outputsNeverReplaceTheInput() throws {
    for output in try otherNames() + [sample] {
      try expect(64, ["transcode", sample, output, "--overwrite"])
      try expect(64, ["transcode", output, sample, "--overwrite"])
      try expect(64, ["rpu", "extract", sample, output, "--overwrite"])
      try expect(64, ["rpu", "plot", sample, output, "--overwrite"])
      try expect(64, ["rpu", "inject", sample, sample, output, "--overwrite"])
    }
  }

  @Test func rpusAreNotReplacedByTheMovieThatTheyAreFor() throws {
    let movie = folder.path("dolby.mov")
    try expect(0, ["transcode", sample, movie, "--preset", "hevc-hlg"])
    let rpus = folder.path("rpu.mov")
    try expect(0, ["rpu", "extract", movie, rpus])
    let bytes = try FileBytes.read(rpus)
    try expect(64, ["rpu", "inject", movie, rpus, rpus, "--overwrite"])
    try expect(64, ["rpu", "inject", movie, rpus, movie, "--overwrite"])
    #expect(try FileBytes.read(rpus) == bytes)
    try expect(64, ["rpu", "plot", movie, folder.path("plot.jpg")])
    #expect(!folder.names.contains("plot.jpg"))
  }

  @Test func aPresetAndAnOverlayAreNotReplaced() throws {
    let png = folder.path("overlay.png")
    try Tool.ffmpeg("-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1", png)
    let bytes = try FileBytes.read(png)
    let link = folder.path("logo.mov")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "overlay.png")
    let overlay = "video.composition={\"overlay\":{\"file\":\"\(png)\",\"x\":0,\"y\":0}}"
    try expect(64, ["transcode", sample, link, "--overwrite", "--set", overlay])
    #expect(try FileBytes.read(png) == bytes)
  }

  @Test func nothingIsLeftOfAProgramThatWasKilled() throws {
    let running = try Tool.start(
      BuiltCandela.path,
      ["sample", folder.path("long.mov"), "--size", "1920x1080", "--seconds", "600"])
    running.wait(untilItWritesInto: folder)
    running.signal(SIGKILL)
    _ = running.wait()
    #expect(folder.names == ["sample.mov"])
  }

  /// Leftovers are removed, but files in use are not. An unfinished file that has to have a name is
  /// locked while a process writes it.
  @Test func leftoversAreRemovedAndFilesInUseAreNot() throws {
    let stale = try folder.write("left", to: ".candela-1t3z8go.unfinished")
    let used = try folder.write("used", to: ".candela-2t3z8go.unfinished")
    let other = try folder.write("other", to: ".candela-notes")
    let descriptor = open(used, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try BuiltCandela.run("transcode", sample, folder.path("out.mov")).status == 0)
    let manager = FileManager.default
    #expect(!manager.fileExists(atPath: stale))
    #expect(manager.fileExists(atPath: used))
    #expect(manager.fileExists(atPath: other))
  }

  @Test func outputThatCannotBeWrittenIsAnError() throws {
    let commands = [
      "inspect --json \"$1\"", "validate --json \"$1\"", "plan --json \"$1\"", "--help",
      "--version", "transcode --help", "help cut",
    ]
    for command in commands.shortened(to: 4) {
      let outcome = try Tool.run(
        "sh", ["-c", "\"$0\" \(command) > /dev/full", BuiltCandela.path, sample])
      #expect(outcome.status == 74, "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("No space left"), "\(outcome.errors)")
    }
    // It is not an error if the reader stops early.
    let short = try Tool.run(
      "bash",
      ["-c", "\"$0\" inspect \"$1\" | true; echo ${PIPESTATUS[0]}", BuiltCandela.path, sample])
    #expect(short.text == "0")
  }

  @Test func namesDoNotSteerTheTerminal() throws {
    let name = folder.path("red\u{1B}[31m\u{9B}5m\u{202E}name.mov")
    try FileManager.default.copyItem(atPath: sample, toPath: name)
    for arguments in [["inspect", name], ["inspect", "--json", name], ["inspect", name + "x"]] {
      let outcome = try BuiltCandela.run(arguments)
      let text = outcome.output + outcome.errors
      #expect(text.contains("red\\u001b[31m"), "\(text)")
      #expect(!text.unicodeScalars.contains { [0x1B, 0x9B, 0x202E].contains($0.value) })
    }
  }

  /// If standard streams are closed, a file that the program opens can get the descriptor number of
  /// one of them. Nothing that the program prints ends up in that file.
  @Test func closedStreamsAreNoFiles() throws {
    for (command, status) in [
      ("transcode sample.mov a.mov --progress none <&- >&- 2>&-", 0),
      ("transcode sample.mov b.mov --report /dev/stdout >&-", 73), ("inspect sample.mov >&-", 74),
    ] {
      let outcome = try Tool.run(
        "bash", ["-c", "cd \"$1\"; exec \"$0\" \(command)", BuiltCandela.path, folder.path(".")])
      #expect(outcome.status == Int32(status), "\(command): \(outcome.errors)")
    }
    #expect(folder.names == ["a.mov", "sample.mov"])
    #expect(try BuiltCandela.run("validate", folder.path("a.mov")).status == 0)
    #expect(try FileBytes.read(sample) == before)
  }

  /// Some programs start others with a nonblocking pipe as output. If the pipe is full, Candela
  /// waits until it can write again.
  @Test func aSlowReaderIsWaitedFor() throws {
    let script = """
      import fcntl, os, subprocess, sys, time
      reading, writing = os.pipe()
      flags = fcntl.fcntl(writing, fcntl.F_GETFL)
      fcntl.fcntl(writing, fcntl.F_SETFL, flags | os.O_NONBLOCK)
      os.write(writing, b" " * 65536)
      run = subprocess.Popen(sys.argv[1:], stdout=writing)
      os.close(writing)
      time.sleep(1)
      print(len(os.fdopen(reading, "rb").read()) > 65536 + 500, run.wait())
      """
    let outcome = try Tool.run(
      "python3", ["-c", script, BuiltCandela.path, "inspect", "--json", sample])
    #expect(outcome.text == "True 0", "\(outcome.errors)")
  }

  /// To the system, a file's name is bytes. Files whose names are not UTF-8 can be read and
  /// written.
  @Test func namesNeedNotBeUTF8() throws {
    let script = """
      cd "$1" && name=$(printf 'a\\377\\200\\303\\266\\356\\276\\200.mov') &&
      cp sample.mov "$name" && "$0" inspect "$name" &&
      "$0" transcode "$name" "$(printf 'out\\376.mov')" --report "$(printf 'report\\376.json')" &&
      "$0" presets show hevc-sdr > "$(printf 'own\\375.json')" &&
      "$0" presets validate "$(printf 'own\\375.json')" >&2 &&
      "$0" retag --in-place "$name" --color 709 &&
      ls -b | tr '\\n' ' ' >&2
      "$0" inspect "$(printf 'none\\377.mov')"
      """
    let outcome = try Tool.run("bash", ["-c", script, BuiltCandela.path, folder.path(".")])
    #expect(outcome.status == 66, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("a\\uefff\\uef80ö"), "\(outcome.output)")
    for name in ["out\\376.mov", "report\\376.json"] { #expect(outcome.errors.contains(name)) }
  }

  /// A file that replaces another keeps its extended attributes, even if the file or an attribute
  /// has a name that is not UTF-8.
  @Test func attributesAreKept() throws {
    let script = """
      import os, subprocess, sys
      os.chdir(sys.argv[2])
      name = b"a\\xff.mov"
      os.rename("sample.mov", name)
      os.setxattr(name, "user.text", b"a note")
      os.setxattr(name, "user.empty", b"")
      os.setxattr(name, b"user.\\xfe", bytes(range(256)))
      command = [sys.argv[1], "retag", "--in-place", name, "--color", "709", "-q"]
      run = subprocess.run(command, capture_output=True)
      print(run.returncode, run.stderr, {x: len(os.getxattr(name, x)) for x in os.listxattr(name)})
      """
    let outcome = try Tool.run("python3", ["-c", script, BuiltCandela.path, folder.path(".")])
    for words in ["0 b''", "'user.text': 6", "'user.empty': 0", ": 256"] {
      #expect(outcome.output.contains(words), "\(outcome.output) \(outcome.errors)")
    }
  }
}

/// If an output cannot fit on the disk, the program says so before the work begins.
@Suite struct FreeSpaceTests {
  /// A fragmented movie of 106 kB claims to last 40 hours. An output of that length would take a
  /// terabyte, but `plan` does not refuse the movie.
  @Test(.needsSharedMedia) func aFalseDurationIsNoReasonToRefuse() throws {
    let folder = try TemporaryFolder()
    let outcome = try BuiltCandela.run(
      "plan", SharedMedia.path("sdr/androidx__sample_fragmented.mp4"), folder.path("out.mov"),
      "--set", "video.compressionProperties.lossless=true", "--json")
    #expect(outcome.status == 0)
    #expect(try !outcome.notices().codes.contains("doesNotFit"), "\(outcome.output)")
  }

  /// Whether a small disk can be made. In a sandbox, even the superuser might not be allowed to.
  private static let canMount: Bool = {
    guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
    let isMounted = try? mount(folder.path("."))
    if isMounted == true { _ = try? Tool.run("umount", [folder.path(".")]) }
    return isMounted == true
  }()

  private static func mount(_ place: String) throws -> Bool {
    try Tool.run("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", place]).status == 0
  }

  @Test(.enabled(if: canMount, "only the superuser can make a small disk"))
  func whatDoesNotFitIsSaidBefore() throws {
    let folder = try TemporaryFolder()
    let sample = folder.path("sample.mov")
    _ = try BuiltCandela.run("sample", sample, "--size", "320x180", "--seconds", "1")
    let disk = folder.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try #require(try Self.mount(disk))
    defer { _ = try? Tool.run("umount", [disk]) }
    let output = disk + "/out.mov"
    for arguments in [
      ["transcode", sample, output, "--preset", "h264-sdr"],
      ["retag", sample, output, "--color", "pq"],
    ] {
      let outcome = try BuiltCandela.run(arguments)
      #expect(outcome.status == 74)
      #expect(outcome.errors.contains("does not fit on its disk"), "\(outcome.errors)")
      let forced = try BuiltCandela.run(arguments + ["--force"])
      #expect(forced.status == 74)
      #expect(forced.errors.contains("No space left"), "\(forced.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk).isEmpty)
    }
    // The folder for many outputs is missing until the run creates it.
    let many = [sample, "--into", disk + "/new", "--preset", "h264-sdr"]
    #expect(try BuiltCandela.run(["transcode", "--dry-run", "--force"] + many).status == 0)
    for command in [["plan"], ["transcode", "--dry-run"], ["transcode"]] {
      let outcome = try BuiltCandela.run(command + many)
      let text = outcome.output + outcome.errors
      #expect(outcome.status == 74, "\(command): \(text)")
      #expect(text.contains("new/sample.mp4 does not fit on its disk"), "\(command): \(text)")
    }
  }
}
