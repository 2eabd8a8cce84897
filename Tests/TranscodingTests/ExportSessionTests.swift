// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
import MediaCore
@testable import Settings
import TestSupport
import Testing
@testable import Transcoding

@Suite(.serialized) struct ExportSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func export(_ name: ExportSession.PresetName) async throws -> FormatFacts {
    let sample = folder.path("sample.mov")
    try await SampleMovie(width: 1280, height: 720, seconds: 0.1).write(to: sample, overwrite: true)
    let output = folder.path("out.mp4")
    try await ExportSession(input: sample, presetName: name).export(to: output, overwrite: true)
    let track = try #require(try MediaAsset(opening: output).videoTrack)
    let description = try #require(track.formatDescriptions.first)
    return FormatFacts(
      codec: description.codecType, color: description.attachments.signal.color.triple,
      width: description.width)
  }

  private struct FormatFacts: Equatable {
    let codec: String
    let color: String
    let width: Int
  }

  @Test func hevcPresetsKeepTheSourcesFormat() async throws {
    let facts = try await export(.hevc1920x1080)
    #expect(facts == FormatFacts(codec: "hvc1", color: "9/18/9", width: 1280))
  }

  /// A second run would share the encoder and the file with the first.
  @Test func aSessionRunsOnce() async throws {
    let sample = folder.path("sample.mov")
    try await SampleMovie(width: 128, height: 64, seconds: 0.1).write(to: sample, overwrite: true)
    let session = try await TranscodeSession(
      input: sample, output: folder.path("once.mov"),
      settings: Preset.settings("hevc-hlg", changes: []))
    _ = try await session.run()
    await #expect(throws: TranscodingError.self) { try await session.run() }
    #expect(try MediaAsset(opening: folder.path("once.mov")).videoTrack != nil)
  }

  @Test func h264PresetsMakeSDR() async throws {
    let facts = try await export(.h264At640x480)
    #expect(facts == FormatFacts(codec: "avc1", color: "1/1/1", width: 640))
  }

  @Test func passthroughCopies() async throws {
    let facts = try await export(.passthrough)
    #expect(facts == FormatFacts(codec: "hvc1", color: "9/18/9", width: 1280))
  }

  @Test func everyPresetHasSettings() throws {
    for name in ExportSession.PresetName.allCases {
      #expect(try ExportSession.settings(for: name).name == name.rawValue)
      #expect(name.rawValue.hasPrefix("AVAssetExportPreset"))
    }
  }
}
