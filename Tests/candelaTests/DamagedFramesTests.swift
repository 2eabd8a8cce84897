// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Damage is reported in every codec and container, with status 2. If frames are missing or wrong,
/// the status is never 0.
@Suite struct DamagedFramesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let fast = [
    "--preset", "h264-sdr", "--set", "video.compressionProperties.speed=ultrafast",
  ]

  /// Makes a movie of 20 frames.
  private func movie(
    _ name: String, _ encoder: [String], size: String = "192x128"
  ) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.8"] + encoder + [path])
    return path
  }

  /// Returns where a packet's bytes are in a file.
  private func place(ofPacket index: Int, in path: String) throws -> Range<Int> {
    let rows = try Tool.probe(path, "packet=size,pos")
    let numbers = rows[index].split(separator: ",").compactMap { Int($0) }
    return numbers[1]..<numbers[1] + numbers[0]
  }

  private func transcode(_ path: String, _ options: [String] = []) throws -> (Tool.Outcome, Int) {
    let output = folder.path("out.mp4")
    try? FileManager.default.removeItem(atPath: output)
    let outcome = try BuiltCandela.run(["transcode", path, output] + Self.fast + options)
    let count = outcome.status == 65 ? 0 : try Tool.probe(output, "packet=size").count
    return (outcome, count)
  }

  @Test(
    arguments: [
      ("mpeg2.mp4", ["-c:v", "mpeg2video", "-bf", "2", "-g", "6"], "192x128"),
      ("mpeg2.mov", ["-c:v", "mpeg2video", "-bf", "2", "-g", "6"], "192x128"),
      ("mpeg4.mp4", ["-c:v", "mpeg4", "-bf", "2", "-g", "6"], "192x128"),
      ("mpeg4.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "6"], "192x128"),
      ("h264.avi", ["-c:v", "libx264", "-bf", "2", "-g", "6"], "192x128"),
      ("fields.mp4", ["-c:v", "libx264", "-flags", "+ildct+ilme", "-g", "6"], "192x128"),
      ("jpeg.mov", ["-c:v", "mjpeg"], "192x128"),
      ("vp9.mp4", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], "192x128"),
      ("prores.mov", ["-c:v", "prores_ks"], "192x128"),
      ("dv.avi", ["-c:v", "dvvideo", "-pix_fmt", "yuv420p"], "720x576"),
      ("dnxhr.mov", ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"], "256x256"),
    ].shortened(to: 3))
  func aPictureOfZeros(name: String, encoder: [String], size: String) throws {
    let path = try movie(name, encoder, size: size)
    let (whole, count) = try transcode(path)
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(count == 20)
    var bytes = try FileBytes.read(path)
    for index in try place(ofPacket: 9, in: path).dropFirst(8) { bytes[index] = 0 }
    let damaged = try folder.write(bytes, to: "damaged-\(name)")
    let (outcome, left) = try transcode(damaged)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect((8...20).contains(left))
    let (stopped, _) = try transcode(damaged, ["--on-error", "stop"])
    #expect(stopped.status == 65, "\(stopped.errors)")
  }

  /// Damage counts even if a decoder mentions it only in its log.
  @Test(
    arguments: [
      ("jpeg.mov", ["-c:v", "mjpeg"]), ("mpeg4.mp4", ["-c:v", "mpeg4", "-g", "6"]),
    ].shortened(to: 1))
  func halfOfAPicture(name: String, encoder: [String]) throws {
    let path = try movie(name, encoder)
    var bytes = try FileBytes.read(path)
    let place = try place(ofPacket: 9, in: path)
    for index in place.dropFirst(place.count / 2) { bytes[index] = 0 }
    let (outcome, count) = try transcode(try folder.write(bytes, to: "damaged-\(name)"))
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(count == 20)
  }

  /// A file that was cut off is refused if its format states where it ends, as movies do. In other
  /// formats, what is left is transcoded, but the status is 2.
  @Test(
    arguments: [
      ("cut.avi", ["-c:v", "mpeg4"], 65), ("cut.asf", ["-c:v", "wmv2"], 65),
      ("cut.mxf", ["-c:v", "mpeg2video"], 65), ("cut.mkv", ["-c:v", "mpeg4"], 65),
      ("cut.ogg", ["-c:v", "libtheora"], 2), ("cut.flv", ["-c:v", "flv"], 2),
      ("cut.ts", ["-c:v", "mpeg2video"], 2),
    ].shortened(to: 3))
  func aFileThatIsCutOff(name: String, encoder: [String], status: Int) throws {
    let path = try movie(name, encoder)
    #expect(try transcode(path).0.status == 0)
    let bytes = try FileBytes.read(path)
    // In a transport stream, this cuts through a packet.
    let cut = try folder.write(Array(bytes.prefix(bytes.count * 6 / 10 / 188 * 188 + 90)), to: name)
    let (outcome, _) = try transcode(cut)
    #expect(Int(outcome.status) == status, "\(outcome.errors)")
    let (continued, count) = try transcode(cut, ["--on-error", "continue"])
    #expect(continued.status == 2, "\(continued.errors)")
    #expect((1..<20).contains(count))
  }
}
