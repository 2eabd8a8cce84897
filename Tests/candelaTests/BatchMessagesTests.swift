// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// With many files, every message says which file it is about, whatever becomes of that file.
@Suite struct BatchMessagesTests {
  private let folder: TemporaryFolder
  private let clips: String

  init() throws {
    folder = try TemporaryFolder()
    clips = folder.path("clips")
    try FileManager.default.createDirectory(
      atPath: "\(clips)/closed", withIntermediateDirectories: true)
    let sample = try BuiltCandela.sample(in: folder)
    for name in ["a.mov", "b.mov", "c.mov"] {
      try FileManager.default.copyItem(atPath: sample, toPath: "\(clips)/\(name)")
    }
    // Frames in the middle are damaged.
    var bytes = try FileBytes.read("\(clips)/b.mov")
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 1500, with: repeatElement(0, count: 1500))
    try folder.write(bytes, to: "clips/b.mov")
  }

  private func arguments(_ more: String...) -> [String] {
    ["transcode", clips, "--recursive", "--into", folder.path("out"), "--speed", "ultrafast"]
      + more
  }

  private func events(_ outcome: Tool.Outcome) throws -> [[String: Any]] {
    try outcome.errors.split(separator: "\n").map { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any], "\(line)")
    }
  }

  @Test func concealmentNamesItsFile() throws {
    let outcome = try BuiltCandela.run(arguments("--jobs", "2"))
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("candela: \(clips)/b.mov: done, but "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("candela: done, but"))
    #expect(!outcome.errors.contains("candela: note: "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("candela: warning: "), "\(outcome.errors)")
    let summary = "candela: 3 files: 3 done, 1 of them with losses: \(clips)/b.mov (2)\n"
    #expect(outcome.errors.hasSuffix(summary), "\(outcome.errors)")
    let quiet = try BuiltCandela.run(arguments("-y", "-q"))
    #expect(quiet.status == 2 && quiet.errors == summary, "\(quiet.errors)")
    // A run that has nothing left to do ends with the same status, and so does its plan.
    for option in ["-q", "--dry-run"] {
      #expect(try BuiltCandela.run(arguments("--existing", "skip", option)).status == 2)
    }
  }

  @Test func eventsNameTheirFiles() throws {
    let outcome = try BuiltCandela.run(arguments("--progress", "json", "--verbose"))
    let events = try events(outcome)
    for event in events where event["fraction"] == nil && event["summary"] == nil {
      #expect(event["input"] is String, "\(event)")
    }
    let warned = events.first { ($0["warning"] as? String)?.hasPrefix("done, but") == true }
    #expect(warned?["input"] as? String == "\(clips)/b.mov")
    let summary = try #require(events.last?["summary"] as? [String: Any])
    let lossy = try #require(summary["withLosses"] as? [[String: Any]])
    #expect(lossy.map { $0["input"] as? String } == ["\(clips)/b.mov"])
    #expect(lossy.first?["status"] as? Int == 2)
  }

  /// If memory has no room for two files, one waits until the other is done.
  @Test func memoryBoundsJobs() throws {
    func order(_ options: String...) throws -> [(String, Bool)] {
      let outcome = try BuiltCandela.run(
        arguments("-y", "--jobs", "3", "--progress", "json", "--verbose") + options)
      #expect(outcome.status == 2, "\(outcome.errors)")
      // The encoder of a waiting file is not open yet.
      return try events(outcome).compactMap { event in
        let message = event["message"] as? String ?? ""
        guard message.contains(" uses: ") || event["done"] != nil else { return nil }
        return (event["input"] as? String).map { ($0, event["done"] != nil) }
      }
    }
    let told = try order("--memory", "1M")
    try #require(told.contains { !$0.1 })
    var running: Set<String> = []
    for (input, isDone) in told {
      if isDone { running.remove(input) } else { running.insert(input) }
      #expect(running.count <= 1, "\(told)")
    }
    #expect(try order("--memory", "4T").filter(\.1).count == 3)
  }

  @Test func whatCannotBeReadIsAFailureBesideTheOthers() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: "\(clips)/gone.mov", withDestinationPath: "nowhere")
    try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(clips)/closed")
    defer {
      try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(clips)/closed")
    }
    // Root can read everything unless it loses these capabilities.
    let bounded = ["--bounding-set", "-dac_override,-dac_read_search"]
    let outcome =
      geteuid() == 0
      ? try Tool.run("setpriv", bounded + [BuiltCandela.path] + arguments())
      : try BuiltCandela.run(arguments())
    #expect(outcome.status == 66, "\(outcome.errors)")
    for words in [
      "candela: \(clips)/closed cannot be read: Permission denied\n",
      "candela: \(clips)/gone.mov is a broken symbolic link\n", "candela: 5 files: 3 done, ",
      "2 failed: \(clips)/closed (66), \(clips)/gone.mov (66)\n",
    ] {
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test(arguments: ["json", "none"])
  func interruptedFilesAreNamed(progress: String) throws {
    let long = folder.path("clips/closed/long.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=30", "-c:v", "mpeg4", long)
    try FileManager.default.removeItem(atPath: "\(clips)/b.mov")
    let running = try Tool.start(
      BuiltCandela.path,
      [
        "transcode", long, "\(clips)/a.mov", "\(clips)/c.mov", "--into", folder.path("out"),
        "--progress", progress, "--preset", "hevc-sdr",
      ])
    running.wait(untilItWritesInto: folder)
    running.signal(SIGINT)
    let outcome = running.wait()
    #expect(outcome.status == 130, "\(outcome.errors)")
    if progress == "json" {
      let events = try events(outcome)
      let summary = events.compactMap { $0["summary"] as? [String: Any] }
      #expect(summary.map { $0["interrupted"] as? [String] } == [[long]], "\(outcome.errors)")
      #expect(summary.first?["left"] as? Int == 2)
      #expect((events.last?["failed"] as? [String: Any])?["status"] as? Int == 130)
    } else {
      let summary = "candela: 3 files: 0 done, 1 interrupted: \(long), 2 not begun\n"
      #expect(outcome.errors.contains(summary), "\(outcome.errors)")
      #expect(!outcome.errors.contains("failed"), "\(outcome.errors)")
    }
  }
}
