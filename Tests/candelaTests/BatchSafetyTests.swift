// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A batch never replaces its sources or what was made from other sources, and never takes an
/// output for a source.
@Suite struct BatchSafetyTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  /// Copies the sample into a folder, once for each name.
  ///
  /// - Returns: the folder's path.
  @discardableResult
  private func copy(_ names: String..., in place: String) throws -> String {
    for name in names {
      // The path is passed as text, because a URL would change how the characters of a name are
      // composed.
      let made = try Tool.run(
        "sh",
        [
          "-c", "mkdir -p \"${2%/*}\" && cp \"$1\" \"$2\"", "-", sample,
          folder.path(place) + "/" + name,
        ])
      try #require(made.status == 0, "\(made.errors)")
    }
    return folder.path(place)
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      ["transcode"] + arguments + ["--preset", "hevc-sdr", "--speed", "ultrafast"])
  }

  private func files(in place: String) -> [String] {
    (FileManager.default.subpaths(atPath: place) ?? []).filter { $0.contains(".m") }.sorted()
  }

  /// - Parameter words: what the error's only line says.
  private func refused(
    _ words: String, _ outcome: Tool.Outcome, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 64, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.split(separator: "\n").count == 1, sourceLocation: location)
  }

  @Test(
    arguments: [["--existing", "replace"], ["-y"], ["--existing", "skip"], []].shortened(to: 2))
  func sourcesAreNotReplaced(options: [String]) throws {
    let place = try copy("a.mp4", in: "clips")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc=d=0.2:s=64x64", "\(place)/a.avi")
    let before = try FileBytes.read("\(place)/a.mp4")
    let outcome = try BuiltCandela.run(
      ["transcode", place, "--recursive", "--into", place] + options)
    refused("\(place)/a.mp4 would be replaced by", outcome)
    #expect(try FileBytes.read("\(place)/a.mp4") == before)
    try FileManager.default.removeItem(atPath: "\(place)/a.avi")
    refused(
      "a.mp4 would be replaced by its own output: choose another folder with --into",
      try run(place, "--recursive", "--into", place))
  }

  @Test func outputsOfOtherSourcesAreNotReplaced() throws {
    let (first, second) = (try copy("clip.mov", in: "A"), try copy("clip.mov", in: "B"))
    let out = folder.path("out")
    func skipping(_ place: String, _ options: String...) throws -> Tool.Outcome {
      try BuiltCandela.run(
        ["transcode", "\(place)/clip.mov", "--into", out, "--speed", "ultrafast"] + options)
    }
    #expect(try skipping(first, "--existing", "skip").status == 0)
    let made = try FileBytes.read("\(out)/clip.mov")
    let outcome = try skipping(second, "--existing", "skip")
    refused("\(out)/clip.mov was made from \(first)/clip.mov, not from \(second)/clip.mov", outcome)
    #expect(outcome.errors.contains("--existing replace"))
    #expect(try FileBytes.read("\(out)/clip.mov") == made)
    #expect(try skipping(first, "--existing", "skip").errors.contains("1 done before"))
    // A source that was moved is still the same source.
    try FileManager.default.moveItem(atPath: first, toPath: folder.path("C"))
    let moved = try skipping(folder.path("C"), "--existing", "skip")
    #expect(moved.errors.contains("1 done before"), "\(moved.errors)")
    #expect(try skipping(second, "--existing", "replace").status == 0)
    #expect(try skipping(second, "--existing", "skip").errors.contains("1 done before"))
  }

  /// Outputs of earlier runs are not taken for sources, even if the name pattern or the folder is
  /// different now, or if their source is gone.
  @Test func outputsOfEarlierRunsAreNoSources() throws {
    let place = try copy("a.mov", "b/c.mov", in: "clips")
    for target in ["sdr", "small"] {
      let outcome = try run(place, "--recursive", "--into", "\(place)/\(target)")
      #expect(outcome.errors.contains("2 files: 2 done"), "\(outcome.errors)")
    }
    for name in ["{name}.one.mp4", "{name}.two.mp4"] {
      let outcome = try run(place, "--recursive", "--into", place, "--name", name)
      #expect(outcome.errors.contains("2 files: 2 done"), "\(outcome.errors)")
    }
    try FileManager.default.removeItem(atPath: "\(place)/a.mov")
    let outcome = try run(place, "--recursive", "--into", folder.path("out"))
    #expect(outcome.errors.contains("1 file: 1 done"), "\(outcome.errors)")
    // If a run reads only the folder of the outputs, they are sources like any other files.
    let again = try run("\(place)/sdr", "--recursive", "--into", folder.path("again"))
    #expect(again.errors.contains("2 files: 2 done"), "\(again.errors)")
  }

  /// If a shell's pattern matches outputs of earlier runs too, they are left out, and a note says
  /// so.
  @Test func namedOutputsAreLeftOutAndTold() throws {
    let place = try copy("a.mov", in: "clips")
    func names() -> [String] { files(in: place).map { "\(place)/\($0)" } }
    for (words, name) in [("1 done", "{name}.sdr.{ext}"), ("1 done before", "{name}.sdr.{ext}")] {
      let outcome = try BuiltCandela.run(
        ["transcode"] + names() + ["--into", place, "--name", name, "--existing", "skip"])
      #expect(outcome.status == 0 && outcome.errors.contains(words), "\(outcome.errors)")
    }
    let other = try BuiltCandela.run(
      ["transcode"] + names() + ["--into", place, "--name", "{name}.small.mp4"])
    #expect(
      other.errors.contains("note: \(place)/a.sdr.mov is left out: it was made from"),
      "\(other.errors)")
    #expect(files(in: place) == ["a.mov", "a.sdr.mov", "a.small.mp4"])
  }

  @Test func namesAreBytes() throws {
    let place = try copy("\u{E9}.mov", "e\u{301}.mov", "\u{301}x.mov", in: "clips")
    let out = folder.path("out")
    let outcome = try run(place, "--recursive", "--into", out)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("3 files: 3 done"), "\(outcome.errors)")
    let again = try run(place + "/\u{301}x.mov", "--into", out, "--existing", "skip")
    #expect(again.errors.contains("1 done before"), "\(again.errors)")
    // For Swift, these names are equal.
    try copy("e\u{301}.mov", "\u{E9}.mov", in: "alike")
    let alike = try run(folder.path("alike"), "--recursive", "--into", folder.path("both"))
    #expect(alike.errors.hasSuffix("2 files: 2 done\n"), "\(alike.errors)")
    let reports = try BuiltCandela.run("inspect", folder.path("alike"), "--recursive", "--json")
    let files = try #require(reports.json()["files"] as? [[String: Any]])
    #expect(files.count == 2 && files.allSatisfy { $0["result"] != nil })
  }

  @Test func namesAreMadeOnce() throws {
    let mov = try folder.write(
      #"{ "container": "mov", "video": { "codec": "hevc" } }"#, to: "mov.json")
    let place = try copy("a{ext}.mp4", "b.mp4", in: "clips")
    let out = folder.path("out")
    let outcome = try BuiltCandela.run(
      "transcode", place, "--recursive", "--into", out, "--preset", mov, "--speed", "ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(files(in: out) == ["a{ext}.mov", "b.mov"])
    for (name, words) in [
      ("{name}", "use .mov, .mp4, .mkv or .webm"), ("{name}.txt", "use .mov, .mp4, .mkv or .webm"),
    ] {
      refused(words, try run(place, "--recursive", "--into", out, "--name", name))
    }
    refused("--into cannot be ''", try run("\(place)/b.mp4", "--into", ""))
    refused(
      "cannot be combined", try run("\(place)/b.mp4", "--into", out, "-y", "--existing", "skip"))
    refused(
      "cannot be combined",
      try run("\(place)/b.mp4", "\(out).mp4", "--width", "64", "--max-size", "32"))
  }
}
