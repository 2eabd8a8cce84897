// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// The program reports that a source changed while it was read, and that frames were lost.
@Suite struct ShrinkingSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let fast = [
    "--preset", "h264-sdr", "--set", "video.compressionProperties.speed=ultrafast",
  ]

  /// Returns how many bytes a process has read (`rchar`) or written (`wchar`), as proc(5) counts
  /// them.
  private func counted(_ name: String, of running: Tool.Running) -> Int {
    let counters = "/proc/\(running.identifier)/io"
    let lines = ((try? String(contentsOfFile: counters, encoding: .utf8)) ?? "").split(
      separator: "\n")
    return lines.first { $0.hasPrefix("\(name): ") }.flatMap { Int($0.dropFirst(name.count + 2)) }
      ?? 0
  }

  /// If a movie of ten minutes is cut off while its first minutes are read, an error says so, and
  /// the frames that were read until then are kept.
  @Test(.takesLong, arguments: ["mp4", "mov", "mkv", "ts", "avi"])
  func aSourceThatBecomesShorter(suffix: String) throws {
    let source = folder.path("long.\(suffix)")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=600", "-f", "lavfi", "-i", "sine=d=600",
      "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", source)
    // The name is almost as long as the system allows, and the file that is kept needs a longer
    // one.
    let output = folder.path(String(repeating: "ö", count: 125) + ".mp4")
    let running = try Tool.start(
      BuiltCandela.path, ["transcode", source, output, "--workers", "1"] + Self.fast)
    // Once the program has written something, it must have read something.
    while running.isRunning, counted("wchar", of: running) < 40_000 {
      Thread.sleep(forTimeInterval: 0.01)
    }
    let handle = try #require(FileHandle(forWritingAtPath: source))
    try handle.truncate(atOffset: handle.seekToEnd() / 3)
    let outcome = running.wait()
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains("changed while it was being read"), "\(outcome.errors)")
    if suffix == "mkv" || suffix == "ts" || suffix == "avi" {
      let words = outcome.errors.firstMatch(of: /\d+ samples \([\d.]+ s\) could be read/)
      #expect(words != nil, "\(outcome.errors)")
    } else {
      let words = try #require(outcome.errors.firstMatch(of: /(\d+) samples \(([\d.]+) s\)/))
      #expect(try #require(Int(words.1)) > 5000)
      #expect(try #require(Double(words.2)) > 200)
    }
    #expect(folder.names.count == 2 && folder.names.contains { $0.hasSuffix(".failed") })
  }

  /// Long clips are encoded in segments. If the source is cut off, the segments are useless and are
  /// removed.
  @Test func aSourceOfSegmentsThatBecomesShorter() throws {
    let source = folder.path("long.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=150", "-c:v", "libx264", "-preset", "ultrafast",
      "-pix_fmt", "yuv420p", source)
    let running = try Tool.start(
      BuiltCandela.path, ["transcode", source, folder.path("out.mp4")] + Self.fast)
    let job = folder.path(".out.mp4.candela-job/job.json")
    running.wait { _ in FileManager.default.fileExists(atPath: job) }
    let handle = try #require(FileHandle(forWritingAtPath: source))
    try handle.truncate(atOffset: handle.seekToEnd() / 3)
    let outcome = running.wait()
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains("changed while it was being read"), "\(outcome.errors)")
    #expect(folder.names == ["long.mp4"])
  }

  /// Commands that read every sample report an error if the file becomes shorter meanwhile.
  @Test(.takesLong, arguments: ["retag", "validate", "frames", "extract"])
  func commandsTellOfAChange(command: String) throws {
    let source = folder.path("long.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=20", "-c:v", "libx264", "-preset", "ultrafast",
      "-pix_fmt", "yuv420p", "-movflags", "faststart", source)
    // Many copies of the samples make the file large, so that reading it takes long.
    let list = try folder.write(
      String(repeating: "file '\(source)'\n", count: 400), to: "list.txt")
    let long = folder.path("joined.mov")
    try Tool.ffmpeg(
      "-f", "concat", "-safe", "0", "-i", list, "-c", "copy", "-movflags", "faststart", long)
    let output = folder.path("out.mov")
    let arguments = [
      "retag": ["retag", long, output, "--color", "p3"], "validate": ["validate", long],
      "frames": ["inspect", "--frames", long], "extract": ["rpu", "extract", long, output],
    ]
    let handle = try #require(FileHandle(forWritingAtPath: long))
    let end = try handle.seekToEnd()
    let running = try Tool.start(BuiltCandela.path, arguments[command] ?? [])
    // Waiting for the counter makes sure that the program is stopped in the middle of its reading,
    // even on a busy machine.
    while running.isRunning, counted("rchar", of: running) < Int(end / 10) {
      Thread.sleep(forTimeInterval: 0.001)
    }
    running.signal(SIGSTOP)
    try handle.truncate(atOffset: end * 9 / 10)
    running.signal(SIGCONT)
    let outcome = running.wait()
    #expect(outcome.status == 74, "\(outcome.status) \(outcome.errors)")
    #expect(!folder.names.contains("out.mov"))
  }

  /// A sample without a frame, and a sample that the decoder rejects, each count as a damaged part.
  @Test(
    .needsSharedMedia,
    arguments: [
      ("damaged/AFL__small_movie.mp4", 11), ("found/androidx__sample_with_invalid_nalu.mp4", 29),
    ].shortened(to: 1))
  func lostPicturesAreCounted(name: String, count: Int) throws {
    for options in [[], ["--on-error", "continue"]] {
      let output = folder.path("out\(options.count).mp4")
      let outcome = try BuiltCandela.run(
        ["transcode", SharedMedia.path(name), output] + Self.fast + options)
      #expect(outcome.status == 2, "\(outcome.errors)")
      #expect(outcome.errors.contains("1 damaged part (frame"), "\(outcome.errors)")
      #expect(try Tool.probe(output, "packet=size").count == count)
    }
    let stopped = try BuiltCandela.run(
      ["transcode", SharedMedia.path(name), folder.path("none.mp4"), "--on-error", "stop"]
        + Self.fast)
    #expect(stopped.status == 65, "\(stopped.errors)")
  }
}
