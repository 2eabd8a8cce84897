// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

@testable import Segments

/// A folder counts as a job's only if its contents say so, and only a job's own files are ever
/// removed.
@Suite(.timeLimit(.minutes(5))) struct JobFolderTests {
  private let folder: TemporaryFolder
  private let source: String
  private let job: String

  init() throws {
    folder = try TemporaryFolder()
    source = try BuiltCandela.sample(in: folder)
    job = folder.path("job")
  }

  private func segments(_ command: String, _ arguments: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(["segments", command] + arguments)
  }

  private func planned() throws {
    let plan = try segments("plan", source, folder.path("out.mp4"), "--job", job)
    try #require(plan.status == 0, "\(plan.errors)")
  }

  private func write(_ text: String, _ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path((path as NSString).deletingLastPathComponent),
      withIntermediateDirectories: true)
    try folder.write(text, to: path)
  }

  private func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []).sorted()
  }

  /// Folders that are not jobs. Each is given by the names and contents of its files.
  private static let strangers: [[String: String]] = [
    ["segment-0.ts": "x", "segment-1.ts": "x"],
    ["job.json": "{\"name\":\"mine\"}", "segment-notes.txt": "x"],
    ["job.json": "{\"version\":1,\"id\":\"mine\"}"],
    ["job.json": "not JSON"],
    ["segment-00000.segment": "x", "lock": ""],
    ["segment-00000.log": "x"],
    ["photo.jpg": "x"],
  ]

  @Test(arguments: strangers.shortened(to: 2))
  func foldersThatAreNoJobsStay(files: [String: String]) throws {
    for (name, text) in files { try write(text, "mine/\(name)") }
    let mine = folder.path("mine")
    #expect(try segments("remove", "--job", mine).status == 66)
    let plan = try segments("plan", source, folder.path("out.mp4"), "--job", mine)
    #expect(plan.status == 73, "\(plan)")
    #expect(try segments("join", "--job", mine, "--remove").status != 0)
    // The folder also stays if it has the name that the hidden folder of a job would have.
    let hidden = folder.path(".o.mp4.candela-job")
    try FileManager.default.moveItem(atPath: mine, toPath: hidden)
    let run = try BuiltCandela.run("transcode", source, folder.path("o.mp4"), "--workers", "2")
    #expect(run.status == 73 && run.errors.contains("move it away"), "\(run)")
    #expect(names(in: ".o.mp4.candela-job") == files.keys.sorted())
    let one = try BuiltCandela.run("transcode", source, folder.path("o.mp4"), "--workers", "1")
    #expect(one.status == 0, "\(one)")
    #expect(names(in: ".o.mp4.candela-job") == files.keys.sorted())
  }

  @Test func foldersBehindLinksAreRefused() throws {
    try planned()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: job)
    for path in [link, link + "/", link + "//.", link + "/./"].shortened(to: 2) {
      for command in ["remove", "status", "join"] {
        let outcome = try segments(command, "--job", path)
        #expect(
          outcome.status == 66 && outcome.errors.contains("is a symbolic link"),
          "\(path): \(outcome)")
      }
      #expect(try segments("encode", "--job", path, "0").status == 66)
      #expect(try segments("plan", source, folder.path("out.mp4"), "--job", path).status == 73)
    }
    try FileManager.default.moveItem(
      atPath: link, toPath: folder.path(".o.mp4.candela-job"))
    let run = try BuiltCandela.run("transcode", source, folder.path("o.mp4"), "--workers", "2")
    #expect(run.status == 73 && run.errors.contains("is a symbolic link"), "\(run)")
    #expect(names(in: "job") == ["job.json"])
    for nothing in ["", folder.path("nothing"), source] {
      #expect(try segments("remove", "--job", nothing).status == 66)
    }
  }

  /// In a place such as `/tmp`, another user may have put a job whose output is this user's file.
  @Test(.enabled(if: getuid() == 0, "only the superuser can give a folder to another user"))
  func jobsOfOtherUsersInSharedPlacesAreRefused() throws {
    try planned()
    let place = (job as NSString).deletingLastPathComponent
    func outcomes() throws -> [Tool.Outcome] {
      try [
        ["status"], ["script", "--engine", "make"], ["encode", "0"], ["join"], ["remove"],
      ].map { try BuiltCandela.run(["segments"] + $0 + ["--job", job]) }
    }
    try #require(chown(job, 12_345, 12_345) == 0)
    try #require(chmod(place, 0o1777) == 0)
    for outcome in try outcomes() {
      #expect(
        outcome.status == 66 && outcome.errors.contains("belongs to another user (12345)"),
        "\(outcome)")
    }
    // The folder must not seem to be in itself, or in no shared place.
    for name in [".", "../job/.", "../job/../job"] {
      let outcome = try Tool.run(
        "sh",
        ["-c", "cd \"$1\" && \"$2\" segments status --job $3", "sh", job, BuiltCandela.path, name])
      #expect(
        outcome.status == 66 && outcome.errors.contains("belongs to another user (12345)"),
        "\(outcome)")
    }
    let plan = try segments("plan", source, folder.path("out.mp4"), "--job", job)
    #expect(
      plan.status == 73 && plan.errors.contains("belongs to another user (12345)"), "\(plan)")
    #expect(names(in: "job") == ["job.json"])
    // Without the sticky bit, the users of a place work together on jobs.
    try #require(chmod(place, 0o777) == 0)
    for outcome in try outcomes() { #expect(outcome.status == 0, "\(outcome)") }
    #expect(!folder.names.contains("job"))
  }

  @Test func whatIsNotTheJobsStays() throws {
    try planned()
    for name in ["notes.txt", "segment-0.ts", "segment-00000.segment.bak", "segment-1.log"] {
      try write("x", "job/\(name)")
    }
    for name in ["segment-00000.log", "segment-00007.unfit", "segment-slurm-3.log", "lock"] {
      try write("x", "job/\(name)")
    }
    try write("x", "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: job + "/segment-00001.lease", withDestinationPath: folder.path("elsewhere"))
    let removed = try segments("remove", "--job", job)
    #expect(
      removed.status == 0 && removed.errors.contains("'notes.txt' and 3 others"), "\(removed)")
    #expect(
      names(in: "job")
        == ["notes.txt", "segment-0.ts", "segment-00000.segment.bak", "segment-1.log"])
    #expect(folder.names.contains("elsewhere"))
    #expect(try segments("remove", "--job", job).status == 66)
  }

  @Test func namesOfAJobAreKnownToTheLetter() {
    for kind in JobFolder.SegmentFileKind.allCases {
      for number in [0, 7, 99_999, 123_456] {
        #expect(JobFolder.isOwn(JobFolder.name(of: number, kind)))
      }
    }
    let own = [
      "job.json", "lock", "segment-slurm-0.log", "segment-slurm-join.log", ".unfinished-1z",
    ]
    for name in own { #expect(JobFolder.isOwn(name), "\(name)") }
    let others = [
      "segment-", "segment-0.log", "segment-000000.log", "segment-00000", "segment-00000.ts",
      "segment-00000.log.log", "segment--0001.log", "segment-+0001.log", "segment-00000.LOG",
      "segment-slurm-.log", "segment-slurm-01.log", "segment-slurm-a.log",
      "segment-slurm-1.segment",
      ".unfinished-", ".unfinished-A", ".unfinished-x.mov", "Job.json", "locks", "", ".", "..",
    ]
    for name in others { #expect(!JobFolder.isOwn(name), "\(name)") }
  }

  /// Outputs whose long names begin alike have separate folders, whose names are not too long for
  /// the system.
  @Test(arguments: ["a", "é", "\u{EF80}"]) func longNamesHaveFoldersOfTheirOwn(letter: String) {
    let size = letter == "é" ? 2 : 1
    var paths: Set<String> = []
    for (index, length) in [100, 235, 242, 243, 244, 250].enumerated() {
      let beginning = String(repeating: letter, count: length / size)
      for end in ["\(index)a.mp4", "\(index)b.mp4"] {
        let path = JobFolder(besideOutput: folder.path(beginning + end)).path
        #expect(paths.insert(path).inserted)
        #expect((path as NSString).lastPathComponent.utf8.count <= 3 * 255)
        #expect(path.hasSuffix(".candela-job"))
      }
    }
    let name = String(repeating: "n", count: 250)
    let path = JobFolder(besideOutput: folder.path(name + ".mp4")).path
    #expect(mkdir(path, 0o777) == 0)
  }

  /// A pipe, device or folder that has the name of a job's file does not block the program or fill
  /// its memory.
  @Test(arguments: ["segment", "lease", "unfit", "log"].shortened(to: 2))
  func pipesAndDevicesAreNoFilesOfAJob(kind: String) throws {
    try planned()
    let path = "\(job)/segment-00000.\(kind)"
    for make in [
      { try #require(mkfifo(path, 0o666) == 0) },
      {
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "/dev/zero")
      },
      { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) },
    ] {
      try make()
      let status = try segments("status", "--job", job)
      #expect(status.status == 0 && status.output.contains("0  missing"), "\(status)")
      let join = try segments("join", "--job", job)
      #expect(join.status == 65, "\(join)")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func plansThatAreNoFilesAreNotRead() throws {
    try planned()
    let plan = job + "/job.json"
    try FileManager.default.moveItem(atPath: plan, toPath: folder.path("plan"))
    for make in [
      { try #require(mkfifo(plan, 0o666) == 0) },
      {
        try FileManager.default.createSymbolicLink(
          atPath: plan, withDestinationPath: "/dev/zero")
      },
      {
        try FileManager.default.createSymbolicLink(
          atPath: plan, withDestinationPath: folder.path("plan"))
      },
    ] {
      try make()
      #expect(try segments("status", "--job", job).status == 65)
      #expect(try segments("remove", "--job", job).status == 66)
      try FileManager.default.removeItem(atPath: plan)
    }
    #expect(folder.names.contains("plan"))
  }

  @Test func jobsOfOtherVersionsAreNamedAndCanBeRemoved() throws {
    try planned()
    let plan = job + "/job.json"
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacing("\"version\" : 1", with: "\"version\" : 2")
      .write(toFile: plan, atomically: true, encoding: .utf8)
    let status = try segments("status", "--job", job)
    #expect(status.status == 65 && status.errors.contains("this program supports 1"), "\(status)")
    #expect(try segments("remove", "--job", job).status == 0)
    #expect(!folder.names.contains("job"))
  }

  @Test(
    arguments: ["1", "99999999999", "9223372036854775807", "9223372036854775808", "-1", "x"]
      .shortened(to: 2))
  func segmentsThatAreNotThereAreRefused(number: String) throws {
    try planned()
    #expect(try segments("encode", "--job", job, number).status == 64)
  }
}
