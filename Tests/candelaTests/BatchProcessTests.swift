// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A separate process works on each file of a batch. No matter what ends that process, only its
/// file fails.
@Suite struct BatchProcessTests {
  private let folder: TemporaryFolder
  private let clips: String
  private let out: String

  init() throws {
    folder = try TemporaryFolder()
    (clips, out) = (folder.path("clips"), folder.path("out"))
    try FileManager.default.createDirectory(atPath: clips, withIntermediateDirectories: true)
    let sample = try BuiltCandela.sample(in: folder)
    for name in ["a.mov", "c.mov"] {
      try FileManager.default.copyItem(atPath: sample, toPath: "\(clips)/\(name)")
    }
    // This clip takes so long that something can happen in the meantime.
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x240:d=5:r=30", "-c:v", "mpeg4", "\(clips)/b.mov")
  }

  private func start(_ arguments: String...) throws -> Tool.Running {
    try Tool.start(
      BuiltCandela.path,
      [
        "transcode", clips, "--recursive", "--into", out, "-p", "h264-sdr", "--speed", "slower",
        "--workers", "1",
      ] + arguments)
  }

  /// Returns the process that works on `b.mov`.
  private func worker(of running: Tool.Running) -> Int32 {
    var found: Int32?
    running.wait { running in
      found = Tool.children(of: running.identifier).first { child in
        let words = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
        return words?.contains("/b.mov") == true && folder.writer(among: child) != nil
      }
      return found != nil
    }
    return found ?? 0
  }

