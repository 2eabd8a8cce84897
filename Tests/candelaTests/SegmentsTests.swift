// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A file that is encoded in segments is the same no matter when and by how many workers the
/// segments are encoded.
@Suite struct SegmentsTests {
  private let clip: SegmentedClip

  init() throws { clip = try SegmentedClip() }

  @Test(arguments: ["hevc-match-source", "h264-sdr"].shortened(to: 1))
  func numbersOfWorkersDoNotShow(preset: String) throws {
    for workers in 1...3 {
      let outcome = try clip.transcode(
        "\(workers).mp4", workers: workers,
        ["--preset", preset]
          + (workers > 1 ? ["--report", clip.folder.path("\(workers).json")] : []))
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try clip.report("2.json")["count"] as? Int == 3)
    #expect(try clip.report("2.json")["reused"] as? Int == 0)
    #expect(try clip.bytes("2.mp4") == clip.bytes("3.mp4"))
    #expect(try clip.bytes("2.mp4") != clip.bytes("1.mp4"))
    func times(_ name: String) throws -> [String] {
      try Tool.probe(clip.folder.path(name), "packet=pts,duration").sorted()
    }
    #expect(try times("2.mp4") == times("1.mp4"))
    #expect(try times("2.mp4").count == 390)
    let starts = try Tool.probe(clip.folder.path("2.mp4"), "packet=pts_time,flags")
      .filter { $0.contains("K") }.compactMap { Double($0.prefix { $0 != "," }) }
    #expect(starts.contains(4) && starts.contains(8), "\(starts)")
    #expect(try BuiltCandela.run("validate", clip.folder.path("2.mp4")).status == 0)
    #expect(!clip.folder.names.contains { $0.hasSuffix("candela-job") })
  }

  /// If only a part of the presentation is encoded, its frames are divided into segments, and the
  /// output has the same frames as if one process had encoded them.
  @Test func partsOfTheSourceAreDivided() throws {
    let part = ["--from", "3.01", "--to", "12.5", "--report", clip.folder.path("part.json")]
    for workers in 1...3 {
      let outcome = try clip.transcode("\(workers).mp4", workers: workers, part + ["--overwrite"])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try clip.report("part.json")["count"] as? Int == 2)
    #expect(try clip.bytes("2.mp4") == clip.bytes("3.mp4"))
    let facts = "packet=pts,duration:stream=start_time,duration"
    let whole = try Tool.probe(clip.folder.path("1.mp4"), facts).sorted()
    #expect(try Tool.probe(clip.folder.path("2.mp4"), facts).sorted() == whole)
    let job = clip.folder.path("job")
    try clip.succeed(
      ["segments", "plan", clip.source, clip.folder.path("hand.mp4"), "--job", job]
        + part.dropLast(2)
        + SegmentedClip.settings)
    for number in ["1", "0"] { try clip.succeed("segments", "encode", "--job", job, number) }
    try clip.succeed("segments", "join", "--job", job)
    #expect(try clip.bytes("hand.mp4") == clip.bytes("2.mp4"))
  }

  /// Starts a run and kills it once a segment is done.
  private func kill(_ output: String) throws {
    let running = try Tool.start(
      BuiltCandela.path,
      ["transcode", clip.source, clip.folder.path(output), "--workers", "2"]
        + SegmentedClip.settings)
    let job = clip.folder.path(".\(output).candela-job")
    running.wait { _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: job)) ?? []
      return names.contains { $0.hasSuffix(".segment") }
    }
    running.signal(SIGKILL)
    _ = running.wait()
  }

  @Test func aKilledRunIsGoneOnWith() throws {
    try clip.transcode("whole.mp4", workers: 2)
    try kill("killed.mp4")
    try #require(!clip.folder.names.contains("killed.mp4"))
    let outcome = try clip.transcode(
      "killed.mp4", workers: 3, ["--report", clip.folder.path("report.json")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try #require(clip.report("report.json")["reused"] as? Int) >= 1)
    #expect(try clip.bytes("killed.mp4") == clip.bytes("whole.mp4"))
    #expect(!clip.folder.names.contains { $0.hasSuffix("candela-job") })
    // With other settings, the work starts over, and the program says why.
    try kill("other.mp4")
    let other = try clip.transcode(
      "other.mp4", workers: 2,
      ["--report", clip.folder.path("other.json"), "--set", "audio=none"])
    #expect(other.status == 0 && other.errors.contains("the settings differ: audio is none"))
    #expect(try clip.report("other.json")["reused"] as? Int == 0)
  }

  /// An interrupted run that keeps its job says where the job is. A run that does not keep its job
  /// leaves nothing of the job behind.
  @Test(arguments: [true, false]) func anInterruptedRunSaysWhatStays(isKept: Bool) throws {
    let running = try Tool.start(
      BuiltCandela.path,
      ["transcode", clip.source, clip.folder.path("out.mp4"), "--workers", "2"]
        + SegmentedClip.settings
        + (isKept ? ["--keep-job"] : []))
    let job = clip.folder.path(".out.mp4.candela-job")
    running.wait { _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: job)) ?? []
      return names.contains { $0.hasSuffix(".segment") }
    }
    running.signal(SIGINT)
    let outcome = running.wait()
    try #require(outcome.status == 130, "\(outcome)")
    #expect(outcome.errors.contains("stay in") == isKept, "\(outcome.errors)")
    #expect(clip.folder.names.contains { $0.hasSuffix("candela-job") } == isKept)
  }

  /// A damaged source is encoded by one process, just as if no workers had been asked for.
  @Test func damageIsForOneProcess() throws {
    var bytes = try FileBytes.read(clip.source)
    for index in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[index] = 0x55 }
    try Data(bytes).write(to: URL(fileURLWithPath: clip.source))
    let two = try clip.transcode("two.mp4", workers: 2)
    let one = try clip.transcode("one.mp4", workers: 1)
    #expect(two.status == one.status, "\(two.errors)")
    if one.status == 2 {
      #expect(two.errors.contains("one process encodes the whole"), "\(two.errors)")
      #expect(try clip.bytes("two.mp4") == clip.bytes("one.mp4"))
    }
    #expect(!clip.folder.names.contains { $0.hasSuffix("candela-job") })
  }

  @Test func memoryThatIsTooLittleIsRefused() throws {
    let outcome = try clip.transcode("out.mp4", workers: 2, ["--memory", "20M"])
    #expect(outcome.status == 69 && outcome.errors.contains("more than the 20 MB"))
    #expect(try clip.transcode("out.mp4", workers: 2, ["--memory", "lots"]).status == 64)
  }
}
