// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Frames and audio keep their times in a fragmented movie, even if one fragment states a start
/// time that does not fit between the other fragments.
@Suite struct FragmentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie of two seconds with audio, in five fragments.
  private func movie() throws -> String {
    let path = folder.path("whole.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v",
      "libx264", "-g", "10", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", path)
    return path
  }

  /// Copies the movie with a different start time in one fragment of a track. The time is moved by
  /// `ticks`, or set to 0 if `ticks` is `nil`.
  private func patched(_ path: String, track: Int, fragment: Int, by ticks: Int?) throws -> String {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let header = Data("tfhd".utf8)
    var (place, count) = (data.startIndex, 0)
    while let found = data.range(of: header, in: place..<data.endIndex) {
      place = found.upperBound
      guard data[place + 7] == UInt8(track) else { continue }
      count += 1
      if count > fragment { break }
    }
    let time = try #require(data.range(of: Data("tfdt".utf8), in: place..<data.endIndex))
    let field = time.upperBound + 4..<time.upperBound + 12
    try #require(data[time.upperBound] == 1)
    let old = data[field].reduce(0) { $0 << 8 | Int($1) }
    let new = ticks.map { old + $0 } ?? 0
    data.replaceSubrange(field, with: (0..<8).map { UInt8(new >> (56 - 8 * $0) & 0xFF) })
    let output = folder.path("patched.mp4")
    try data.write(to: URL(fileURLWithPath: output))
    return output
  }

  /// If each fragment has one frame, audio times are computed from the lengths of packets. Without
  /// these lengths, times would go backward, and the copy would be refused.
  @Test func aFragmentForEachFrame() throws {
    let path = folder.path("frames.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v",
      "libx264", "-bf", "0", "-c:a", "aac", "-movflags", "frag_every_frame+empty_moov", path)
    let output = folder.path("copy.mp4")
    let outcome = try BuiltCandela.run([
      "transcode", path, output, "--preset", "h264-sdr", "--codec", "passthrough",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let frames = try Tool.frameDigests(output, format: "yuv420p")
    #expect(try frames.count == 50 && frames == Tool.frameDigests(path, format: "yuv420p"))
  }

  /// FFmpeg reads all fragments with the first sample entry. An entry that says something else must
  /// not be passed over.
  @Test(arguments: [("avc1", 0), ("avc3", 65)])
  func fragmentsOfASecondSampleEntry(type: String, status: Int32) throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "12", "-pix_fmt", "yuv420p",
      "-c:v", "libx264", "-g", "4", "-movflags", "frag_keyframe+empty_moov+default_base_moof", plain
    )
    var bytes = Data(
      try SyntheticMovie.addSampleEntry(without: [], to: FileBytes.read(plain), isUsed: false))
    let second = try #require(bytes.range(of: Data("avc1".utf8), options: .backwards))
    bytes.replaceSubrange(second, with: Data(type.utf8))
    // After its type, `trex` has version and flags, the track's ID, and the number of the entry.
    let usual = try #require(bytes.range(of: Data("trex".utf8))).upperBound + 11
    try #require(bytes[usual] == 1)
    bytes[usual] = 2
    let source = try folder.write([UInt8](bytes), to: "source.mp4")
    let output = folder.path("out.mp4")
    for command in [["transcode", "--codec", "passthrough"], ["cut", "--to", "10f"]] {
      let outcome = try BuiltCandela.run(command + [source, output, "-y"])
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errors.contains("sample entry 2") == (status > 0), "\(outcome.errors)")
    }
    let shown = try BuiltCandela.run("metadata", "show", source)
    #expect(shown.status == status, "\(shown)")
  }

  /// Transcodes a movie, and returns the presentation times of the output's video and audio.
  private func times(_ path: String, _ preset: String) throws -> [[Double]] {
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", path, output, "--preset", preset, "--overwrite", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try ["v:0", "a:0"].map { stream in
      try Tool.probe(output, "packet=pts_time", stream: stream).compactMap { Double($0) }.sorted()
    }
  }

  /// No frame is lost or late, and the audio stays in time with the video.
  @Test(
    arguments: [(1, 12_800), (1, -2560), (1, nil), (2, 44_100), (2, -8820), (2, nil)].shortened(
      to: 3))
  func oneWrongTimeCostsNothing(track: Int, by ticks: Int?) throws {
    let path = try movie()
    let wanted = try times(path, "h264-sdr")
    #expect(wanted[0].count == 50)
    for fragment in [2, 1, 3, 4].shortened(to: 1) {
      let damaged = try patched(path, track: track, fragment: fragment, by: ticks)
      let found = try times(damaged, "h264-sdr")
      #expect(found == wanted, "fragment \(fragment)")
    }
  }

  @Test(arguments: [12_800, -2560].shortened(to: 1))
  func copiesAreRightToo(by ticks: Int) throws {
    let path = try movie()
    let preset = folder.path("copy.json")
    try #"{"name":"copy","video":{"codec":"passthrough"},"audio":"passthrough"}"#.write(
      toFile: preset, atomically: true, encoding: .utf8)
    func copy(_ path: String) throws -> [String] {
      let output = folder.path("copy.mp4")
      let outcome = try BuiltCandela.run(
        "transcode", path, output, "--preset", preset, "--overwrite")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try Tool.probe(output, "packet=pts_time,size")
    }
    let wanted = try copy(path)
    #expect(wanted.count == 50)
    #expect(try copy(try patched(path, track: 1, fragment: 2, by: ticks)) == wanted)
  }

  /// A shot begins at the same time even if a fragment states a wrong start time.
  @Test(arguments: [51_200, -25_600].shortened(to: 1))
  func shotsAreWhereTheirFramesAre(by ticks: Int) throws {
    let path = folder.path("shots.mp4")
    let light = "if(lt(N,100),100+X,if(lt(X,W/2),150+X,620+Y))"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=s=256x144:r=25:d=8,format=yuv420p10le", "-vf",
      "geq=lum='\(light)':cb=512:cr=512", "-c:v", "libx265", "-preset", "ultrafast",
      "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:keyint=25:bframes=0",
      "-movflags", "frag_keyframe+empty_moov", path)
    func shots(_ path: String) throws -> [NSDictionary] {
      let plan = try BuiltCandela.run("plan", path, "--json", "--preset", "h264-sdr").json()
      let video = try #require(plan["video"] as? [String: Any])
      let encoding = try #require(video["encoding"] as? [String: Any])
      return try #require(encoding["shots"] as? [NSDictionary])
    }
    let wanted = try shots(path)
    #expect(wanted.map { $0["start"] as? Double } == [0, 4])
    for fragment in [3, 4, 5].shortened(to: 1) {
      let damaged = try patched(path, track: 1, fragment: fragment, by: ticks)
      #expect(try shots(damaged) == wanted, "fragment \(fragment)")
    }
  }
}
