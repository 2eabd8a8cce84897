// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `candela transcode FILE… --into FOLDER` transcodes many files with one command.
@Suite struct BatchTests {
  private let folder: TemporaryFolder
  private let clips: String

  init() throws {
    folder = try TemporaryFolder()
    clips = folder.path("clips")
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(clips)/a/b", withIntermediateDirectories: true)
    let sample = "\(clips)/one.mov"
    let made = try BuiltCandela.run(
      "sample", sample, "--seconds", "0.2", "--size", "320x180")
    try #require(made.status == 0, "\(made.errors)")
    for name in ["a/two.mov", "a/b/three.MOV"] {
      try manager.copyItem(atPath: sample, toPath: "\(clips)/\(name)")
    }
    try Data("no video".utf8).write(to: URL(fileURLWithPath: "\(clips)/a/damaged.mp4"))
    try Data("a letter".utf8).write(to: URL(fileURLWithPath: "\(clips)/notes.txt"))
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      ["transcode"] + arguments + ["--preset", "hevc-sdr", "--set", "speed=ultrafast"])
  }

  private func outputs(in place: String) -> [String] {
    (FileManager.default.subpaths(atPath: place) ?? []).filter { $0.contains(".m") }.sorted()
  }

  @Test func foldersKeepTheirShapeAndDamagedFilesAreTold() throws {
    let out = "\(clips)/out"
    let first = try run(clips, "--recursive", "--into", out, "--name", "{name}.sdr.mp4")
    #expect(first.status == 65, "\(first.errors)")
    let names = ["a/b/three.sdr.mp4", "a/two.sdr.mp4", "one.sdr.mp4"]
    #expect(outputs(in: out) == names)
    let last = try #require(first.errors.split(separator: "\n").last)
    #expect(
      last == "candela: 4 files: 3 done, 1 failed: \(clips)/a/damaged.mp4 (65)", "\(first.errors)")
    #expect(first.errors.contains("\(out)/a/two.sdr.mp4: "))

    // In another run, outputs that exist are neither made anew nor taken for sources.
    try FileManager.default.removeItem(atPath: "\(out)/a/two.sdr.mp4")
    let again = try run(
      clips, "--recursive", "--into", out, "--name", "{name}.sdr.mp4", "--existing", "skip",
      "--jobs", "2")
    #expect(again.errors.contains("4 files: 1 done, 2 done before, 1 failed"), "\(again.errors)")
    #expect(outputs(in: out) == names)
    let refused = try run("\(clips)/one.mov", "--into", out, "--name", "{name}.sdr.mp4")
    #expect(refused.status == 73 && refused.errors.contains("1 failed"), "\(refused.errors)")
  }

  /// If a file was done with losses in an earlier run, the next run names it again, with its
  /// status. So a run that was interrupted and continued ends like one that was not.
  @Test func lossesAreNotForgotten() throws {
    let input = "\(clips)/long.mov"
    _ = try BuiltCandela.run("sample", input, "--seconds", "2", "--size", "320x180")
    var bytes = try FileBytes.read(input)
    for index in bytes.count / 3..<bytes.count / 3 + 4000 { bytes[index] = 0x55 }
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let command = [input, "\(clips)/one.mov", "--into", folder.path("out"), "--existing", "skip"]
    for words in [
      "2 files: 2 done, 1 of them with losses: \(input) (2)",
      "2 files: 0 done, 2 done before, 1 of them with losses: \(input) (2)",
    ] {
      let outcome = try BuiltCandela.run(
        ["transcode"] + command + ["-p", "hevc-sdr", "--speed", "ultrafast", "-q"])
      #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  /// An output is skipped only if the same settings made it from the same state of the source.
  /// Otherwise it is made anew, but a file that somebody else put there stays.
  @Test func whatOtherSettingsMadeIsNotSkipped() throws {
    let out = folder.path("out")
    let two = ["\(clips)/one.mov", "\(clips)/a/two.mov", "--into", out, "--existing", "skip"]
    func summary(_ more: String...) throws -> String {
      let outcome = try BuiltCandela.run(
        ["transcode"] + two + more
          + ["--preset", "hevc-sdr", "--speed", "ultrafast", "--set", "video.width=160"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
    }
    #expect(try summary() == "candela: 2 files: 2 done")
    #expect(try summary() == "candela: 2 files: 0 done, 2 done before")
    #expect(try summary("--crf", "40") == "candela: 2 files: 2 done")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000)],
      ofItemAtPath: "\(clips)/one.mov")
    #expect(try summary("--crf", "40") == "candela: 2 files: 1 done, 1 done before")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(out)/one.mov"))
    let last = try summary("--crf", "40", "--jobs", "2")
    #expect(
      last == "candela: 2 files: 0 done, 1 done before, 1 whose output was changed after it "
        + "was made (--existing replace remakes it): \(out)/one.mov")
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(out)/one.mov")) == Data("mine".utf8))
  }

  @Test func outputsBesideTheirSourcesAreNoSources() throws {
    let arguments = ["--into", clips, "--name", "{name}.sdr.mp4", "--existing", "replace"]
    for _ in 0..<2 {
      let outcome = try BuiltCandela.run(
        ["transcode", clips, "--recursive", "--set", "speed=ultrafast", "--set", "video.width=160"]
          + arguments)
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("4 files: 3 done"), "\(outcome.errors)")
    }
  }

  @Test func mistakesAreToldBeforeTheWork() throws {
    let out = folder.path("out")
    let twice = try run("\(clips)/one.mov", "\(clips)/../clips/one.mov", "--into", out)
    #expect(twice.status == 64 && twice.errors.contains("would both become"), "\(twice.errors)")
    let place = try run(clips, "--into", out)
    #expect(place.status == 64 && place.errors.contains("--recursive"), "\(place.errors)")
    let own = try run("\(clips)/one.mov", "--into", clips)
    #expect(own.status == 64 && own.errors.contains("would be replaced"), "\(own.errors)")
    let three = try run("a.mov", "b.mov", "c.mov")
    #expect(three.status == 64 && three.errors.contains("--into"), "\(three.errors)")
    #expect(three.errors.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: out))
  }

  @Test func programsReadEvents() throws {
    let date = Date(timeIntervalSince1970: 1_500_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: "\(clips)/one.mov")
    let outcome = try run(
      "\(clips)/one.mov", "\(clips)/a/damaged.mp4", "--preserve-times", "--into",
      folder.path("out"), "--progress", "json")
    let events = try outcome.errors.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let failure = try #require(events.compactMap { $0["failed"] as? [String: Any] }.first)
    #expect(failure["status"] as? Int == 65)
    let summary = try #require(events.last?["summary"] as? [String: Any])
    let made = try FileManager.default.attributesOfItem(atPath: folder.path("out/one.mov"))
    #expect(made[.modificationDate] as? Date == date)
    #expect(summary["files"] as? Int == 2 && summary["made"] as? Int == 1)
    let progress = events.filter { $0["fraction"] != nil }.last
    #expect(progress?["files"] as? Int == 2 && progress?["filesDone"] as? Int == 2)
  }

  /// Long files are encoded in segments, even if several files are encoded at the same time. An
  /// interruption then costs only a part of the work.
  @Test func longFilesGoOnWhereTheyWereInterrupted() throws {
    let (long, out) = (folder.path("long.mp4"), folder.path("out"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=8:duration=64", "-c:v", "libx264",
      "-preset", "ultrafast", "-g", "40", "-pix_fmt", "yuv420p", long)
    let arguments = [
      "transcode", long, "\(clips)/one.mov", "--into", out, "--preset", "hevc-sdr", "--jobs", "2",
      "--existing", "skip", "--verbose", "--set", "maxKeyFrameInterval=60",
    ]
    let running = try Tool.start(BuiltCandela.path, arguments)
    running.wait { _ in
      let job = try? FileManager.default.contentsOfDirectory(atPath: "\(out)/.long.mp4.candela-job")
      return job?.contains { $0.hasSuffix(".segment") } ?? false
    }
    running.signal(SIGINT)
    let interrupted = running.wait()
    try #require(interrupted.status == 130, "\(interrupted)")
    #expect(interrupted.errors.contains("stay in \(out)/.long.mp4.candela-job"))
    let resumed = try BuiltCandela.run(arguments)
    #expect(resumed.status == 0 && resumed.errors.contains("1 of them done before"), "\(resumed)")
    #expect(outputs(in: out) == ["long.mp4", "one.mov"])
  }
}
