// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A file is encoded in segments by hand or by an engine, with one command for each segment.
@Suite struct SegmentJobsTests {
  private let clip: SegmentedClip

  init() throws { clip = try SegmentedClip() }

  /// The number of threads does not change the output. With many threads, x265's lookahead looks at
  /// frames in another order. A difference would show here, because ffmpeg's `life` changes many
  /// pixels from frame to frame, and the encoder's speed is `medium`.
  @Test func numbersOfThreadsDoNotShow() throws {
    let (cells, job) = (clip.folder.path("cells.mp4"), clip.folder.path("job"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "life=size=192x108:rate=30:mold=10:ratio=0.3:seed=7,trim=duration=3",
      "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", cells)
    try clip.succeed(
      "segments", "plan", cells, clip.folder.path("out.mp4"), "--job", job, "--preset",
      "hevc-match-source")
    var outputs: Set<[UInt8]> = []
    for threads in ["0", "1", "2", "4", "8", "32"].shortened(to: 2) {
      try clip.succeed("segments", "encode", "--job", job, "0", "--decoder-threads", threads)
      try clip.succeed("segments", "join", "--job", job, "--overwrite")
      outputs.insert(try clip.bytes("out.mp4"))
      try FileManager.default.removeItem(atPath: job + "/segment-00000.segment")
    }
    #expect(outputs.count == 1)
  }

  /// If no number of workers is given, clips of more than 60 s are divided into segments on any
  /// machine.
  @Test func longClipsHaveSegments() throws {
    for (seconds, isDivided) in [("59", false), ("61", true)] {
      let clip = clip.folder.path("\(seconds).mp4")
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "color=size=64x64:rate=10:duration=\(seconds)", "-c:v", "libx264",
        clip)
      let plan = try BuiltCandela.run("plan", clip, "--json").json()
      let work = try #require(plan["work"] as? [String: Any])
      #expect(work["segments"] as? Bool == isDivided, "\(seconds) s")
    }
  }

  /// `plan` names no more workers than there are segments, and says why there is only one.
  @Test func plansKnowHowManySegmentsSuitTheSource() throws {
    let source = clip.folder.path("clip.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=size=64x64:rate=20:duration=30", "-c:v", "libx264", source)
    func work(_ arguments: String...) throws -> [String: Any] {
      let plan = try BuiltCandela.run(["plan", source, "--json"] + arguments).json()
      return try #require(plan["work"] as? [String: Any])
    }
    let long = try work("--workers", "3")
    #expect(long["segments"] as? Bool == true && long["workers"] as? Int == 2, "\(long)")
    let short = try work("--workers", "3", "--to", "10")
    #expect(short["segments"] as? Bool == false && short["workers"] as? Int == 1, "\(short)")
    let reason = try #require(short["obstacle"] as? String)
    let job = try BuiltCandela.run(
      "segments", "plan", source, clip.folder.path("out.mp4"), "--to", "10", "--job",
      clip.folder.path("job"))
    #expect(job.output.contains("1 segment, 200 frames; one segment: \(reason)"), "\(job)")
    #expect(try work("--workers", "1", "--to", "10")["obstacle"] == nil)
  }

  /// A job with many options matches the schema that `schema job` prints.
  @Test func jobsAreAsTheirSchemaSays() throws {
    let job = clip.folder.path("job")
    try clip.succeed(
      [
        "segments", "plan", clip.source, clip.folder.path("out.mp4"), "--job", job, "--from", "1",
        "--to",
        "12", "--source-color", "709", "--on-error", "stop",
      ] + SegmentedClip.settings)
    let validator = try SchemaValidator()
    try validator.add(String(decoding: FileBytes.read(job + "/job.json"), as: UTF8.self), as: "job")
    #expect(try validator.faults() == [])
  }

  @Test func segmentsByHandAreThoseOfWorkers() throws {
    let (job, output) = (clip.folder.path("job"), clip.folder.path("hand.mp4"))
    let plan = try BuiltCandela.run(
      ["segments", "plan", clip.source, output, "--job", job] + SegmentedClip.settings)
    #expect(plan.status == 0 && plan.output.contains("3 segments, 390 frames"), "\(plan)")
    let early = try BuiltCandela.run("segments", "join", "--job", job)
    #expect(early.status == 65 && early.errors.contains("3 segments are missing: 0, 1, 2"))
    let following = try Tool.start(
      BuiltCandela.path, ["segments", "status", "--job", job, "--follow"])
    for number in ["2", "0", "1", "0"] {
      #expect(try BuiltCandela.run("segments", "encode", "--job", job, number).status == 0)
    }
    let followed = following.wait()
    #expect(followed.status == 0 && followed.text.contains("3 of 3 segments done"))
    #expect(try BuiltCandela.run("segments", "encode", "--job", job, "3").status == 64)
    let status = try BuiltCandela.run("segments", "status", "--job", job, "--json").json()
    #expect(status["done"] as? Int == 3 || status["count"] as? Int == 3)
    try clip.succeed("segments", "join", "--job", job)
    try clip.transcode("workers.mp4", workers: 2)
    #expect(try clip.bytes("hand.mp4") == clip.bytes("workers.mp4"))
    try clip.succeed("segments", "remove", "--job", job)
    #expect(!clip.folder.names.contains("job"))
    // If a folder contains no job, it is not removed, and nothing is written into it.
    #expect(try BuiltCandela.run("segments", "remove", "--job", job).status == 66)
    let other = try BuiltCandela.run("segments", "remove", "--job", clip.folder.path("."))
    #expect(other.status == 66 && !clip.folder.names.contains("lock"), "\(other)")
  }

