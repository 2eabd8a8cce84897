// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation
import LibAV
import MediaCore
import TestSupport
import Testing

/// A small file, made by ffmpeg's command line or from a fixture, and what is read from it.
struct Clip {
  let folder: TemporaryFolder
  let path: String

  /// Makes a movie with audio and ten HEVC frames of 64×48 at 25 a second, which are coded out of
  /// order.
  static func movie(
    _ name: String = "clip.mov", _ more: [String] = [], depth: String = "yuv420p10le"
  ) throws -> Clip {
    let folder = try TemporaryFolder()
    let path = folder.path(name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i",
        "sine=440:sample_rate=48000:d=0.4", "-pix_fmt", depth, "-c:v", "libx265", "-preset",
        "ultrafast", "-x265-params",
        "bframes=2:b-adapt=0:keyint=5:min-keyint=5:open-gop=0:no-scenecut=1:log-level=none:"
          + "colorprim=9:transfer=18:colormatrix=9:range=limited",
        "-c:a", "aac", "-video_track_timescale", "600",
      ] + more + [path])
    return Clip(folder: folder, path: path)
  }

  /// Writes the bytes of a fixture to a file.
  static func fixture(_ name: String) throws -> Clip {
    let folder = try TemporaryFolder()
    return Clip(folder: folder, path: try folder.write(Fixture.bytes(name), to: "\(name).mov"))
  }

  static func packets(_ path: String) throws -> [Packet] {
    var packets = try DemuxedPackets(path: path)
    var all: [Packet] = []
    while let packet = try packets.next() { all.append(packet) }
    return all
  }

  func packets() throws -> [Packet] { try Self.packets(path) }

  /// Returns the decoded frames of the first video track.
  func frames() throws -> [DecodedFrame] {
    let demuxer = try Demuxer(path: path)
    let track = try #require(demuxer.tracks.first { $0.kind == .video })
    let decoder = try VideoDecoder(track: track)
    var frames: [DecodedFrame] = []
    func receive() throws { while let frame = try decoder.receive() { frames.append(frame) } }
    var packets = DemuxedPackets(demuxer, of: [track.index])
    while let packet = try packets.next() {
      try decoder.send(packet)
      try receive()
    }
    try decoder.send(nil)
    try receive()
    return frames
  }
}

/// The memory and descriptors that are in use by the process that runs the tests.
enum Process {
  static func descriptorCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// Returns the resident memory in bytes.
  static func memory() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return pages * 4096
  }
}
