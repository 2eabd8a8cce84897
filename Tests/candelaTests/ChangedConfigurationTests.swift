// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// An FLV file may change its parameter sets, the size of the lengths before NAL units and the
/// configuration of audio at any time. Frames and audio after such a change are right even if
/// reading begins behind it.
@Suite struct ChangedConfigurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A tag of FLV (Adobe Flash Video File Format 10.1, E.4).
  private struct Tag {
    var kind: UInt8
    var time: Int
    var content: [UInt8]

    static let (audio, video): (UInt8, UInt8) = (8, 9)
    /// The size of the file's header and of the number after it.
    static let start = 13

    /// Returns the tags of a file's frames, audio and configurations.
    static func all(in file: [UInt8]) -> [Tag] {
      var (tags, place) = ([Tag](), start)
      while place + 11 <= file.count {
        let size = number(file, place + 1, 3)
        let content = Array(file[place + 11..<place + 11 + size])
        // The second byte of the content is 0 for a configuration, and 2 at the end.
        if [audio, video].contains(file[place]), content[1] < 2 {
          tags.append(
            Tag(
              kind: file[place], time: number(file, place + 4, 3) | Int(file[place + 7]) << 24,
              content: content))
        }
        place += 11 + size + 4
      }
      return tags
    }

    var bytes: [UInt8] {
      let head = [kind] + Self.bytes(content.count, 3) + Self.bytes(time & 0xFF_FFFF, 3)
      return head + [UInt8(time >> 24), 0, 0, 0] + content + Self.bytes(11 + content.count, 4)
    }

    /// The tag with lengths of two bytes instead of four.
    var shortened: Tag {
      var (tag, place) = (self, 5)
      if content[1] == 0 {
        // `lengthSizeMinusOne` is in the fifth byte of the record.
        tag.content[9] = content[9] & ~3 | 1
        return tag
      }
      tag.content = Array(content[..<5])
      while place + 4 <= content.count {
        let length = Self.number(content, place, 4)
        tag.content += Self.bytes(length, 2) + content[place + 4..<place + 4 + length]
        place += 4 + length
      }
      return tag
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  private func encode(_ picture: String, _ name: String, _ options: String...) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "\(picture)=s=64x64:r=5", "-frames:v", "20", "-pix_fmt", "yuv420p"]
        + ["-c:v", "libx264", "-preset", "fast", "-g", "5"] + options + [path])
    return path
  }

  private func still(_ source: String, frame: Int) throws -> [UInt8] {
    let image = folder.path("still.png")
    let outcome = try BuiltCandela.run("still", source, image, "--frame", "\(frame)", "-y")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try Tool.pictures(image, format: "rgb24")
  }

  /// Copies of a part have one configuration, and audio has no other place for it than the sample
  /// entry.
  @Test func audioAfterTheChange() throws {
    var (start, tags) = ([UInt8](), [Tag]())
    for (number, (rate, channels)) in [("44100", "2"), ("22050", "1")].enumerated() {
      let path = folder.path("\(number).flv")
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=4", "-f", "lavfi", "-i", "sine=d=4",
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "5", "-c:a", "aac", "-ar", rate, "-ac",
        channels, path)
      let file = try FileBytes.read(path)
      start = start.isEmpty ? Array(file[..<Tag.start]) : start
      tags += Tag.all(in: file).map { tag in
        var later = tag
        later.time += 5000 * number
        return later
      }
    }
    let joined = try folder.write(start + tags.flatMap(\.bytes), to: "joined.flv")
    let part = folder.path("part.mp4")
    let cut = try BuiltCandela.run("cut", joined, part, "--from", "30f")
    #expect(cut.status == 0, "\(cut.errors)")
    let audio = try Tool.probe(part, "stream=sample_rate,channels", stream: "a:0")
    #expect(audio == ["22050,1"])
    try Tool.ffmpeg("-xerror", "-err_detect", "explode", "-i", part, "-f", "null", "-")
    let encoded = folder.path("encoded.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", joined, encoded, "--preset", "h264-sdr", "--speed", "ultrafast", "--from", "30f",
      "--set", "audio.codec=aac")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // A copy of both parts would need two configurations.
    let whole = try BuiltCandela.run("cut", joined, folder.path("whole.mp4"), "--from", "5f")
    #expect(whole.status == 65 && whole.errors.contains("configuration"), "\(whole)")
  }

  /// - Parameter isShortened: whether the size of the lengths changes, too.
  @Test(arguments: [false, true]) func framesAfterTheChange(isShortened: Bool) throws {
    let first = try encode("testsrc2", "first.flv", "-profile:v", "high", "-bf", "2")
    let second = try encode("mandelbrot", "second.flv", "-profile:v", "baseline")
    var file = try FileBytes.read(first)
    var tags = Tag.all(in: file)
    for tag in try Tag.all(in: FileBytes.read(second)) {
      var later = isShortened ? tag.shortened : tag
      later.time += 5000
      tags.append(later)
    }
    file = file[..<Tag.start] + tags.flatMap(\.bytes)
    let joined = try folder.write(file, to: "joined.flv")
    // The first of these frames is a sync sample, and the other is not.
    for frame in [15, 18] {
      #expect(try still(joined, frame: 20 + frame) == still(second, frame: frame))
    }
    let part = folder.path("part.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", joined, part, "--preset", "h264-sdr", "--speed", "ultrafast", "--from", "35f")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.frameDigests(part, format: "yuv420p").count == 5)
  }
}
