// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import Foundation
import TestSupport
import Testing

/// Several processes can encode the frames of an export.
@Suite(.serialized) struct WorkersTests {
  private let folder: TemporaryFolder
  private let clip: String

  init() async throws {
    folder = try TemporaryFolder()
    clip = folder.path("clip.mov")
    // 20 s are 600 frames, which is enough for two segments.
    try await SampleMovie(width: 64, height: 64, seconds: 20).write(to: clip)
  }

  private func session(_ workers: WorkerCount) -> ExportSession {
    var session = ExportSession(input: clip, presetName: .highestQuality)
    session.options.workers = workers
    session.options.workerProgram = BuiltCandela.path
    return session
  }

  @Test func outputsAreThoseOfTheProgram() async throws {
    let output = folder.path("library.mp4")
    let session = session(2)
    let states = session.states(updateInterval: .milliseconds(20))
    let result = try await session.export(to: output)
    var fractions: [Double] = []
    for await case .exporting(let progress) in states { fractions.append(progress.fraction ?? 0) }
    #expect(result.frameCount == 600)
    let other = folder.path("program.mp4")
    let run = try BuiltCandela.run(
      "transcode", clip, other, "--preset", "h264-sdr", "--workers", "3", "--report",
      folder.path("report.json"))
    #expect(run.status == 0, "\(run.errors)")
    let report = try String(contentsOfFile: folder.path("report.json"), encoding: .utf8)
    #expect(report.contains("\"reused\" : 0"))
    #expect(try FileBytes.read(output) == FileBytes.read(other))
    // A single process makes a different file, so the other two files were made in segments.
    let whole = folder.path("whole.mp4")
    try await self.session(1).export(to: whole)
    #expect(try FileBytes.read(whole) != FileBytes.read(output))
    #expect(
      folder.names == ["clip.mov", "library.mp4", "program.mp4", "report.json", "whole.mp4"])
  }

  @Test func aCancelledExportLeavesNothing() async throws {
    let session = session(2)
    let output = folder.path("cancelled.mp4")
    let export = Task { try await session.export(to: output) }
    for await state in session.states(updateInterval: .milliseconds(20)) {
      if case .exporting(let progress) = state, progress.frames > 0 { export.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await export.value }
    #expect(folder.names == ["clip.mov"])
  }

  @Test func whatWorkersCannotDoIsRefused() async throws {
    func error(_ change: (inout ExportSession) -> Void) async -> TranscodingError? {
      var session = session(2)
      change(&session)
      do {
        try await session.export(to: folder.path("out.mp4"))
        return nil
      } catch {
        return error as? TranscodingError
      }
    }
    let missing = await error { $0.options.workerProgram = folder.path("nothing") }
    #expect(missing?.kind == .unavailable && missing?.message.contains("nothing") == true)
    let many = await error { $0.options.workers = 0 }
    #expect(many?.kind == .invalidSettings)
    let drawn = await error { $0.videoComposition = VideoComposition(compositor: FrameLayout()) }
    #expect(drawn?.kind == .invalidSettings && drawn?.message.contains("composition") == true)
    #expect(folder.names == ["clip.mov"])
  }

  /// An automatic number of workers does not divide a clip as short as this, so the workers'
  /// program is not needed.
  @Test func automaticCountsNeedNoProgram() async throws {
    var session = session(.auto)
    session.options.workerProgram = folder.path("nothing")
    let output = folder.path("out.mp4")
    #expect(try await session.export(to: output).frameCount == 600)
  }
}
