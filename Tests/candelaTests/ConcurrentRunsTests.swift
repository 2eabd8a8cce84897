// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If two runs have the same output, the second one is refused when it begins, not after its work.
@Suite struct ConcurrentRunsTests {
  private let folder: TemporaryFolder
  private let output: String

  init() throws {
    folder = try TemporaryFolder()
    output = folder.path("out.mov")
  }

  /// Starts a run that takes long, and waits until it writes.
  private func longRun(_ arguments: String...) throws -> Tool.Running {
    let running = try Tool.start(
      BuiltCandela.path, ["sample", output, "--size", "640x360", "--seconds", "3600"] + arguments)
    running.wait(untilItWritesInto: folder)
    return running
  }

  @Test(arguments: [SIGKILL, SIGTERM].shortened(to: 1))
  func theSecondIsToldAtOnceUntilTheFirstHasEnded(signal: Int32) throws {
    let first = try longRun()
    let link = folder.path("here")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: ".")
    let sample = try BuiltCandela.sample(in: folder)
    for command in [
      ["sample", output], ["sample", link + "/out.mov"], ["transcode", sample, output],
      ["retag", sample, output, "--color", "709"],
      ["transcode", sample, folder.path("other.mov"), "--report", output],
    ] {
      let second = try BuiltCandela.run(command)
      #expect(second.status == 73)
      #expect(second.errors.contains("another run is writing it"), "\(second.errors)")
    }
    #expect(!folder.names.contains("other.mov"))
    first.signal(signal)
    _ = first.wait()
    #expect(try BuiltCandela.run("transcode", sample, output).status == 0)
  }

  /// Even if both runs may replace the output, the second is refused, so neither works in vain.
  @Test func overwritingIsRefusedToo() throws {
    let sample = try BuiltCandela.sample(in: folder)
    let first = try longRun("--overwrite")
    let second = try BuiltCandela.run("transcode", sample, output, "--overwrite")
    #expect(second.status == 73 && second.errors.contains("another run is writing it"))
    first.signal(SIGTERM)
    #expect(first.wait().status == 130)
  }
}

/// A signal ends the program soon, whatever the program is waiting for.
@Suite struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP].shortened(to: 1))
  func aWaitThatNobodyCanEnd(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    let preset = folder.path("pipe.json")
    #expect(mkfifo(preset, 0o600) == 0)
    // The pipe is open for writing, but nothing is written to it.
    let writer = open(preset, O_RDWR)
    defer { close(writer) }
    let running = try Tool.start(
      BuiltCandela.path, ["transcode", sample, folder.path("out.mov"), "--preset", preset])
    running.waitUntilAsleep()
    #expect(running.isRunning)
    running.signal(signal)
    let outcome = running.waitUnlessStuck()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("interrupted"), "\(outcome.errors)")
    #expect(folder.names == ["pipe.json", "sample.mov"])
  }

  /// If a run is started so that it ignores a signal, as programs under `nohup` do, it goes on when
  /// the signal comes.
  @Test(arguments: [("HUP", SIGHUP), ("INT", SIGINT)].shortened(to: 1))
  func ignoredSignalsStayIgnored(name: String, signal: Int32) throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mov")
    let running = try Tool.start(
      "env",
      ["--ignore-signal=\(name)", BuiltCandela.path, "sample", output, "--size", "640x360"]
        + ["--seconds", "3"])
    running.wait(untilItWritesInto: folder)
    running.signal(signal)
    let outcome = running.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try BuiltCandela.run("inspect", output).status == 0)
  }
}
