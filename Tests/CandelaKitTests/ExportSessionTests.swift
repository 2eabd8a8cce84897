// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import TestSupport
import Testing

@Suite(.serialized) struct ExportSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func export(_ name: ExportSession.PresetName) async throws -> FormatFacts {
    let sample = folder.path("sample.mov")
    try await SampleMovie(width: 1280, height: 720, seconds: 0.1).write(to: sample, overwrite: true)
    let output = folder.path("out.mp4")
    try await ExportSession(input: sample, presetName: name).export(to: output, overwrite: true)
    let track = try #require(try await MediaAsset.load(path: output).videoTrack)
    let description = try #require(track.formatDescriptions.first)
    let color = description.extensions.signal.color
    return FormatFacts(
      codec: description.mediaSubType.rawValue, transfer: color.transferCharacteristics,
      width: description.dimensions.width)
  }

  private struct FormatFacts: Equatable {
    let codec: String
    let transfer: TransferCharacteristics
    let width: Int
  }

  @Test func hevcPresetsKeepTheSourcesFormat() async throws {
    let facts = try await export(.hevc1920x1080)
    #expect(facts == FormatFacts(codec: "hvc1", transfer: .hlg, width: 1280))
  }

  @Test func h264PresetsMakeSDR() async throws {
    let facts = try await export(.h264At640x480)
    #expect(facts == FormatFacts(codec: "avc1", transfer: .bt709, width: 640))
  }

  @Test func passthroughCopies() async throws {
    let facts = try await export(.passthrough)
    #expect(facts == FormatFacts(codec: "hvc1", transfer: .hlg, width: 1280))
  }

  @Test func statesOfAnExport() async throws {
    let sample = folder.path("sample.mov")
    try await SampleMovie(width: 640, height: 360, seconds: 1).write(to: sample, overwrite: true)
    let session = ExportSession(input: sample, presetName: .hevcHighestQuality)
    let states = session.states(updateInterval: .milliseconds(50))
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == .pending)
    let output = folder.path("states.mp4")
    let export = Task { try await session.export(to: output) }
    var fractions: [Double] = []
    while let state = await iterator.next() {
      if case .exporting(let progress) = state { fractions.append(progress.fraction ?? 0) }
    }
    _ = try await export.value
    #expect(fractions.count > 1 && fractions == fractions.sorted(), "\(fractions)")
    // An export that is over has no more states.
    var later = session.states().makeAsyncIterator()
    #expect(await later.next() == nil)
  }

  /// An export that is canceled with its task leaves no file behind.
  @Test func aCancelledExportLeavesNothing() async throws {
    let sample = folder.path("sample.mov")
    try await SampleMovie(width: 640, height: 360, seconds: 2).write(to: sample, overwrite: true)
    let session = ExportSession(input: sample, presetName: .hevcHighestQuality)
    let output = folder.path("cancelled.mov")
    let export = Task { try await session.export(to: output) }
    for await state in session.states(updateInterval: .milliseconds(20)) {
      if case .exporting = state { export.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await export.value }
    #expect(folder.names == ["sample.mov"])
  }

  @Test func theKindOfFileAndTheOptions() async throws {
    let sample = folder.path("sample.mov")
    try await SampleMovie(width: 128, height: 64, seconds: 0.1).write(to: sample, overwrite: true)
    var session = ExportSession(input: sample, presetName: .passthrough)
    session.outputFileType = .mp4
    await #expect(throws: TranscodingError.self) {
      try await session.export(to: folder.path("other.mov"))
    }
    try await session.export(to: folder.path("named.mp4"))
    let error = await #expect(throws: TranscodingError.self) {
      try await session.export(to: folder.path("named.mp4"))
    }
    #expect(error?.code == .outputExists)
    #expect(error?.errorDescription == error?.message)
    #expect(error?.recoverySuggestion?.contains("overwrite") == true)
    session.options.overwrite = true
    try await session.export(to: folder.path("named.mp4"))
  }

  @Test func everyPresetHasSettings() throws {
    for name in ExportSession.PresetName.allCases {
      #expect(try ExportSession.settings(for: name).name == name.rawValue)
      #expect(name.rawValue.hasPrefix("AVAssetExportPreset"))
    }
  }
}
