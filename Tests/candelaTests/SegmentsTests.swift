// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A file that is encoded in segments is the same whoever encodes which of them when.
@Suite(.serialized) struct SegmentsTests {
  private let folder: TemporaryFolder
  private let source: String

  /// Cheap settings with which ten seconds have segments.
  private static let settings = [
    "--set", "video.compressionProperties.speed=ultrafast",
    "--set", "video.compressionProperties.maxKeyFrameInterval=60",
  ]

  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("source.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=13", "-f", "lavfi", "-i",
      "sine=duration=13", "-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "50",
      "-x264-params", "open-gop=1", "-c:a", "aac", source)
  }

  private func succeed(_ arguments: String...) throws { try succeed(arguments) }

  private func succeed(_ arguments: [String]) throws {
    let outcome = try BuiltCandela.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
  }

  @discardableResult
  private func transcode(
    _ output: String, workers: Int, _ more: [String] = []
  ) throws -> Tool.Outcome {
    try BuiltCandela.run(
      ["transcode", source, folder.path(output), "--workers", "\(workers)"] + Self.settings + more)
  }

  private func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(folder.path(name)) }

  private func report(_ name: String) throws -> [String: Any] {
    let data = Data(try bytes(name))
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(object["segments"] as? [String: Any])
  }

  @Test(arguments: ["hevc-match-source", "h264-sdr"])
  func numbersOfWorkersDoNotShow(preset: String) throws {
    for workers in 1...3 {
      let outcome = try transcode(
        "\(workers).mp4", workers: workers,
        ["--preset", preset] + (workers > 1 ? ["--report", folder.path("\(workers).json")] : []))
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try report("2.json")["count"] as? Int == 3)
    #expect(try report("2.json")["reused"] as? Int == 0)
    #expect(try bytes("2.mp4") == bytes("3.mp4"))
    #expect(try bytes("2.mp4") != bytes("1.mp4"))
    func times(_ name: String) throws -> [String] {
      try Tool.probe(folder.path(name), "packet=pts,duration").sorted()
    }
    #expect(try times("2.mp4") == times("1.mp4"))
    #expect(try times("2.mp4").count == 390)
    let starts = try Tool.probe(folder.path("2.mp4"), "packet=pts_time,flags")
      .filter { $0.contains("K") }.compactMap { Double($0.prefix { $0 != "," }) }
    #expect(starts.contains(4) && starts.contains(8), "\(starts)")
    #expect(try BuiltCandela.run("validate", folder.path("2.mp4")).status == 0)
    #expect(!folder.names.contains { $0.hasSuffix("candela-job") })
  }

  /// x265's lookahead looks at frames in another order where it has many threads, which shows with
  /// cells that live and die at a medium speed.
  @Test func numbersOfThreadsDoNotShow() throws {
    let (cells, job) = (folder.path("cells.mp4"), folder.path("job"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "life=size=192x108:rate=30:mold=10:ratio=0.3:seed=7,trim=duration=3",
      "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", cells)
    try succeed(
      "segments", "plan", cells, folder.path("out.mp4"), "--job", job, "--preset",
      "hevc-match-source")
    var outputs: Set<[UInt8]> = []
    for threads in ["0", "1", "2", "4", "8", "32"] {
      try succeed("segments", "encode", "--job", job, "0", "--decoder-threads", threads)
      try succeed("segments", "join", "--job", job, "--overwrite")
      outputs.insert(try bytes("out.mp4"))
      try FileManager.default.removeItem(atPath: job + "/segment-00000.segment")
    }
    #expect(outputs.count == 1)
  }

  /// Whether there are segments depends on the duration, and on nothing of the machine.
  @Test func longClipsHaveSegments() throws {
    for (seconds, isDivided) in [("59", false), ("61", true)] {
      let clip = folder.path("\(seconds).mp4")
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "color=size=64x64:rate=2:duration=\(seconds)", "-c:v", "libx264",
        clip)
      let plan = try BuiltCandela.run("plan", clip, "--json").json()
      let work = try #require(plan["work"] as? [String: Any])
      #expect(work["segments"] as? Bool == isDivided, "\(seconds) s")
    }
  }

  /// Of a part of the presentation, its frames are divided: they are those of one process.
  @Test func partsOfTheSourceAreDivided() throws {
    let part = ["--from", "3.01", "--to", "12.5", "--report", folder.path("part.json")]
    for workers in 1...3 {
      let outcome = try transcode("\(workers).mp4", workers: workers, part + ["--overwrite"])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try report("part.json")["count"] as? Int == 2)
    #expect(try bytes("2.mp4") == bytes("3.mp4"))
    let facts = "packet=pts,duration:stream=start_time,duration"
    let whole = try Tool.probe(folder.path("1.mp4"), facts).sorted()
    #expect(try Tool.probe(folder.path("2.mp4"), facts).sorted() == whole)
    let job = folder.path("job")
    try succeed(
      ["segments", "plan", source, folder.path("hand.mp4"), "--job", job] + part.dropLast(2)
        + Self.settings)
    for number in ["1", "0"] { try succeed("segments", "encode", "--job", job, number) }
    try succeed("segments", "join", "--job", job)
    #expect(try bytes("hand.mp4") == bytes("2.mp4"))
  }

  /// What `segments schema` prints is what a job is, with all that it may have.
  @Test func jobsAreAsTheirSchemaSays() throws {
    let job = folder.path("job")
    try succeed(
      [
        "segments", "plan", source, folder.path("out.mp4"), "--job", job, "--from", "1", "--to",
        "12", "--source-color", "709", "--on-error", "stop",
      ] + Self.settings)
    let schema = try BuiltCandela.run("segments", "schema").json()
    let data = Data(try FileBytes.read(job + "/job.json"))
    let found = try JSONSerialization.jsonObject(with: data)
    let faults = SchemaCheck(schema).faults(found, schema, at: "job")
    #expect(faults.isEmpty, "\(faults)")
  }

  @Test func segmentsByHandAreThoseOfWorkers() throws {
    let (job, output) = (folder.path("job"), folder.path("hand.mp4"))
    let plan = try BuiltCandela.run(
      ["segments", "plan", source, output, "--job", job] + Self.settings)
    #expect(plan.status == 0 && plan.output.contains("3 segments, 390 frames"), "\(plan)")
    let early = try BuiltCandela.run("segments", "join", "--job", job)
    #expect(early.status == 65 && early.errors.contains("3 segments are missing: 0, 1, 2"))
    for number in ["2", "0", "1", "0"] {
      #expect(try BuiltCandela.run("segments", "encode", "--job", job, number).status == 0)
    }
    #expect(try BuiltCandela.run("segments", "encode", "--job", job, "3").status == 64)
    let status = try BuiltCandela.run("segments", "status", "--job", job, "--json").json()
    #expect(status["done"] as? Int == 3 || status["count"] as? Int == 3)
    try succeed("segments", "join", "--job", job)
    try transcode("workers.mp4", workers: 2)
    #expect(try bytes("hand.mp4") == bytes("workers.mp4"))
    try succeed("segments", "remove", "--job", job)
    #expect(!folder.names.contains("job"))
    // What is no job's is neither removed nor written into.
    #expect(try BuiltCandela.run("segments", "remove", "--job", job).status == 66)
    let other = try BuiltCandela.run("segments", "remove", "--job", folder.path("."))
    #expect(other.status == 66 && !folder.names.contains("lock"), "\(other)")
  }

  @Test func damagedAndForeignSegmentsAreRefused() throws {
    let job = folder.path("job")
    try succeed(
      ["segments", "plan", source, folder.path("out.mp4"), "--job", job] + Self.settings)
    for number in ["0", "1", "2"] {
      try succeed("segments", "encode", "--job", job, number)
    }
    let path = job + "/segment-00001.segment"
    var bytes = try FileBytes.read(path)
    bytes[100] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let join = try BuiltCandela.run("segments", "join", "--job", job)
    #expect(join.status == 65 && join.errors.contains("its digest is another"), "\(join)")
    // It is encoded again, since it is not complete.
    try succeed("segments", "encode", "--job", job, "1")
    // A job that somebody changed is none.
    let plan = job + "/job.json"
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacing("\"fused\"", with: "\"separate\"").replacing("160", with: "161")
      .replacing("\"strict\" : false", with: "\"strict\" : true")
      .write(toFile: plan, atomically: true, encoding: .utf8)
    let changed = try BuiltCandela.run("segments", "join", "--job", job)
    #expect(changed.status == 65 && changed.errors.contains("was changed"), "\(changed)")
    // What cannot be read is named with its place.
    try Data(#"{"version":1,"segments":[{"number":"one"}]}"#.utf8).write(
      to: URL(fileURLWithPath: plan))
    let unread = try BuiltCandela.run("segments", "status", "--job", job)
    #expect(unread.status == 65 && unread.errors.contains("\(plan):1:"), "\(unread)")
  }

  @Test func aChangedInputIsRefused() throws {
    let job = folder.path("job")
    try succeed(
      ["segments", "plan", source, folder.path("out.mp4"), "--job", job] + Self.settings)
    try Data(FileBytes.read(source) + [0, 0, 0, 8] + Array("free".utf8))
      .write(to: URL(fileURLWithPath: source))
    let encode = try BuiltCandela.run("segments", "encode", "--job", job, "0")
    #expect(encode.status == 65 && encode.errors.contains("is not the file that the job"))
  }

  /// A run that is killed when a segment is done.
  private func kill(_ output: String) throws {
    let running = try Tool.start(
      BuiltCandela.path,
      ["transcode", source, folder.path(output), "--workers", "2"] + Self.settings)
    let job = folder.path(".\(output).candela-job")
    running.wait { _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: job)) ?? []
      return names.contains { $0.hasSuffix(".segment") }
    }
    Foundation.kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
  }

  @Test func aKilledRunIsGoneOnWith() throws {
    try transcode("whole.mp4", workers: 2)
    try kill("killed.mp4")
    try #require(!folder.names.contains("killed.mp4"))
    let outcome = try transcode(
      "killed.mp4", workers: 3, ["--report", folder.path("report.json")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try #require(report("report.json")["reused"] as? Int) >= 1)
    #expect(try bytes("killed.mp4") == bytes("whole.mp4"))
    #expect(!folder.names.contains { $0.hasSuffix("candela-job") })
    // Other settings: the work begins anew, and says why.
    try kill("other.mp4")
    let other = try transcode(
      "other.mp4", workers: 2,
      ["--report", folder.path("other.json"), "--set", "audio=none"])
    #expect(other.status == 0 && other.errors.contains("the settings are others: audio is none"))
    #expect(try report("other.json")["reused"] as? Int == 0)
  }

  /// An interrupted run says where its job is, if it is kept, and leaves none otherwise.
  @Test(arguments: [true, false]) func anInterruptedRunSaysWhatStays(isKept: Bool) throws {
    let running = try Tool.start(
      BuiltCandela.path,
      ["transcode", source, folder.path("out.mp4"), "--workers", "2"] + Self.settings
        + (isKept ? ["--keep-job"] : []))
    let job = folder.path(".out.mp4.candela-job")
    running.wait { _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: job)) ?? []
      return names.contains { $0.hasSuffix(".segment") }
    }
    running.process.interrupt()
    let outcome = try running.wait()
    try #require(outcome.status == 130, "\(outcome)")
    #expect(outcome.errors.contains("stay in") == isKept, "\(outcome.errors)")
    #expect(folder.names.contains { $0.hasSuffix("candela-job") } == isKept)
  }

  /// Why a source or its settings give one segment.
  @Test(arguments: [
    ("video.compressionProperties.averageBitRate=200000", "an average bit rate"),
    ("video.deinterlace=frame", "video.deinterlace"),
    ("video.frameRate=25", "video.frameRate"),
    (
      "video.compressionProperties.encoderOptions={\"vbv-bufsize\":\"500\"}",
      "vbv-bufsize"
    ),
  ])
  func whatNeedsTheWholeIsOneSegment(change: String, reason: String) throws {
    let plan = try BuiltCandela.run(
      ["segments", "plan", source, folder.path("out.mp4"), "--job", folder.path("job")]
        + Self.settings + ["--set", change])
    #expect(plan.status == 0 && plan.output.contains("1 segment; one segment: "), "\(plan)")
    #expect(plan.output.contains(reason), "\(plan.output)")
  }

  /// A damaged source is encoded by one process, as ever.
  @Test func damageIsForOneProcess() throws {
    var bytes = try FileBytes.read(source)
    for index in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[index] = 0x55 }
    try Data(bytes).write(to: URL(fileURLWithPath: source))
    let two = try transcode("two.mp4", workers: 2)
    let one = try transcode("one.mp4", workers: 1)
    #expect(two.status == one.status, "\(two.errors)")
    if one.status == 2 {
      #expect(two.errors.contains("one process encodes the whole"), "\(two.errors)")
      #expect(try self.bytes("two.mp4") == self.bytes("one.mp4"))
    }
    #expect(!folder.names.contains { $0.hasSuffix("candela-job") })
  }

  @Test(arguments: ["slurm", "parallel", "make"])
  func scriptsNameEverySegment(engine: String) throws {
    let job = folder.path("a job")
    try succeed(
      ["segments", "plan", source, folder.path("out.mp4"), "--job", job] + Self.settings)
    let script = try BuiltCandela.run("segments", "script", "--engine", engine, "--job", job)
    #expect(script.status == 0 && script.output.contains("segments encode --job"))
    guard engine == "make" else {
      let path = try folder.write(script.output, to: "script.sh")
      #expect(try Tool.run("sh", ["-n", path]).status == 0)
      return
    }
    let path = try folder.write(script.output, to: "Makefile")
    let made = try Tool.run("make", ["-j", "2", "-f", path])
    #expect(made.status == 0, "\(made.errors)")
    try transcode("workers.mp4", workers: 2)
    #expect(try bytes("out.mp4") == bytes("workers.mp4"))
  }

  @Test func memoryThatIsTooLittleIsRefused() throws {
    let outcome = try transcode("out.mp4", workers: 2, ["--memory", "20M"])
    #expect(outcome.status == 69 && outcome.errors.contains("more than the 20 MB"))
    #expect(try transcode("out.mp4", workers: 2, ["--memory", "lots"]).status == 64)
  }
}
