// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import Host
import Planning
import Settings
import TestSupport
import Testing
import Transcoding

@Suite struct TranscodeSessionTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() async throws {
    folder = try TemporaryFolder()
    sample = folder.path("sample.mov")
    try await SampleMovie(width: 128, height: 64, seconds: 0.1).write(to: sample)
  }

  /// A session refuses to run twice, because both runs would share the encoder and the file.
  @Test func aSessionRunsOnce() async throws {
    let session = try await TranscodeSession(
      input: sample, output: folder.path("once.mov"),
      settings: Preset.settings("hevc-hlg", changes: []))
    // Nothing opens the encoder before the run.
    #expect(session.encoderReport == nil)
    _ = try await session.run()
    #expect(session.encoderReport != nil)
    await #expect(throws: TranscodingError.self) { try await session.run() }
    #expect(try MediaAsset(opening: folder.path("once.mov")).videoTrack != nil)
  }

  @Test func workersAreForExports() async throws {
    var options = TranscodeOptions()
    options.workers = 2
    let error = await #expect(throws: TranscodingError.self) {
      try await TranscodeSession(
        input: sample, output: folder.path("out.mov"),
        settings: Preset.settings("hevc-hlg", changes: []), options: options)
    }
    #expect(error?.kind == .invalidSettings)
    #expect(error?.message.contains("export session") == true)
    #expect(folder.names == ["sample.mov"])
  }
}
