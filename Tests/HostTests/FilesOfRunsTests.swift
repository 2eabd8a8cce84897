// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host
import TestSupport
import Testing

/// What a run needs, and the files that it writes.
@Suite struct FilesOfRunsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reserve(
    _ name: String, in files: RunFiles
  ) throws -> UnfinishedFile {
    try UnfinishedFile(destination: folder.path(name), overwrite: true, in: files)
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
    // It is there now, and not to be replaced.
    #expect(throws: TranscodingError.self) { try reserve("a.mov", in: files) }
    #expect(folder.names == ["a.mov"])
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
    #expect(try OpenFile.ownBytes(of: plain, upTo: 8, of: .anybody).count == 8)
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
