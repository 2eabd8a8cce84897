// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host
import MediaCore
import Planning
import TestSupport
import Testing
@testable import Writing

/// Each file type has a packaging, which turns a finished movie into the files to deliver.
@Suite struct PackagingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func eachKindOfFileHasAWay() {
    for container in FileType.all {
      #expect(type(of: container.way).name == container.packaging, "\(container.rawValue)")
    }
  }

  /// Delivers a list of files, like a playlist, with the movie beside it.
  private struct ListPackaging: Packaging {
    static let name = "list"

    func pack(
      _ tracks: [WrittenTrack], for delivery: OutputDelivery,
      checkpoint: @escaping Pipeline.Checkpoint
    ) throws -> (damagedCount: Int, others: [UnfinishedFile]) {
      let movie = try UnfinishedFile(beside: delivery.file, named: "part.mov")
      try movie.write(FileBytes.read(delivery.file.path))
      try delivery.file.write(Array("part.mov".utf8))
      return (0, [movie])
    }
  }

  private func deliver() throws {
    let path = folder.path("source.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=32x32:r=25:d=0.1", "-c:v", "mjpeg", path)
    let samples = try FileBytes.read(path)
    try FileManager.default.removeItem(atPath: path)
    let file = try UnfinishedFile(
      destination: folder.path("list"), overwrite: false, in: .withoutInput())
    defer { file.discard() }
    try Data(samples).write(to: URL(fileURLWithPath: file.samplesPath))
    var delivery = OutputDelivery(
      file: file, movieType: .mov, container: .mov, movieTimescale: 600, metadata: nil,
      verification: .none, promise: nil)
    delivery.packaging = ListPackaging()
    try delivery.deliver([]) {}
  }

  @Test func severalFilesAreDelivered() throws {
    try deliver()
    #expect(folder.names == ["list", "part.mov"])
    #expect(try FileBytes.read(folder.path("list")) == Array("part.mov".utf8))
    try Tool.ffmpeg("-i", folder.path("part.mov"), "-f", "null", "-")
  }

  @Test func somebodysFileIsNotReplacedByAny() throws {
    try folder.write("mine", to: "part.mov")
    #expect(throws: TranscodingError.self) { try deliver() }
    #expect(folder.names == ["part.mov"])
    #expect(try FileBytes.read(folder.path("part.mov")) == Array("mine".utf8))
  }
}
