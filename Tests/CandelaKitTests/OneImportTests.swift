// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import TestSupport
import Testing

/// What the README shows needs one import.
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
    while let (_, sample) = try reader.copyNextSample() {
      guard case .frame(let frame) = sample else { continue }
      #expect(frame.pixelBuffer.attachments.signal.color.transferCharacteristics == .hlg)
      count += 1
    }
    #expect(count == 6)
  }
}