  /// If a signal ends the process of a file, only this file fails. Unlike others, these signals are
  /// not caught by the Swift runtime, which would print a backtrace.
  @Test(arguments: [(SIGKILL, "1", 69), (SIGUSR1, "2", 70)])
  func aFileThatEndsItsProcessIsOneFailure(signal: Int32, jobs: String, status: Int32) throws {
    let running = try start("--jobs", jobs)
    let worker = worker(of: running)
    try #require(worker > 0)
    kill(worker, signal)
    let outcome = running.wait()
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains("\(clips)/b.mov: the process that worked on it was ended by"))
    #expect(
      outcome.errors.contains("3 files: 2 done, 1 failed: \(clips)/b.mov (\(status))"),
      "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
    #expect(names == [".candela-batch.jsonl", "a.mp4", "c.mp4"])
  }

  @Test func theMessagesAreJSONThen() throws {
    let running = try start("--progress", "json")
    let worker = worker(of: running)
    try #require(worker > 0)
    kill(worker, SIGKILL)
    let outcome = running.wait()
    let objects = try outcome.errors.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let failed = objects.compactMap { $0["failed"] as? [String: Any] }
    #expect(failed.count == 1 && failed.first?["status"] as? Int == 69)
    #expect(objects.contains { $0["framesPerSecond"] != nil && $0["filesDone"] != nil })
    #expect(objects.filter { $0["done"] != nil }.allSatisfy { $0["input"] is String })
  }

  /// No matter how the first process ends, no other process of the batch goes on.
  @Test(arguments: [SIGKILL, SIGTERM, SIGINT, SIGHUP].shortened(to: 2))
  func noOrphansAreLeft(signal: Int32) throws {
    let running = try start()
    let worker = worker(of: running)
    try #require(worker > 0)
    running.signal(signal)
    let outcome = running.wait()
    if signal != SIGKILL {
      #expect(outcome.status == 130, "\(outcome.errors)")
      #expect(outcome.errors.contains("1 interrupted: \(clips)/b.mov, 1 not begun"))
    }
    try #require(Tool.waitForEnd(of: worker))
    let names = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
    #expect(names == [".candela-batch.jsonl", "a.mp4"])
  }

  /// Ctrl-Z stops the whole batch, although the signal reaches only the first process, because the
  /// other processes are in other process groups.
  @Test func aStoppedBatchStandsStillAndGoesOn() throws {
    let running = try start()
    let batch = running.identifier
    let worker = worker(of: running)
    try #require(worker > 0)
    kill(batch, SIGTSTP)
    running.wait { _ in Tool.isStopped(batch) }
    #expect(Tool.isStopped(worker))
    kill(batch, SIGCONT)
    running.wait { _ in !Tool.isStopped(worker) }
    let outcome = running.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("stopped"), "\(outcome.errors)")
  }

  /// If a signal stops the process of a file, the batch wakes it. A quiet run does not mention
  /// this.
  @Test func aWokenFileIsNoErrorOfAQuietRun() throws {
    let running = try start("-q")
    let worker = worker(of: running)
    try #require(worker > 0)
    kill(worker, SIGSTOP)
    let outcome = running.wait()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  /// The processes of a killed run may outlive it for a moment. The next run does not mistake them
  /// for a run that is still working.
  @Test func aKilledRunLeavesNothingToOthers() throws {
    let running = try start("--existing", "skip")
    let worker = worker(of: running)
    try #require(worker > 0)
    // A stopped process keeps its claim on the output.
    kill(worker, SIGSTOP)
    running.signal(SIGKILL)
    _ = running.wait()
    let next = try start("--existing", "skip")
    next.wait { _ in
      FileManager.default.fileExists(atPath: "\(out)/c.mp4")
    }
    kill(worker, SIGKILL)
    let outcome = next.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("3 files: 2 done, 1 done before"), "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: "\(out)/b.mp4"))
  }

  /// While two files are worked on, the process of the third is ready, but does not begin.
  @Test func theNextFileIsReady() throws {
    for name in ["a.mov", "c.mov"] {
      try FileManager.default.removeItem(atPath: "\(clips)/\(name)")
      try FileManager.default.copyItem(atPath: "\(clips)/b.mov", toPath: "\(clips)/\(name)")
    }
    let running = try start("--jobs", "2")
    var (processes, most) = (0, 0)
    running.wait { running in
      let children = Tool.children(of: running.identifier)
      processes = max(processes, children.count)
      // Processes that are still writing after all have been looked at were writing at once.
      let writers = children.filter { folder.writer(among: $0) != nil }
      most = max(most, writers.count { folder.writer(among: $0) != nil })
      return false
    }
    let outcome = running.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(processes == 3 && most == 2)
  }

  /// Orphans are not removed while another run makes them again, and neither are folders that
  /// another run writes into.
  @Test func orphansOfARunThatGoesOn() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(clips)/x", withIntermediateDirectories: true)
    try manager.copyItem(atPath: "\(clips)/a.mov", toPath: "\(clips)/x/old.mov")
    try manager.moveItem(atPath: "\(clips)/b.mov", toPath: folder.path("b.mov"))
    #expect(try start("--existing", "skip").wait().status == 0)
    try manager.removeItem(atPath: "\(clips)/x/old.mov")
    try manager.moveItem(atPath: folder.path("b.mov"), toPath: "\(clips)/x/b.mov")
    let first = try start("--existing", "skip")
    try #require(worker(of: first) > 0)
    let second = try start("--existing", "skip", "--orphans", "remove", "--exclude", "b.mov").wait()
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.errors.contains("removed: \(out)/x/old.mp4"), "\(second.errors)")
    let outcome = first.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(manager.fileExists(atPath: "\(out)/x/b.mp4"))
  }

  /// A run refuses outputs that exist before it begins, but not outputs that another run makes
  /// meanwhile.
  @Test func outputsOfARunAtTheSameTimeAreNotRefused() throws {
    try FileManager.default.removeItem(atPath: "\(clips)/a.mov")
    let first = try start()
    try #require(worker(of: first) > 0)
    let outcomes = [try start().wait(), first.wait()]
    for outcome in outcomes {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("1 done, 1 by another run"), "\(outcome.errors)")
    }
    #expect(try start().wait().status == 73)
  }

  /// Of two runs with the same folder, each leaves alone what the other makes.
  @Test func twoRunsShareAFolder() throws {
    for index in 0..<4 {
      try FileManager.default.copyItem(atPath: "\(clips)/a.mov", toPath: "\(clips)/d\(index).mov")
    }
    try FileManager.default.removeItem(atPath: "\(clips)/b.mov")
    let runs = try ["1", "2"].map { try start("--existing", "skip", "--jobs", $0) }
    let outcomes = runs.map { $0.wait() }
    for outcome in outcomes {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("failed"), "\(outcome.errors)")
    }
    // On a slow machine, one run might finish everything before the other begins.
    #expect(
      outcomes.contains {
        $0.errors.contains(" by another run") || $0.errors.contains("6 done before")
      })
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).count == 7)
  }

  /// While a run has other files to work on, it keeps waiting for a file that another run works on.
  /// If the other run is killed, this run makes the output.
  @Test func aKilledRunLeavesItsFileToTheOther() throws {
    try FileManager.default.removeItem(atPath: "\(clips)/c.mov")
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let other = try Tool.start(
      BuiltCandela.path, ["sample", "\(out)/a.mp4", "--size", "64x64", "--seconds", "3600"])
    other.wait(untilItWritesInto: folder)
    other.signal(SIGSTOP)
    let running = try start("--existing", "skip", "--jobs", "2")
    running.wait { _ in FileManager.default.fileExists(atPath: "\(out)/b.mp4") }
    other.signal(SIGKILL)
    _ = other.wait()
    let outcome = running.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("2 files: 2 done"), "\(outcome.errors)")
  }

  /// If another run works on a file to the end, this run waits only briefly, and leaves the file to
  /// the other run.
  @Test func aRunEndsBeforeTheOther() throws {
    for name in ["b.mov", "c.mov"] {
      try FileManager.default.removeItem(atPath: "\(clips)/\(name)")
    }
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let other = try Tool.start(
      BuiltCandela.path, ["sample", "\(out)/a.mp4", "--size", "64x64", "--seconds", "3600"])
    other.wait(untilItWritesInto: folder)
    other.signal(SIGSTOP)
    let outcome = try start("--existing", "skip", "--jobs", "2").wait()
    other.signal(SIGKILL)
    _ = other.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("1 file: 0 done, 1 by another run"), "\(outcome.errors)")
  }
}
