// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If a file is cut off or lacks frames, a still shows the nearest frame that exists, and the
/// output names that frame's number.
@Suite(.takesLong) struct DamagedStillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file with the first part of a clip of 4 s at 30 frames a second. The index at its
  /// beginning still lists all frames.
  private func cutClip(_ codec: [String]) throws -> String {
    let (whole, cut) = (folder.path("whole.mov"), folder.path("cut.mov"))
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=192x128:r=30:d=4"] + codec
        + ["-movflags", "+faststart", whole])
    let bytes = try FileBytes.read(whole)
    try Data(bytes.prefix(bytes.count * 2 / 5)).write(to: URL(fileURLWithPath: cut))
    return cut
  }

  /// Returns the number of the frame that a line of output names.
  private func frame(_ line: Substring) throws -> Int {
    let match = try #require(line.firstMatch(of: /frame (\d+) at\b/))
    return try #require(Int(match.1))
  }

  /// No matter how far the requested time is after the last existing frame, that frame is shown,
  /// and it is undamaged.
  @Test(arguments: [["-c:v", "mjpeg"], ["-c:v", "libx264", "-g", "60", "-bf", "0"]])
  func farBehindTheEnd(codec: [String]) throws {
    let input = try cutClip(codec)
    let outcomes = try ["3.9", "2.5"].map { time in
      try BuiltCandela.run(["still", input, folder.path("x.png"), "-y", "--time", time])
    }
    for outcome in outcomes {
      #expect(outcome.status == 2, "\(outcome.errors)")
      #expect(!outcome.errors.contains("is damaged"), "\(outcome.errors)")
    }
    let frames = try outcomes.map { try frame($0.text[...]) }
    #expect(frames[0] == frames[1] && (20...70).contains(frames[0]))
    let next = try BuiltCandela.run(
      ["still", input, folder.path("x.png"), "-y", "--frame", "\(frames[0])"])
    #expect(next.status == 0, "\(next.errors)")
  }

  /// If a preallocated file ends in zeros, the last frame before them is shown.
  @Test func farBehindZeros() throws {
    let input = folder.path("zeros.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=60", "-c:v", "mjpeg", "-movflags", "+faststart",
      input)
    let places = try Tool.probe(input, "packet=pos").compactMap { Int($0) }
    var bytes = try FileBytes.read(input)
    for index in places[500]..<bytes.count { bytes[index] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let outcome = try BuiltCandela.run(["still", input, folder.path("x.png"), "--time", "59.9"])
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(try frame(outcome.text[...]) == 499, "\(outcome.text)")
  }

  /// If many stills are requested, each one is made and reported.
  @Test func manyOfACutFile() throws {
    let outcome = try BuiltCandela.run([
      "still", cutClip(["-c:v", "mjpeg"]), folder.path("s-%d.jpg"), "--count", "6",
    ])
    #expect(outcome.status == 2)
    let frames = try outcome.text.split(separator: "\n").map(frame)
    #expect(frames.count == 6 && frames == frames.sorted())
    #expect(FileManager.default.fileExists(atPath: folder.path("s-6.jpg")))
  }

  /// The frame before a lost frame is not shown under the lost frame's number, and frames that
  /// refer to the lost frame do not count as undamaged.
  @Test func aLostFrame() throws {
    let input = folder.path("lost.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=2", "-c:v", "libx264", "-bf", "0", "-g", "25",
      input)
    let facts = try Tool.probe(input, "packet=pos,size").map { $0.split(separator: ",") }
    let (size, place) = (try #require(Int(facts[30][0])), try #require(Int(facts[30][1])))
    var bytes = try FileBytes.read(input)
    for index in place..<place + size { bytes[index] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let lost = try BuiltCandela.run(["still", input, folder.path("x.png"), "--frame", "30"])
    #expect(lost.status == 2 && lost.errors.contains("frame 30 cannot be decoded"))
    #expect(try (27...29).contains(frame(lost.text[...])), "\(lost.text)")
    let next = try BuiltCandela.run(["still", input, folder.path("y.png"), "--frame", "32"])
    #expect(next.status == 2, "\(next.text) \(next.errors)")
    let sound = try BuiltCandela.run(["still", input, folder.path("z.png"), "--frame", "26"])
    #expect(sound.status == 0, "\(sound.errors)")
  }

  /// If no other frame refers to a damaged frame, that frame alone counts as damaged. This holds
  /// even if only its slices say that no frame refers to it.
  @Test func damageOfOneFrame() throws {
    let input = folder.path("one.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=2", "-vf", "noise=alls=20:allf=t", "-c:v",
      "libx264", "-g", "100", "-bf", "1", "-x264-params", "b-adapt=0", input)
    let facts = try Tool.probe(input, "packet=pts_time,pos,size").map { $0.split(separator: ",") }
    let packet = try #require(facts.first { $0[0].hasPrefix("0.7") })
    let (size, place) = (try #require(Int(packet[1])), try #require(Int(packet[2])))
    var bytes = try FileBytes.read(input)
    for index in place + size / 2..<place + size { bytes[index] ^= 0x5A }
    var data = Data(bytes)
    if let table = data.range(of: Data("sdtp".utf8)) {
      data.replaceSubrange(table, with: Data("free".utf8))
    }
    try data.write(to: URL(fileURLWithPath: input))
    for number in 5...12 {
      let outcome = try BuiltCandela.run(
        ["still", input, folder.path("x.png"), "-y", "--frame", "\(number)"])
      #expect(outcome.status == (number == 7 ? 2 : 0), "\(number): \(outcome.errors)")
    }
  }

  /// Makes a file with a single group of frames that refer to each other, and damages it.
  private func group(_ name: String, damage: (inout [UInt8]) -> Void) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=2", "-vf", "noise=alls=20:allf=t", "-c:v",
      "libx264", "-g", "100", "-bf", "2", "-movflags", "faststart", path)
    var bytes = try FileBytes.read(path)
    damage(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// No undamaged frame is nearer to the requested one than the frame that is taken.
  @Test func theNearestIsTaken() throws {
    let cut = try group("cut.mp4") { $0.removeLast($0.count * 3 / 5) }
    let middle = try group("middle.mp4") { bytes in
      for index in bytes.count / 2..<bytes.count / 2 + 600 { bytes[index] ^= 0x5A }
    }
    for input in [cut, middle] {
      var whole: [Int] = []
      for number in 0..<20 {
        let outcome = try BuiltCandela.run(
          ["still", input, folder.path("x.png"), "-y", "--frame", "\(number)"])
        if outcome.status == 0 { whole.append(number) }
      }
      #expect((1..<20).contains(whole.count), "\(whole)")
      for wanted in [12, 19] where !whole.contains(wanted) {
        let outcome = try BuiltCandela.run(
          ["still", input, folder.path("x.png"), "-y", "--frame", "\(wanted)"])
        let nearest = try #require(whole.map { abs($0 - wanted) }.min())
        #expect(outcome.status == 2)
        #expect(try abs(frame(outcome.text[...]) - wanted) == nearest, "\(outcome.text) \(whole)")
      }
    }
  }

  /// Each run gives the same frame, the same samples and the same status, even with many
  /// threads.
  @Test(arguments: ["mp4", "mkv", "ts"]) func runsAgree(container: String) throws {
    let whole = try group("whole.mp4") { _ in }
    let input = folder.path("damaged.\(container)")
    try Tool.ffmpeg("-i", whole, "-c", "copy", input)
    var bytes = try FileBytes.read(input)
    for index in bytes.count / 2..<bytes.count / 2 + 900 { bytes[index] ^= 0x5A }
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    for arguments in [["--time", "0.9"], ["--time", "1.3"], []] {
      let results = try (0..<6).map { _ in
        let outcome = try BuiltCandela.run(
          ["still", input, folder.path("x.png"), "-y"] + arguments)
        let digest = try Tool.digest(folder.path("x.png"))
        return "\(outcome.status) \(outcome.text) \(digest)"
      }
      #expect(Set(results).count == 1, "\(results)")
    }
  }

  /// A file that was cut off is reported as such, even if nothing lists the frames that it lacks.
  @Test func aCutMatroskaFileIsTold() throws {
    let whole = try group("whole.mp4") { _ in }
    let input = folder.path("cut.mkv")
    try Tool.ffmpeg("-i", whole, "-c", "copy", input)
    let bytes = try FileBytes.read(input)
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(fileURLWithPath: input))
    let late = try BuiltCandela.run(
      "still", input, folder.path("x.png"), "-y", "--time", "1.9")
    #expect(late.status == 2 && late.errors.contains("it should end at byte"), "\(late.errors)")
    let many = try BuiltCandela.run("still", input, folder.path("x%d.png"), "--count", "2")
    #expect(many.status == 2 && many.errors.contains("up to"), "\(many.errors)")
    let early = try BuiltCandela.run(
      "still", input, folder.path("x.png"), "-y", "--time", "0.1")
    #expect(early.status == 0, "\(early.errors)")
  }

  /// A message about a single frame says "1 frame is", not "1 frames are".
  @Test func theOnlyFrame() throws {
    let input = folder.path("one.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "1", "-c:v", "libx264", input)
    let outcome = try BuiltCandela.run("still", input, folder.path("x.png"), "--frame", "1")
    #expect(outcome.errors.contains("there is no frame 1: 1 frame is presented"))
  }

  /// The first frame that is not black keeps its number, even if frames before it are lost.
  @Test func blackFramesThatAreLost() throws {
    let input = folder.path("late.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=black:s=192x128:r=25:d=2", "-vf",
      "drawbox=t=fill:c=red:enable='gte(n,9)',format=gbrp", "-c:v", "libx264rgb", "-g", "1", input)
    let facts = try Tool.probe(input, "packet=pos,size").map { $0.split(separator: ",") }
    var bytes = try FileBytes.read(input)
    for index in 3...5 {
      let (size, place) = (try #require(Int(facts[index][0])), try #require(Int(facts[index][1])))
      for index in place..<place + size { bytes[index] = 0 }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let outcome = try BuiltCandela.run(["still", input, folder.path("x.png")])
    #expect(try frame(outcome.text[...]) == 9, "\(outcome.text) \(outcome.errors)")
  }
}
