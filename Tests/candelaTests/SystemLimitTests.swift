// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If the system allows too little memory, or too few open files or threads, the program says so at
/// once instead of hanging.
@Suite struct SystemLimitTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  /// Runs a command under a limit that the shell sets.
  private func run(_ limit: String, _ arguments: [String]) throws -> Tool.Outcome {
    try Tool.runUnlessStuck(
      "bash", ["-c", "ulimit \(limit); exec \"$0\" \"$@\"", BuiltCandela.path] + arguments)
  }

  @Test(arguments: ["-n 6", "-n 8", "-v 400000"].shortened(to: 2))
  func tooLittleIsTold(limit: String) throws {
    for command in [["inspect", sample], ["transcode", sample, folder.path("out.mov")]] {
      let outcome = try run(limit, command)
      #expect(outcome.status == 69, "\(outcome.errors)")
      #expect(outcome.errors.contains("raise the limit"), "\(outcome.errors)")
    }
    #expect(folder.names == ["sample.mov"])
  }

  /// The threads of FFmpeg and of the encoders need more memory than the program alone. With a
  /// limit near 800000, memory runs out inside libavcodec's HEVC decoder, and that decoder crashes.
  /// So such a limit is not tested.
  @Test(arguments: ["-v 560000", "-v 600000", "-v 700000"].shortened(to: 1))
  func tooLittleForTheCodecsIsNotTheInputsFault(limit: String) throws {
    let outcome = try run(limit, ["transcode", sample, folder.path("out.mov")])
    #expect([0, 69].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
  }

  /// If people run the program with `nice`, they mean its work as well, so no thread has a higher
  /// priority than the program.
  @Test func threadsAreAsNiceAsTheProgram() throws {
    let running = try Tool.start(
      "nice",
      ["-n", "3", BuiltCandela.path, "transcode", sample, folder.path("out.mov")]
        + ["--set", "video.compressionProperties.speed=slower"])
    var niceness: [String: Int] = [:]
    running.wait { running in
      niceness = Self.niceness(of: running.identifier)
      return niceness.keys.contains("candela.encode")
    }
    running.signal(SIGTERM)
    _ = running.wait()
    let encoding = try #require(niceness["candela.encode"])
    #expect(encoding == niceness["candela"] && encoding >= 3, "\(niceness)")
  }

  /// Returns the niceness of a process's threads by their names. Niceness is field 19 of `stat`
  /// (proc(5)).
  private static func niceness(of process: Int32) -> [String: Int] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let lines = threads.compactMap {
      try? String(contentsOfFile: "\(folder)/\($0)/stat", encoding: .utf8)
    }
    return lines.reduce(into: [:]) { result, line in
      let parts = line.split(separator: ")", maxSplits: 1)
      guard parts.count == 2, let name = parts[0].split(separator: "(").last else { return }
      let fields = parts[1].split(separator: " ")
      result[String(name)] = fields.count > 16 ? Int(fields[16]) : nil
    }
  }

  /// The limit on threads applies to a user but not to root, so root runs the program as another
  /// user.
  @Test(.enabled(if: getuid() == 0), arguments: [3, 5, 12].shortened(to: 1))
  func tooFewThreadsAreTold(count: Int) throws {
    let copy = "/var/tmp/candela-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    // A program that is open for writing cannot be started. If this process copied it, another test
    // could start a program meanwhile, which would inherit the open file.
    #expect(try Tool.run("cp", [BuiltCandela.path, "\(copy)/candela"]).status == 0)
    try FileManager.default.copyItem(atPath: sample, toPath: "\(copy)/in.mov")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: copy)
    for command in ["inspect in.mov", "transcode in.mov out.mov"] {
      let outcome = try Tool.runUnlessStuck(
        "setpriv",
        [
          "--reuid=65534", "--clear-groups", "bash", "-c",
          "ulimit -u \(count); cd \(copy) && exec ./candela \(command)",
        ])
      #expect(outcome.status == 69, "\(outcome.status) \(outcome.errors)")
      #expect(outcome.errors.contains("allows no more threads"), "\(outcome.errors)")
    }
  }
}
