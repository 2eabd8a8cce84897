// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// No report, plot, output or job of a command replaces a file that the command needs.
@Suite struct RunFilesTests {
  private let folder: TemporaryFolder
  private let sample: String
  private let output: String
  private let other: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
    (output, other) = (folder.path("out.mov"), folder.path("other.mov"))
  }

  /// Checks that a command is refused.
  ///
  /// - Parameter paths: the files that the command must leave as they are.
  private func refused(
    _ arguments: [String], leaving paths: [String], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try paths.map(FileBytes.read)
    let outcome = try BuiltCandela.run(arguments)
    #expect(
      outcome.status == 64, "\(arguments): \(outcome.errors)", sourceLocation: location)
    #expect(try paths.map(FileBytes.read) == before, sourceLocation: location)
  }

  private func done(_ arguments: String...) throws {
    let outcome = try BuiltCandela.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
  }

  @Test func aJobAndItsInputStay() throws {
    let job = folder.path("job")
    try done(
      "segments", "plan", sample, output, "-p", "h264-sdr", "--speed", "ultrafast", "--job", job)
    try done("segments", "encode", "--job", job, "0")
    let inside = folder.path("inside")
    try FileManager.default.createSymbolicLink(atPath: inside, withDestinationPath: "job")
    for place in [
      sample, "\(job)/job.json", "\(job)/segment-00000.segment", "\(job)/new.json",
      "\(inside)/job.json", "\(inside)/new.json",
    ] {
      try refused(
        ["segments", "join", "--job", job, "--report", place, "-y"],
        leaving: [sample, "\(job)/job.json", "\(job)/segment-00000.segment"])
      #expect(!folder.names.contains("out.mov"))
    }
    try refused(
      ["segments", "join", "--job", job, "--report", output, "-y"], leaving: ["\(job)/job.json"])
    try done("segments", "join", "--job", job, "--report", folder.path("report.json"))
    // The existing file might be an earlier output, which the report must not replace.
    try refused(["segments", "join", "--job", job, "--report", output, "-y"], leaving: [output])
  }

  @Test func aJobHoldsNothingElseOfTheRun() throws {
    let job = folder.path("job")
    try FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
    let clip = "\(job)/segment-00000.segment"
    try FileManager.default.copyItem(atPath: sample, toPath: clip)
    try refused(["segments", "plan", clip, output, "--job", job], leaving: [clip])
    try refused(["segments", "plan", sample, "\(job)/o.mov", "--job", job], leaving: [sample])
    let hidden = folder.path(".out.mov.candela-job")
    try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
    try refused(
      ["transcode", sample, output, "--workers", "2", "--report", "\(hidden)/job.json"],
      leaving: [sample])
    #expect(try FileManager.default.contentsOfDirectory(atPath: hidden).isEmpty)
  }

  @Test func reportsAndPlotsTakeNoPlaces() throws {
    try done("transcode", sample, output, "-p", "hevc-hlg", "--speed", "ultrafast")
    let plan = folder.path("plan.json")
    try folder.write(try BuiltCandela.run("plan", sample, output, "--json").output, to: "plan.json")
    let png = folder.path("link.png")
    for place in [sample, output, plan] {
      try? FileManager.default.removeItem(atPath: png)
      try FileManager.default.createSymbolicLink(atPath: png, withDestinationPath: place)
      try refused(
        ["compare", sample, output, "--plan", plan, "--plot", png, "-y"],
        leaving: [sample, output, plan])
    }
    for place in [sample, output] {
      try refused(
        ["cut", sample, output, "--from", "0.1", "--report", place, "-y"],
        leaving: [sample, output])
    }
    try? FileManager.default.removeItem(atPath: png)
    try FileManager.default.linkItem(atPath: sample, toPath: png)
    try refused(["still", sample, png, "-y"], leaving: [sample])
    try refused(["rpu", "plot", sample, png, "-y"], leaving: [sample])
    try refused(["retag", sample, sample, "--color", "709", "-y"], leaving: [sample])
    try refused(["plan", sample, sample], leaving: [sample])
  }
}

/// A file that a user names never makes the program wait or read forever.
@Suite struct NamedFilesTests {
  @Test func presetsAndPlansHaveAnEnd() throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    let pipe = folder.path("pipe.json")
    #expect(mkfifo(pipe, 0o600) == 0)
    for (arguments, status, words) in [
      (["plan", sample, "-p", pipe], 64, "is a pipe that nobody writes to"),
      (["plan", sample, "-p", "/dev/zero"], 64, "is larger than 1 MB"),
      (["compare", sample, sample, "--plan", pipe], 65, "a device or a pipe"),
      (["rpu", "show", pipe], 65, "a device or a pipe"),
    ] {
      let outcome = try BuiltCandela.run(arguments)
      #expect(outcome.status == Int32(status), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
    }
  }

  /// A preset can come from a slow pipe.
  @Test func aPresetOutOfAPipe() throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    let outcome = try Tool.run(
      "bash",
      [
        "-c", "\"$0\" plan \"$1\" --json -p <(sleep 1; \"$0\" presets show h264-sdr)",
        BuiltCandela.path, sample,
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Something odd in the folder of a user's own presets does not stop any command.
  @Test func ownPresetsThatAreNoFilesAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let outcome = try Tool.run(
      "sh",
      [
        "-ec",
        """
        mkdir -p "$1/candela/presets"; mkfifo "$1/candela/presets/odd.json"
        ln -s /dev/zero "$1/candela/presets/zero.json"
        "$0" presets show h264-sdr > "$1/candela/presets/mine.json"
        XDG_CONFIG_HOME="$1" "$0" presets list
        """, BuiltCandela.path, folder.path("."),
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("mine"))
  }
}
