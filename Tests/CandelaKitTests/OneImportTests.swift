// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import TestSupport
import Testing

/// What the README shows needs only one import.
@Suite struct OneImportTests {
  @Test func anExportAndItsFrames() async throws {
    let folder = try TemporaryFolder()
    let input = folder.path("clip.mov")
    try await SampleMovie(width: 128, height: 64, seconds: 0.2).write(to: input, overwrite: false)
    let exported = folder.path("out.mov")
    try await ExportSession(input: input, presetName: .hevcHighestQuality).export(to: exported)
    let asset = try await MediaAsset.load(path: exported)
    let track = try #require(asset.videoTrack)
    #expect(track.containsHDRVideo)
    let output = try AssetReaderTrackOutput(
      track: track, outputSettings: VideoOutputSettings(allowWideColor: true))
    let reader = try AssetReader(asset: asset, outputs: [output])
    var count = 0
    try reader.startReading()
    for try await sample in output {
      guard case .frame(let frame) = sample else { continue }
      #expect(frame.pixelBuffer.attachments.signal.color.transferCharacteristics == .hlg)
      count += 1
    }
    #expect(count == 6)
  }

  @Test func imagesOfFrames() async throws {
    let folder = try TemporaryFolder()
    let input = folder.path("clip.mov")
    try await SampleMovie(width: 128, height: 64, seconds: 0.5).write(to: input, overwrite: false)
    var generator = AssetImageGenerator(asset: try await MediaAsset.load(path: input))
    generator.maximumSize = VideoDimensions(width: 64, height: 64)
    let first = try await generator.image(at: MediaTime(value: 1, timescale: 4))
    // The image comes from the nearest sync sample.
    #expect(abs(first.actualTime.seconds - 0.25) <= 0.25)
    #expect(first.image.size == VideoDimensions(width: 64, height: 32))
    #expect(first.image.attachments.signal.color.transferCharacteristics == .sRGB)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    generator.colorProperties = nil
    var times: [MediaTime] = []
    for try await made in generator.images(
      for: [2, 1, 0].map { MediaTime(value: $0, timescale: 5) })
    {
      times.append(made.actualTime)
      #expect(made.image.attachments.signal.color.transferCharacteristics == .hlg)
      #expect(made.image.format.bitDepth == 16)
    }
    #expect(times.map(\.seconds).map { ($0 * 10).rounded() } == [4, 2, 0])
  }
}
