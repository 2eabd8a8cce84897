// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Stills of files that are cut off or lack frames: the nearest frame, by its own name.
@Suite(.takesLong) struct DamagedStillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The first part of a clip of 4 s at 30 frames a second, whose beginning lists all frames.
  private func cutClip(_ codec: [String]) throws -> String {
    let (whole, cut) = (folder.path("whole.mov"), folder.path("cut.mov"))
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=192x128:r=30:d=4"] + codec
        + ["-movflags", "+faststart", whole])
    let bytes = try FileBytes.read(whole)
    try Data(bytes.prefix(bytes.count * 2 / 5)).write(to: URL(fileURLWithPath: cut))
    return cut
  }

  /// The number of the frame that a line of output names.
  private func frame(_ line: Substring) throws -> Int {
    let match = try #require(line.firstMatch(of: /frame (\d+) at\b/))
    return try #require(Int(match.1))
  }

  /// However far from the last frame that is there, that one is shown, and it is sound.
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

  /// Zeros as the end of a file that was preallocated: the last frame before them is shown.
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

  /// Of many stills each is made and told.
  @Test func manyOfACutFile() throws {
    let outcome = try BuiltCandela.run([
      "still", cutClip(["-c:v", "mjpeg"]), folder.path("s-%d.jpg"), "--count", "6",
    ])
    #expect(outcome.status == 2)
    let frames = try outcome.text.split(separator: "\n").map(frame)
    #expect(frames.count == 6 && frames == frames.sorted())
    #expect(FileManager.default.fileExists(atPath: folder.path("s-6.jpg")))
  }

  /// The frame before a lost one is not shown under its name, nor what refers to it as whole.
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

  /// Damage of a frame that no other refers to is of that frame alone, also where only its slices
  /// say so.
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

  /// One group of frames that refer to each other, of which a part is missing or wrong.
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

  /// No whole frame is nearer than the one that is taken.
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

  /// Each run gives the same frame, the same samples and the same status, however threads compete.
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

  /// A file that was cut off is told, also where nothing lists the frames that it lacks.
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

  /// Messages count as people do.
  @Test func theOnlyFrame() throws {
    let input = folder.path("one.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "1", "-c:v", "libx264", input)
    let outcome = try BuiltCandela.run("still", input, folder.path("x.png"), "--frame", "1")
    #expect(outcome.errors.contains("there is no frame 1: 1 frame is presented"))
  }

  /// The first frame that is not black has its own number, whatever is lost before it.
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
