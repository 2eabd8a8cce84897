// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// With `--progress json`, each line of standard error is a JSON object, whatever happens.
@Suite struct JSONMessagesTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  private func events(_ outcome: Tool.Outcome) throws -> [[String: Any]] {
    try outcome.errors.split(separator: "\n").map { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any], "\(line)")
    }
  }

  @Test(
    arguments: [
      ("transcode IN --into OUT --name x", 64),
      ("transcode IN OUT.mp4 -p nosuch", 64), ("transcode IN OUT.mp4 --set nosuch=1", 64),
      ("transcode IN", 64), ("transcode IN OUT.mp4 --nosuch", 64), ("transcode IN OUT.txt", 64),
      ("transcode nosuch.mov OUT.mp4", 66), ("transcode IN --into OUT --jobs 0", 64),
      ("cut IN OUT.mov", 64), ("cut nosuch.mov OUT.mov --to 1", 66), ("nosuch IN", 64),
      ("inspect IN", 64),
    ].shortened(to: 5))
  func errorsAreEvents(words: String, status: Int) throws {
    let arguments = words.split(separator: " ").map {
      $0.replacingOccurrences(of: "IN", with: sample)
        .replacingOccurrences(of: "OUT", with: folder.path("out"))
    }
    let outcome = try BuiltCandela.run(arguments + ["--progress", "json"])
    #expect(outcome.status == Int32(status), "\(words): \(outcome.errors)")
    let events = try events(outcome)
    let failure = events.first?["failed"] as? [String: Any]
    #expect(events.count == 1 && failure?["status"] as? Int == status, "\(outcome.errors)")
    let message = try #require(failure?["message"] as? String)
    #expect(!message.isEmpty && !message.hasPrefix("candela: "))
  }

  /// Both `--progress json` and `--progress=json` are recognized, even if other arguments are
  /// wrong. If the option appears several times, the last one counts.
  @Test(arguments: ["nosuch.mov", "--nosuch"]) func theLastStyleCounts(wrong: String) throws {
    let command = ["transcode", wrong, folder.path("a.mp4")]
    let json = try BuiltCandela.run(command + ["--progress", "none", "--progress=json"])
    #expect(try events(json).first?["failed"] != nil)
    let prose = try BuiltCandela.run(command + ["--progress", "json", "--progress", "none"])
    #expect(prose.errors.hasPrefix("candela: ") && prose.errors.contains(wrong))
  }

  @Test func factsForThoseWhoWantToKnowAllAreEvents() throws {
    for arguments in [
      ["transcode", sample, folder.path("a.mp4"), "--compare", "--speed", "ultrafast"],
      ["transcode", sample, folder.path("b.mp4"), "--workers", "2", "--speed", "ultrafast"],
      ["cut", sample, folder.path("c.mov"), "--to", "0.2"],
    ] {
      let outcome = try BuiltCandela.run(arguments + ["--progress", "json", "--verbose"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let events = try events(outcome)
      #expect(events.contains { $0["message"] is String }, "\(outcome.errors)")
      #expect(events.contains { $0["done"] != nil })
    }
  }

  @Test func interruptionsAreEvents() throws {
    let preset = folder.path("pipe.json")
    #expect(mkfifo(preset, 0o600) == 0)
    let running = try Tool.start(
      BuiltCandela.path,
      ["transcode", sample, folder.path("out.mov"), "--preset", preset, "--progress", "json"])
    running.waitUntilAsleep()
    running.signal(SIGTERM)
    let outcome = running.wait()
    #expect(outcome.status == 130)
    let failure = try events(outcome).first?["failed"] as? [String: Any]
    #expect(failure?["status"] as? Int == 130, "\(outcome.errors)")
  }

  /// A line break in a file's name does not start a new line of the message.
  @Test func namesMakeNoLines() throws {
    let outcome = try BuiltCandela.run(
      "transcode", "no\ncandela: 40 files: 40 done.mov", folder.path("a.mp4"))
    #expect(outcome.errors.hasPrefix("candela: no\\u000acandela: 40 files"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func successIsALine() throws {
    let (movie, rpus) = (folder.path("d.mov"), folder.path("rpu.bin"))
    let made = try BuiltCandela.run("transcode", sample, movie, "--speed", "ultrafast")
    try #require(made.status == 0, "\(made.errors)")
    for options in [[], ["--quiet"]] {
      for arguments in [
        ["sample", folder.path("s.mov"), "--size", "128x96", "--seconds", "0.2"],
        ["rpu", "extract", movie, rpus], ["rpu", "inject", movie, rpus, folder.path("i.mov")],
        ["rpu", "plot", rpus, folder.path("p.png")],
      ] {
        let outcome = try BuiltCandela.run(arguments + ["-y"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("B\n") == options.isEmpty, "\(outcome.errors)")
      }
    }
  }
}
