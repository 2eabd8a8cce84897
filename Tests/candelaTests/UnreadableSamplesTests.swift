// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A file whose samples cannot be decoded is refused, and the error says why.
@Suite struct UnreadableSamplesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns commands that need the samples of a file. The first three decode them.
  private func commands(_ source: String) -> [[String]] {
    let (movie, image) = (folder.path("out.mov"), folder.path("out.png"))
    return [
      ["plan", source], ["transcode", source, movie], ["still", source, image],
      ["transcode", source, movie, "--codec", "passthrough"], ["compare", source, source],
    ]
  }

  private func expectRefusal(_ source: String, _ words: String) throws {
    for command in commands(source) {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65, "\(command): \(outcome.status) \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(command): \(outcome.errors)")
    }
    #expect(!folder.names.contains { $0.hasPrefix("out.") })
  }

  @Test func encryptedMovies() throws {
    let source = folder.path("encrypted.mp4")
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "libx264",
        "-encryption_scheme", "cenc-aes-ctr", "-encryption_key",
        "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
        source,
      ])
    try expectRefusal(source, "is encrypted: decrypt the file first")
  }

  /// A Matroska track with `ContentEncryption`, as Widevine uses it, is refused.
  @Test func encryptedMatroska() throws {
    let (plain, title) = (folder.path("plain.mkv"), String(repeating: "x", count: 14))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "libvpx", "-metadata:s:v",
      "title=\(title)", plain)
    var bytes = try FileBytes.read(plain)
    // The track's name is replaced by ContentEncodings with one AES encryption.
    let encryption: [UInt8] = [
      0x6D, 0x80, 0x8E, 0x62, 0x40, 0x8B, 0x50, 0x33, 0x81, 0x01, 0x50, 0x35, 0x84, 0x47, 0xE1,
      0x81, 0x05,
    ]
    let name = try #require(bytes.firstRange(of: [0x53, 0x6E, 0x8E] + Array(title.utf8)))
    bytes.replaceSubrange(name, with: encryption)
    try folder.write(bytes, to: "encrypted.mkv")
    try expectRefusal(folder.path("encrypted.mkv"), "is encrypted: decrypt the file first")
  }

  @Test(.needsSharedMedia) func encryptedFragments() throws {
    let source = SharedMedia.path("third/mp4ff__prog_8s_enc_dashinit.mp4")
    guard FileManager.default.fileExists(atPath: source) else { return }
    let plan = try BuiltCandela.run("plan", source, "--set", "audio=none")
    #expect(plan.status == 65 && plan.errors.contains("track 2 is encrypted"), "\(plan.errors)")
    let still = try BuiltCandela.run("still", source, folder.path("out.png"))
    #expect(still.status == 65 && folder.names.isEmpty, "\(still.errors)")
  }

  /// A codec for which FFmpeg has no decoder is refused.
  @Test func unknownCodecs() throws {
    let plain = folder.path("plain.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "mjpeg", plain)
    var bytes = try FileBytes.read(plain)
    let entry = try #require(bytes.firstRange(of: Array("jpeg".utf8)))
    bytes.replaceSubrange(entry, with: Array("zzzz".utf8))
    try folder.write(bytes, to: "unknown.mov")
    let source = folder.path("unknown.mov")
    for command in commands(source).prefix(3) {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65, "\(command): \(outcome.errors)")
      let words = "this FFmpeg library has no decoder for the codec zzzz"
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  /// If most frames are lost, the command fails instead of reporting a partial success.
  @Test func mostFramesAreLost() throws {
    let plain = folder.path("plain.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.8", "-c:v", "png", "-pix_fmt", "rgb24", plain)
    var bytes = try FileBytes.read(plain)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x49, 0x48, 0x44, 0x52]) }
    // The first frames stay intact, so that the plan succeeds.
    for start in starts.dropFirst(4) { bytes[start + 1] = 0 }
    try folder.write(bytes, to: "damaged.mov")
    let outcome = try BuiltCandela.run(
      "transcode", folder.path("damaged.mov"), folder.path("out.mp4"), "--preset", "h264-sdr")
    #expect(outcome.status == 65, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.errors.contains("16 of its 20 frames cannot be decoded"), "\(outcome.errors)")
    #expect(!folder.names.contains("out.mp4"))
  }

  /// If a track has no `stsd`, nothing says what its samples are. An audio track without it is left
  /// out, and a file whose video has none is refused.
  @Test(arguments: ["h264-sdr", "passthrough"].shortened(to: 1))
  func tracksWithoutADescription(codec: String) throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4",
      "-c:v", "libx264", "-c:a", "aac", plain)
    var bytes = try FileBytes.read(plain)
    let entries = bytes.indices.filter { bytes[$0...].starts(with: Array("stsd".utf8)) }
    try #require(entries.count == 2)
    bytes.replaceSubrange(entries[1]..<entries[1] + 4, with: Array("free".utf8))
    try folder.write(bytes, to: "sound.mp4")
    let output = folder.path("out.mp4")
    let option = codec == "passthrough" ? ["--codec", codec] : ["--preset", codec]
    let outcome = try BuiltCandela.run(
      ["transcode", folder.path("sound.mp4"), output] + option)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("without a sample description"), "\(outcome.errors)")
    #expect(try Tool.probe(output, "stream=codec_type", stream: "a").isEmpty)
    bytes.replaceSubrange(entries[1]..<entries[1] + 4, with: Array("stsd".utf8))
    bytes.replaceSubrange(entries[0]..<entries[0] + 4, with: Array("free".utf8))
    try folder.write(bytes, to: "video.mp4")
    let plan = try BuiltCandela.run(["plan", folder.path("video.mp4")] + option)
    #expect(plan.status == 65, "\(plan.output)\(plan.errors)")
  }
}
