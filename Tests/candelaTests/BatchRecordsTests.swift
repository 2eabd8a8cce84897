// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A batch believes only records that the user wrote, never writes them through links, and notices
/// if an output was changed after it was made.
@Suite struct BatchRecordsTests {
  private let folder: TemporaryFolder
  private let clips: String
  private let out: String
  private var records: String { "\(out)/.candela-batch.jsonl" }

  init() throws {
    folder = try TemporaryFolder()
    (clips, out) = (folder.path("clips"), folder.path("out"))
    for place in [clips, out] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    let sample = try BuiltCandela.sample(in: folder)
    try FileManager.default.copyItem(atPath: sample, toPath: "\(clips)/a.mov")
  }

  private func run(_ existing: String = "skip") throws -> Tool.Outcome {
    try BuiltCandela.run(
      "transcode", clips, "--recursive", "--into", out, "--existing", existing, "-p", "h264-sdr",
      "--speed", "ultrafast")
  }

  private func said(
    _ words: String, _ outcome: Tool.Outcome, status: Int32 = 0,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location)
  }

  private func shell(_ script: String) throws {
    let outcome = try Tool.run("sh", ["-ec", script, "-", clips, out, folder.path("")])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: ["symlink", "hardlink", "dangling"].shortened(to: 2))
  func theyAreNotWrittenThroughLinks(kind: String) throws {
    let other = folder.path("other.txt")
    if kind != "dangling" { try folder.write("mine\n", to: "other.txt") }
    if kind == "hardlink" {
      try FileManager.default.linkItem(atPath: other, toPath: records)
    } else {
      try FileManager.default.createSymbolicLink(atPath: records, withDestinationPath: other)
    }
    let outcome = try run()
    said("the record for \(out)/a.mp4 could not be written: \(records)", outcome)
    said("1 file: 1 done", outcome)
    #expect(FileManager.default.fileExists(atPath: other) == (kind != "dangling"))
    if kind != "dangling" { #expect(try FileBytes.read(other) == Array("mine\n".utf8)) }
  }

  /// If a pipe, a device or a folder has the records' name, it is not read. Here, it is in the
  /// folder above the outputs.
  @Test(arguments: ["mkfifo", "ln -s /dev/zero", "mkdir"].shortened(to: 2))
  func whatIsNoFileIsNotRead(command: String) throws {
    try shell("\(command) \"$3/.candela-batch.jsonl\"")
    let outcome = try run()
    said("1 file: 1 done", outcome)
    let notices = outcome.errors.split(separator: "\n").filter {
      $0.contains("are ignored: the file")
    }
    #expect(notices.count == 1, "\(outcome.errors)")
  }

  @Test(.enabled(if: getuid() == 0, "only the superuser can give a file to another user"))
  func recordsOfOthersAreNotBelieved() throws {
    said("1 file: 1 done", try run())
    try #require(chown(records, 12_345, 12_345) == 0)
    let outcome = try run()
    said("note: the records in \(records) are ignored: the file belongs to another user", outcome)
    said("1 whose output has no record", outcome)
  }

  @Test(
    arguments: [
      "truncate -s 1000 \"$2/a.mp4\"", "cp \"$1/a.mov\" \"$2/a.mp4\"",
      "touch -d 2001-01-01 \"$2/a.mp4\"",
      // Changes a byte, but keeps the size and the time.
      """
      cp -p "$2/a.mp4" "$3/time"; printf X | dd of="$2/a.mp4" conv=notrunc bs=1 seek=900
      touch -r "$3/time" "$2/a.mp4"
      """,
    ].shortened(to: 2))
  func changedOutputsAreTold(change: String) throws {
    said("1 file: 1 done", try run())
    try shell(change)
    let bytes = try FileBytes.read("\(out)/a.mp4")
    for _ in 0..<2 {
      said(
        "1 whose output was changed after it was made (--existing replace remakes it): "
          + "\(out)/a.mp4", try run())
      #expect(try FileBytes.read("\(out)/a.mp4") == bytes)
    }
    said("1 file: 1 done", try run("replace"))
    said("1 done before", try run())
  }

  /// A file does not count as changed if a copy with the same content replaces it or if only its
  /// permissions change.
  @Test(
    arguments: [
      "cp -p \"$2/a.mp4\" \"$2/b\"; mv \"$2/b\" \"$2/a.mp4\"", "chmod 600 \"$2/a.mp4\"",
      "cp -p \"$1/a.mov\" \"$1/b\"; mv \"$1/b\" \"$1/a.mov\"", "chmod 600 \"$1/a.mov\"",
    ].shortened(to: 2))
  func restoredFilesAreWhatTheyWere(change: String) throws {
    said("1 file: 1 done", try run())
    try shell(change)
    said("1 file: 0 done, 1 done before", try run())
  }

  @Test func anotherSourceOfTheSameSizeAndTimeIsNoticed() throws {
    said("1 file: 1 done", try run())
    try shell(
      """
      cp -p "$1/a.mov" "$3/b.mov"; printf X | dd of="$3/b.mov" conv=notrunc bs=1 seek=900
      touch -r "$1/a.mov" "$3/b.mov"; cp -p "$3/b.mov" "$1/a.mov"
      """)
    let outcome = try run()
    #expect(!outcome.errors.contains("done before"), "\(outcome.errors)")
  }

  @Test func recordsWithoutMarksAreRead() throws {
    said("1 file: 1 done", try run())
    let text = try String(contentsOfFile: records, encoding: .utf8)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    var record = try #require(object as? [String: Any])
    for key in ["outputMarks", "sourceMarks"] { #expect(record.removeValue(forKey: key) != nil) }
    try JSONSerialization.data(withJSONObject: record).write(to: URL(fileURLWithPath: records))
    said("1 done before", try run())
  }

  /// If the preset of a run is a file with the name of the records, the run is refused and the
  /// preset stays.
  @Test func aPresetIsNoPlaceForThem() throws {
    let preset = try BuiltCandela.run("presets", "show", "h264-sdr").output
    try Data(preset.utf8).write(to: URL(fileURLWithPath: records))
    let outcome = try BuiltCandela.run(
      "transcode", clips, "--recursive", "--into", out, "-p", records)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(try String(contentsOfFile: records, encoding: .utf8) == preset)
  }
}