  @Test func damagedAndForeignSegmentsAreRefused() throws {
    let job = clip.folder.path("job")
    try clip.succeed(
      ["segments", "plan", clip.source, clip.folder.path("out.mp4"), "--job", job]
        + SegmentedClip.settings)
    for number in ["0", "1", "2"] {
      try clip.succeed("segments", "encode", "--job", job, number)
    }
    let path = job + "/segment-00001.segment"
    var bytes = try FileBytes.read(path)
    bytes[100] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let join = try BuiltCandela.run("segments", "join", "--job", job)
    #expect(join.status == 65 && join.errors.contains("its digest does not match"), "\(join)")
    // The segment is encoded again, because it is damaged.
    try clip.succeed("segments", "encode", "--job", job, "1")
    // A job that somebody changed is refused.
    let plan = job + "/job.json"
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacing("\"fused\"", with: "\"separate\"").replacing("160", with: "161")
      .replacing("\"strict\" : false", with: "\"strict\" : true")
      .write(toFile: plan, atomically: true, encoding: .utf8)
    let changed = try BuiltCandela.run("segments", "join", "--job", job)
    #expect(changed.status == 65 && changed.errors.contains("was changed"), "\(changed)")
    // If a job cannot be read, the error names the file and the line.
    try Data(#"{"version":1,"segments":[{"number":"one"}]}"#.utf8).write(
      to: URL(fileURLWithPath: plan))
    let unread = try BuiltCandela.run("segments", "status", "--job", job)
    #expect(unread.status == 65 && unread.errors.contains("\(plan):1:"), "\(unread)")
  }

  @Test func aChangedInputIsRefused() throws {
    let job = clip.folder.path("job")
    try clip.succeed(
      ["segments", "plan", clip.source, clip.folder.path("out.mp4"), "--job", job]
        + SegmentedClip.settings)
    try Data(FileBytes.read(clip.source) + [0, 0, 0, 8] + Array("free".utf8))
      .write(to: URL(fileURLWithPath: clip.source))
    let encode = try BuiltCandela.run("segments", "encode", "--job", job, "0")
    #expect(encode.status == 65 && encode.errors.contains("is not the file that the job"))
  }

  /// If a setting needs the whole clip, there is only one segment, and the plan says why.
  @Test(
    arguments: [
      ("video.compressionProperties.averageBitRate=200000", "an average bit rate"),
      ("video.deinterlace=frame", "video.deinterlace"),
      ("video.frameRate=25", "video.frameRate"),
      (
        "video.compressionProperties.encoderOptions={\"vbv-bufsize\":\"500\"}",
        "vbv-bufsize"
      ),
    ].shortened(to: 2))
  func whatNeedsTheWholeIsOneSegment(change: String, reason: String) throws {
    let plan = try BuiltCandela.run(
      [
        "segments", "plan", clip.source, clip.folder.path("out.mp4"), "--job",
        clip.folder.path("job"),
      ]
        + SegmentedClip.settings + ["--set", change])
    #expect(plan.status == 0 && plan.output.contains("1 segment; one segment: "), "\(plan)")
    #expect(plan.output.contains(reason), "\(plan.output)")
  }

  @Test(arguments: ["slurm", "parallel", "make"].shortened(to: 2))
  func scriptsNameEverySegment(engine: String) throws {
    let job = clip.folder.path("a job")
    try clip.succeed(
      ["segments", "plan", clip.source, clip.folder.path("out.mp4"), "--job", job]
        + SegmentedClip.settings)
    let script = try BuiltCandela.run("segments", "script", "--engine", engine, "--job", job)
    #expect(script.status == 0 && script.output.contains("segments encode --job"))
    guard engine == "make" else {
      let path = try clip.folder.write(script.output, to: "script.sh")
      #expect(try Tool.run("sh", ["-n", path]).status == 0)
      return
    }
    let path = try clip.folder.write(script.output, to: "Makefile")
    let made = try Tool.run("make", ["-j", "2", "-f", path])
    #expect(made.status == 0, "\(made.errors)")
    try clip.transcode("workers.mp4", workers: 2)
    #expect(try clip.bytes("out.mp4") == clip.bytes("workers.mp4"))
  }
}
