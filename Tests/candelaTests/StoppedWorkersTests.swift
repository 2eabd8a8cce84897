// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

@testable import Segments

/// Workers that are stopped by signals, or whose program file is gone, do not hold up a run.
@Suite(.timeLimit(.minutes(5))) struct StoppedWorkersTests {
  @Test func stoppedWorkersAreWokenAndThenEnded() {
    var workers = StoppedWorkers()
    func measures(_ count: Int, isStopped: Bool) -> [StoppedWorkers.Measure] {
      (0..<count).map { _ in workers.measure(for: 7, isStopped: isStopped) }
    }
    let patience = StoppedWorkers.patience
    #expect(measures(patience - 1, isStopped: true).allSatisfy { $0 == .nothing })
    #expect(measures(1, isStopped: false) == [.nothing])
    #expect(measures(patience - 1, isStopped: true).allSatisfy { $0 == .nothing })
    #expect(measures(1, isStopped: true) == [.wake])
    #expect(measures(patience, isStopped: true).last == .end)
    #expect(workers.measure(for: 8, isStopped: true) == .nothing)
  }

  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("source.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=17", "-c:v", "libx264",
      "-preset", "veryfast", source)
  }

  private func start(_ program: String) throws -> Tool.Running {
    try Tool.start(
      program,
      [
        "transcode", source, folder.path("out.mp4"), "--workers", "2", "--set",
        "video.compressionProperties.speed=medium", "--set",
        "video.compressionProperties.maxKeyFrameInterval=60",
      ])
  }

  /// Returns the process numbers of the workers, from their leases.
  private func workers() -> [Int32] {
    let job = folder.path(".out.mp4.candela-job")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: job)) ?? []
    return names.filter { $0.hasSuffix(".lease") }
      .compactMap { SegmentLease(path: "\(job)/\($0)")?.process }
  }

  @Test func aStoppedWorkerGoesOn() throws {
    let running = try start(BuiltCandela.path)
    running.wait { _ in !workers().isEmpty }
    let worker = try #require(workers().first)
    try #require(kill(worker, SIGSTOP) == 0)
    let outcome = running.wait()
    #expect(outcome.status == 0 && outcome.errors.contains("has been resumed"), "\(outcome)")
  }

  /// If workers are killed again and again, as the system does when memory is short, the error
  /// blames a lack of memory.
  @Test func killedWorkersAreShortOfMemory() throws {
    let running = try start(BuiltCandela.path)
    running.wait { _ in
      for worker in workers() { kill(worker, SIGKILL) }
      return false
    }
    let outcome = running.wait()
    #expect(outcome.status == 69 && outcome.errors.contains("memory"), "\(outcome)")
  }

  /// If the program's file is replaced while the program runs, for example by an upgrade, the
  /// program can still start its workers.
  @Test func aReplacedProgramGoesOn() throws {
    let program = folder.path("program")
    try FileManager.default.copyItem(atPath: BuiltCandela.path, toPath: program)
    let running = try start(program)
    running.wait { _ in !workers().isEmpty }
    try FileManager.default.removeItem(atPath: program)
    try folder.write("#!/bin/sh\nexit 3\n", to: "program")
    let outcome = running.wait()
    #expect(outcome.status == 0, "\(outcome)")
  }
}
