// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// `--threads` limits the number of cores that a run uses.
@Suite struct ProcessorTests {
  /// With one core, only one thread works at a time, so a run takes at least as long as the CPU
  /// times of all threads added up.
  @Test func oneCore() throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    let output = folder.path("out.mp4")
    let report = try Tool.run(
      "bash",
      [
        "-c", "TIMEFORMAT='%R %U %S'; time \"$@\"", "bash", BuiltCandela.path, "transcode", sample,
        output, "--preset", "hevc-hlg", "-q", "--threads", "1",
      ])
    let times = report.errors.split { " \n".contains($0) }.compactMap { Double($0) }
    #expect(times.count == 3, "\(report.errors)")
    #expect(times[1] + times[2] <= times[0] * 1.02, "\(times)")
    #expect(try Tool.frameDigests(output, format: "yuv420p10le").count == 15)
  }

  @Test(arguments: ["0", "-1", "two"])
  func wrongNumbers(number: String) throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    let outcome = try BuiltCandela.run(
      "still", sample, folder.path("a.png"), "--threads", number)
    #expect(outcome.status == 64 && outcome.errors.contains("--threads"), "\(outcome.errors)")
  }
}
