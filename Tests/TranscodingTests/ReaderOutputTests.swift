// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
@testable import Host
import MediaCore
@testable import Planning
@testable import Reading
import TestSupport
import Testing
@testable import Transcoding

/// Each output can be read on its own, as with AVFoundation.
@Suite struct ReaderOutputTests {
  private let folder: TemporaryFolder
  private let path: String

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path("clip.mov")
    try await SampleMovie(width: 128, height: 96, seconds: 0.5).write(to: path)
  }

  private static func outputs(_ asset: MediaAsset) throws -> [AssetReaderTrackOutput] {
    try asset.tracks.map { try AssetReaderTrackOutput(track: $0, outputSettings: nil) }
  }

  /// Outputs can be read in any order, even one after the other. Each gives the same packets as
  /// reading all tracks together.
  @Test func outputsDoNotWaitForEachOther() async throws {
    let asset = try await MediaAsset.load(path: path)
    let together = try AssetReading(
      asset, for: asset.tracks.map { try TrackReading(track: $0, decodes: false) })
    var expected = together.tracks.map { _ in [[UInt8]]() }
    while case (let index, .packet(let packet))? = try together.next() {
      expected[index].append(packet.bytes)
    }
    #expect(expected.count == 2 && expected.allSatisfy { $0.count > 5 })

    let reader = try AssetReader(asset: asset, outputs: Self.outputs(asset))
    var found = reader.outputs.map { _ in [[UInt8]]() }
    for (index, output) in reader.outputs.enumerated().reversed() {
      while case .packet(let packet)? = try output.copyNextSampleBuffer() {
        found[index].append(packet.bytes)
      }
      #expect(try output.copyNextSampleBuffer() == nil)
    }
    #expect(found == expected)
  }

  @Test func anOutputNeedsAReader() async throws {
    let asset = try await MediaAsset.load(path: path)
    let output = try #require(try Self.outputs(asset).first)
    let error = #expect(throws: TranscodingError.self) { try output.copyNextSampleBuffer() }
    #expect(error?.kind == .invalidSettings)
  }

  @Test func aCancelledTaskReadsNoFurther() async throws {
    let (path, first) = (path, AsyncStream.makeStream(of: Void.self))
    let task = Task {
      let asset = try await MediaAsset.load(path: path)
      let reader = try AssetReader(asset: asset, outputs: Self.outputs(asset))
      for try await _ in reader.outputs[0] {
        first.continuation.yield()
        while !Task.isCancelled { await Task.yield() }
      }
    }
    for await _ in first.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func pixelsForScreens() async throws {
    let asset = try await MediaAsset.load(path: path)
    let track = try #require(asset.videoTrack)
    for format in [PixelFormat.bgra8, .rgba8, .rgba16] {
      let output = try AssetReaderTrackOutput(
        track: track,
        outputSettings: VideoOutputSettings(colorProperties: .sRGB, pixelFormat: format))
      let reader = try AssetReader(asset: asset, outputs: [output])
      try reader.startReading()
      guard case .frame(let frame)? = try output.copyNextSampleBuffer() else {
        Issue.record("no frame")
        return
      }
      #expect(frame.pixelBuffer.format == format)
      #expect(frame.pixelBuffer.attachments.signal.color == .sRGB)
      #expect(frame.pixelBuffer.attachments.signal.chromaLocation == nil)
    }
  }

  @Test func shapesOfTracks() async throws {
    let turned = folder.path("turned.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.4", "-vf", "setsar=4/3", "-c:v", "libx264",
      "-metadata:s:v", "rotate=90", "-metadata", "title=A clip", "-pix_fmt", "yuv420p", turned)
    let asset = try await MediaAsset.load(path: turned)
    let track = try #require(asset.videoTrack)
    #expect(track.naturalSize == VideoDimensions(width: 171, height: 96))
    #expect(track.nominalFrameRate == 25)
    #expect(asset.metadata["title"] == "A clip")
    let seconds = try #require(track.timeRange?.duration.seconds)
    #expect(abs(seconds - 0.4) < 1e-6)
    let transform = TrackTransform(a: 0, b: 1, c: -1, d: 0, tx: 96, ty: 0)
    #expect(TrackTransform(matrix: transform.matrix) == transform)
  }
}
