// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If a time contradicts other times or the frames, at most the frame with that time is lost. All
/// other frames stay in time with the audio.
@Suite struct ContradictingTimesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func movie(_ name: String, _ options: [String] = []) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v",
        "libx264", "-bf", "2", "-g", "10", "-pix_fmt", "yuv420p",
      ] + options + [path])
    return path
  }

  /// Transcodes a movie, and returns the times of the frames that come out, in hundredths of a
  /// second.
  private func times(_ path: String) throws -> (Tool.Outcome, [Int]) {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", path, output, "--overwrite", "--preset", "h264-sdr", "--set",
      "video.compressionProperties.speed=ultrafast")
    guard outcome.status != 65 else { return (outcome, []) }
    let times = try Tool.probe(output, "packet=pts_time").compactMap { Double($0) }.sorted()
    return (outcome, times.map { Int(($0 * 100).rounded()) })
  }

  private func patch(_ bytes: inout [UInt8], at start: Int, with number: UInt32) {
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index))
    }
  }

  /// Some containers state when frames are decoded but not when they are shown. The n-th frame is
  /// then shown at the n-th of these times.
  @Test(arguments: ["avi", "mxf"]) func filesWithDecodeTimesOnly(suffix: String) throws {
    let audio = suffix == "mxf" ? ["-an"] : ["-c:a", "pcm_s16le"]
    let (outcome, times) = try times(try movie("clip.\(suffix)", audio))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(times == (0..<50).map { $0 * 4 })
  }

  @Test func aMovieWithoutCompositionOffsets() throws {
    let path = try movie("clip.mov", ["-video_track_timescale", "600", "-c:a", "aac"])
    let whole = try times(path).1
    var bytes = try FileBytes.read(path)
    let place = try #require(bytes.firstRange(of: Array("ctts".utf8)))
    bytes.replaceSubrange(place, with: Array("free".utf8))
    let (outcome, times) = try times(try folder.write(bytes, to: "none.mov"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    // Without offsets, the first two frames come before the edit begins, so they are hidden. With
    // the right offsets, all 50 are shown.
    #expect(whole == (0..<50).map { $0 * 4 })
    #expect(times == (0..<48).map { $0 * 4 })
  }

  /// One offset that is out of range does not shift other frames, although it makes libavformat
  /// ignore all offsets.
  @Test func anOffsetOutOfRangeCostsItsOwnPicture() throws {
    let path = try movie("clip.mov", ["-video_track_timescale", "600", "-c:a", "aac"])
    var bytes = try FileBytes.read(path)
    // The patch replaces the offset in the tenth entry of the table.
    let table = try #require(bytes.firstRange(of: Array("ctts".utf8))).upperBound
    patch(&bytes, at: table + 8 + 9 * 8 + 4, with: 0x7FFF_FFFF)
    let (outcome, times) = try times(try folder.write(bytes, to: "huge.mov"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("timestamps were missing"), "\(outcome.errors)")
    #expect(times == (0..<50).map { $0 * 4 })
  }

  /// An absurd time does not crash the program.
  @Test(arguments: [UInt32(0x4000_0000), 0x7FFF_FFFF, 0xFFFF_FFFF].shortened(to: 1))
  func fragmentsAtAbsurdTimes(
    high: UInt32
  ) throws {
    let path = try movie(
      "clip.mp4", ["-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"])
    var bytes = try FileBytes.read(path)
    // Since the tracks take turns, the third `tfdt` belongs to the second fragment of the video.
    var start = 0
    for _ in 0..<3 {
      start = try #require(bytes[start...].firstRange(of: Array("tfdt".utf8))).upperBound
    }
    patch(&bytes, at: start + 4, with: high)
    let absurd = try folder.write(bytes, to: "absurd.mp4")
    for command in ["plan", "inspect", "validate"] {
      let outcome = try BuiltCandela.run(command, absurd)
      #expect(outcome.status <= 2 || outcome.status == 65, "\(command): \(outcome.status)")
    }
    let (outcome, _) = try times(absurd)
    #expect([0, 2, 65].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
  }

  /// An edit that begins after the end of the media presents nothing, and it adds nothing to the
  /// output.
  @Test func anEditBehindTheMedia() throws {
    var bytes = try FileBytes.read(try movie("edit.mov"))
    for type in ["moov", "trak", "edts", "elst"] {
      let size = try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound - 4
      patch(&bytes, at: size, with: bytes[size..<size + 4].reduce(0) { $0 << 8 | UInt32($1) } + 12)
    }
    let list = try #require(bytes.firstRange(of: Array("elst".utf8))).upperBound
    patch(&bytes, at: list + 4, with: 2)
    bytes.insert(contentsOf: [0, 0, 3, 0xE8, 0x7F, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0], at: list + 20)
    let input = try folder.write(bytes, to: "late.mov")
    let (outcome, times) = try times(input)
    #expect(outcome.status == 0 && times == (0..<50).map { $0 * 4 }, "\(times) \(outcome.errors)")
    let verdict = try BuiltCandela.run("validate", folder.path("out.mov"))
    #expect(verdict.status == 0, "\(verdict.output)")
  }

  /// If a track's tables disagree about the number of samples, the tables are not copied, because
  /// players would read them differently.
  @Test(arguments: ["stts", "stsc"].shortened(to: 1))
  func tablesThatContradictEachOther(table: String) throws {
    let source = try movie("code.mov", ["-timecode", "01:00:00:00"])
    var bytes = try FileBytes.read(source)
    // The last table of each kind belongs to the time code track.
    let data = Data(bytes)
    let last = try #require(data.range(of: Data(table.utf8), options: .backwards)).upperBound
    patch(&bytes, at: last + (table == "stts" ? 8 : 12), with: 30)
    let input = try folder.write(bytes, to: "counts.mov")
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run("transcode", input, output, "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let read = try Tool.run("ffprobe", ["-v", "error", output])
    #expect(read.status == 0 && read.errors == "", "\(read.errors)")
  }
}
