// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If small files or arguments ask for huge amounts of work, they are refused at once, or the work
/// takes little time and memory.
@Suite struct HostileInputTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  /// Runs a command with limits on its memory and processor time. The command fails if it needs
  /// more of either.
  private func run(_ arguments: [String], seconds: Int = 5) throws -> Tool.Outcome {
    try Tool.runUnlessStuck(
      "bash",
      ["-c", "ulimit -v 4000000 -t \(seconds); exec \"$0\" \"$@\"", BuiltCandela.path] + arguments)
  }

  private func refused(
    _ status: Int32, _ words: String, _ arguments: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == status, "\(outcome.errors.prefix(500))", sourceLocation: location)
    #expect(
      outcome.errors.contains(words), "\(outcome.errors.prefix(500))", sourceLocation: location)
    #expect(outcome.errors.count < 1000, sourceLocation: location)
  }

  /// With `--preset <(…)`, a shell passes a pipe, which can be read only once.
  @Test func aPresetOutOfAPipeIsReadOnce() throws {
    let outcome = try Tool.run(
      "bash",
      [
        "-c",
        "\"$0\" transcode \"$1\" \"$2/a.mov\" --preset <(\"$0\" presets show h264-sdr) "
          + "--report \"$2/a\"",
        BuiltCandela.path, sample, folder.path("."),
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.names == ["a", "a.mov", "sample.mov"])
  }

  /// Writes the sample movie with a different `stsz` box in one track. The box states that the
  /// track has `count` samples of one byte each.
  private func movie(stating count: UInt32, track: Int = 0) throws -> String {
    var bytes = Data(try FileBytes.read(sample))
    var place = try #require(bytes.range(of: Data("stsz".utf8)))
    for _ in 0..<track {
      place = try #require(bytes.range(of: Data("stsz".utf8), in: place.upperBound..<bytes.count))
    }
    let numbers = [1, count].flatMap { number in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    bytes.replaceSubrange(place.upperBound + 4..<place.upperBound + 12, with: numbers)
    return try folder.write(bytes, to: "hostile.mov")
  }

  @Test(arguments: [UInt32.max, 1_000_000_000, 20_000_000].shortened(to: 1))
  func aCommonSizeWithAnAbsurdCount(count: UInt32) throws {
    let path = try movie(stating: count)
    let before = try FileBytes.read(path)
    let words = "the box 'stsz' has an impossible count: \(count) samples in \(before.count) bytes"
    try refused(65, words, ["retag", path, folder.path("out.mov"), "--color", "709"])
    try refused(65, words, ["retag", "--in-place", path, "--color", "709"])
    _ = try BuiltCandela.run("rpu", "extract", sample, folder.path("rpu.bin"))
    if FileManager.default.fileExists(atPath: folder.path("rpu.bin")) {
      try refused(65, words, ["rpu", "inject", path, folder.path("rpu.bin"), folder.path("o.mov")])
    }
    #expect(try FileBytes.read(path) == before)
    #expect(folder.names.filter { $0.hasPrefix(".") || $0.hasPrefix("o") }.isEmpty)
    #expect([0, 1, 65].contains(try run(["validate", path]).status))
    #expect([0, 65].contains(try run(["inspect", path]).status))
  }

  /// If none of a movie's frames can be read, the command fails. If only its audio cannot be read,
  /// a notice names the loss.
  @Test func aTrackOfWhichNothingCanBeRead() throws {
    let output = folder.path("out.mov")
    let copy = ["--set", "video.codec=passthrough", "--on-error", "continue"]
    let pictures = try movie(stating: .max)
    try refused(65, "none of its frames can be read", ["transcode", pictures, output] + copy)
    #expect(!folder.names.contains { $0.hasPrefix("out") })
    let audio = try movie(stating: .max, track: 1)
    let (outcome, notices) = try BuiltCandela.transcode([audio, output] + copy)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(notices.arguments("trackWithoutSamples") == ["track": "2", "kind": "audio"])
    #expect(try Tool.probe(output, "stream=codec_type") == ["video"])
  }

  @Test func presetsHaveLimits() throws {
    func refused(_ words: String, _ json: String) throws {
      let file = try folder.write(json, to: "p.json")
      try self.refused(64, words, ["presets", "validate", file])
    }
    let many = String(repeating: "1,", count: 2_000_000)
    try refused("larger than 1 MB", "{\"video\":[\(many)1]}")
    let fewer = String(repeating: "1,", count: 100_000)
    try refused("name must be a string", "{\"video\":{\"codec\":\"hevc\"},\"name\":[\(fewer)1]}")
    try refused("too deep", String(repeating: "[", count: 400_000))
    try refused("too deep", "{\"video\":\(String(repeating: "{\"a\":", count: 400))")
    try refused("video appears twice", "{\"video\":{\"codec\":\"hevc\"},\"video\":{}}")
    try refused(
      "video.codec appears twice", "{\"video\":{\"codec\":\"hevc\",\"\\u0063odec\":\"h264\"}}")
    try refused("is not a known key", "{\"\(String(repeating: "k", count: 900_000))\":1}")
    try self.refused(64, "larger than 1 MB", ["plan", sample, "--preset", "/dev/zero"])
  }

  @Test func keysOfManyParts() throws {
    let key = Array(repeating: "a", count: 60_000).joined(separator: ".")
    try refused(64, "it has 60000 parts", ["plan", sample, "--set", "\(key)=1"])
    try refused(
      64, "twice",
      ["plan", sample, "--set", "video.composition={\"overlay\":{\"x\":1,\"x\":2}}"])
  }

  /// Writes a PNG file that states a size and may have a chunk of zeros, but has no pixels. Its
  /// checksums can be zeros, because sizes are checked before checksums.
  private func png(_ width: UInt32, _ height: UInt32, chunk: (String, Int)? = nil) throws -> String
  {
    func number(_ value: UInt32) -> [UInt8] {
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += number(13) + Array("IHDR".utf8) + number(width) + number(height)
    bytes += [8, 6, 0, 0, 0, 0, 0, 0, 0]
    if let (type, size) = chunk {
      bytes += number(UInt32(size)) + Array(type.utf8) + [UInt8](repeating: 0, count: size + 4)
    }
    bytes += number(0) + Array("IEND".utf8) + [0, 0, 0, 0]
    return try folder.write(bytes, to: "picture.png")
  }

  @Test func overlaysHaveLimits() throws {
    func refused(_ words: String, _ path: String) throws {
      let overlay = "video.composition={\"overlay\":{\"file\":\"\(path)\"}}"
      try self.refused(
        64, words, ["transcode", sample, folder.path("out.mp4"), "--set", overlay])
    }
    try refused("30000×8000 pixels", png(30_000, 8000))
    try refused("12000×12000 pixels", png(12_000, 12_000))
    try refused("16385×1 pixels", png(16_385, 1))
    try refused("'iCCP' chunks", png(8, 8, chunk: ("iCCP", 261_000)))
    try refused("'zTXt' chunks", png(8, 8, chunk: ("zTXt", 261_000)))
    try refused("cannot be read", png(8, 8))
    #expect(!folder.names.contains("out.mp4"))
  }

  /// Runs a command that has to succeed, and returns its largest resident size in kB. Its output is
  /// dropped.
  private func memory(of arguments: [String]) throws -> Int {
    let script =
      "import resource,subprocess,sys;s=subprocess.call(sys.argv[1:],stdout=subprocess.DEVNULL);"
      + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss);sys.exit(s)"
    let outcome = try Tool.run("python3", ["-c", script, BuiltCandela.path] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(Int(outcome.text))
  }

  /// The decoders of many tracks are not all open at the same time.
  @Test func manyTracksOfLargePictures() throws {
    let (one, many) = (folder.path("one.mp4"), folder.path("many.mp4"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=25", "-frames:v", "8", "-c:v", "libx264",
      "-preset", "ultrafast", "-bf", "2", one)
    let maps = (0..<40).flatMap { _ in ["-map", "0:v"] }
    try Tool.ffmpeg(["-i", one] + maps + ["-c", "copy", many])
    let shown = try run(["inspect", many], seconds: 20).output
    #expect(shown.split(separator: "\n").count { $0.contains("video      1920×1080") } == 40)
    // libavformat alone takes 320 MB; 40 open decoders would take another 180 MB.
    #expect(try memory(of: ["inspect", many]) < 420_000)
  }

  /// A file without tables is read once for all of its tracks. Reading it again for each track took
  /// half a minute with 200 tracks.
  @Test(arguments: ["mkv", "ts"].shortened(to: 1))
  func manyTracksAreReadInOneGo(suffix: String) throws {
    let (one, many) = (folder.path("one.mp4"), folder.path("many.\(suffix)"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "10", "-c:v", "libx264",
      "-preset", "ultrafast", one)
    let maps = (0..<150).flatMap { _ in ["-map", "0:v"] }
    try Tool.ffmpeg(["-i", one] + maps + ["-c", "copy", many])
    let outcome = try run(
      ["cut", many, folder.path("out.mov"), "--from", "0.1", "--to", "0.3"], seconds: 8)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// If most of an overlay's image is outside the frame, only the part inside is processed.
  @Test func aLargeOverlayIsCroppedFirst() throws {
    let picture = folder.path("large.png")
    try Tool.ffmpeg("-f", "lavfi", "-i", "color=red:s=6000x6000", "-frames:v", "1", picture)
    let place = "\"x\":-3000,\"y\":-3000"
    let overlay = "video.composition={\"overlay\":{\"file\":\"\(picture)\",\(place)}}"
    let memory = try memory(
      of: [
        "transcode", sample, folder.path("out.mp4"), "--preset", "h264-sdr", "--set", overlay,
      ])
    // Converting all 36 Mpixel took 970 MB.
    #expect(memory < 600_000)
    let pixel = try Tool.picture(folder.path("out.mp4"), format: "rgb24").prefix(3)
    #expect(pixel.first.map { $0 > 200 } == true, "\(pixel)")
  }

  /// Retagging 41 tracks is quick because it needs no decoder. It was slow when all tracks were
  /// opened again for each track.
  @Test(.needsSharedMedia, arguments: ["201450.mp4", "301295.mp4"].shortened(to: 1))
  func manyTracksAreRetaggedInOneGo(name: String) throws {
    let path = SharedMedia.path("found/crafted/\(name)")
    for color in ["709", "2020"] {
      let output = folder.path("\(color).mp4")
      let outcome = try run(["retag", path, output, "--color", color])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let primaries = try Tool.probe(output, "stream=color_primaries", stream: "v")
      #expect(primaries.count == 41)
      #expect(Set(primaries) == ["bt\(color)"])
    }
  }
}
