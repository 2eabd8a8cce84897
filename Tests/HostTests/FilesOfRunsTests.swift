// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host
import TestSupport
import Testing

/// The files that a run writes replace neither each other nor what the run needs.
@Suite struct FilesOfRunsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reserve(
    _ name: String, in files: RunFiles
  ) throws -> UnfinishedFile {
    try UnfinishedFile(destination: folder.path(name), overwrite: true, in: files)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try FileBytes.read(folder.path(name)), as: UTF8.self)
  }

  @Test func twoOutputsOfARunHaveTwoPlaces() throws {
    let files = RunFiles(reading: folder.path("in.mov"))
    let first = try reserve("a.mov", in: files)
    #expect(throws: TranscodingError.self) { try files.check(folder.path("./a.mov")) }
    #expect(throws: TranscodingError.self) { try files.read([folder.path("a.mov")]) }
    #expect(throws: TranscodingError.self) { try reserve("in.mov", in: files) }
    first.discard()
    let second = try reserve("a.mov", in: files)
    try second.write([1, 2, 3])
    try second.publish()
    second.discard()
    // The output exists now, so the run must not replace it.
    #expect(throws: TranscodingError.self) { try reserve("a.mov", in: files) }
    #expect(folder.names == ["a.mov"])
  }

  @Test func aSetIsPublishedAsAWhole() throws {
    let files = RunFiles(reading: try folder.write("input", to: "in.mov"))
    try folder.write("old", to: "list")
    let main = try reserve("list", in: files)
    let part = try UnfinishedFile(beside: main, named: "part")
    #expect(throws: TranscodingError.self) { try UnfinishedFile(beside: main, named: "in.mov") }
    try main.write(Array("new".utf8))
    try part.write(Array("part".utf8))
    try UnfinishedFile.publish([part, main])
    for file in [main, part] { file.discard() }
    #expect(folder.names == ["in.mov", "list", "part"])
    #expect(try text("list") == "new" && text("part") == "part")
  }

  /// If the last of three files cannot get its name, everything is as it was before.
  @Test func aSetThatCannotBeCompleteLeavesNothing() throws {
    let files = RunFiles.withoutInput()
    try folder.write("old", to: "first")
    let first = try reserve("first", in: files)
    let second = try UnfinishedFile(beside: first, named: "second")
    let main = try UnfinishedFile(
      destination: folder.path("main"), overwrite: false, in: files)
    for file in [first, second, main] { try file.write([1]) }
    try folder.write("somebody's", to: "main")
    #expect(throws: TranscodingError.self) { try UnfinishedFile.publish([first, second, main]) }
    for file in [first, second, main] { file.discard() }
    #expect(folder.names == ["first", "main"])
    #expect(try text("first") == "old" && text("main") == "somebody's")
  }

  @Test func allInAFolderIsNeeded() throws {
    let files = RunFiles(reading: folder.path("in.mov"))
    try files.keep(folder: folder.path("job"))
    try FileManager.default.createDirectory(
      atPath: folder.path("job"), withIntermediateDirectories: true)
    for name in ["job/new.json", "job"] {
      #expect(throws: TranscodingError.self) { try files.check(folder.path(name)) }
    }
    try files.check(folder.path("job2"))
    #expect(throws: TranscodingError.self) { try files.keep(folder: folder.path("")) }
  }

  @Test func ownFilesAreFiles() throws {
    let manager = FileManager.default
    let plain = try folder.write("12345678", to: "plain")
    #expect(try OpenFile.ownBytes(of: plain, upTo: 8) == Array("12345678".utf8))
    #expect(throws: FileRefusal.tooLong(limit: 7)) { try OpenFile.ownBytes(of: plain, upTo: 7) }
    try manager.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: plain)
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for (name, refusal) in [
      ("link", FileRefusal.link), ("pipe", .notFile), (".", .notFile), ("none", .system(ENOENT)),
    ] {
      #expect(throws: refusal) { try OpenFile.ownBytes(of: folder.path(name), upTo: 8) }
    }
    try manager.linkItem(atPath: plain, toPath: folder.path("hard"))
    #expect(throws: FileRefusal.otherNames) { try OpenFile.ownBytes(of: plain, upTo: 8) }
    #expect(try OpenFile.ownBytes(of: plain, upTo: 8, isShared: true).count == 8)
  }

  @Test func namedFilesHaveAnEnd() throws {
    #expect(throws: FileRefusal.tooLong(limit: 100)) {
      try OpenFile.namedBytes(of: "/dev/zero", upTo: 100)
    }
    #expect(throws: FileRefusal.notFile) {
      try OpenFile.namedBytes(of: "/dev/zero", upTo: 100, streams: false)
    }
    #expect(try OpenFile.namedBytes(of: "/dev/null", upTo: 100).isEmpty)
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(throws: FileRefusal.noWriter) {
      try OpenFile.namedBytes(of: folder.path("pipe"), upTo: 100)
    }
  }
}
