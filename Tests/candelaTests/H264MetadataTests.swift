// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// H.264 keeps HDR metadata. HDR10+ is in each access unit. Other messages are at sync samples,
/// because the configuration record has no room for them.
@Suite struct H264MetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Encodes half a second of PQ in H.264, with a key frame every five frames.
  private func encoded(_ settings: String...) throws -> String {
    let output = folder.path("encoded.mp4")
    let all =
      settings + [
        "video.codec=h264", "video.profileLevel=H264_High10_AutoLevel",
        "video.compressionProperties.maxKeyFrameInterval=5",
      ]
    let outcome = try BuiltCandela.run(
      ["transcode", try BuiltCandela.sample(in: folder), output, "--preset", "hevc-pq", "-y"]
        + all.flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  private func convert(_ input: String, to name: String, _ options: String...) throws -> String {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(["metadata", "convert", input, output] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns the types of a file's NAL units. An SEI unit counts as the type of its message.
  private func units(_ path: String) throws -> [String] {
    let stream = folder.path("stream.h264")
    try Tool.ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "h264", stream)
    return ByteStream.units(try FileBytes.read(stream)).map { unit in
      switch unit[0] & 0x1F {
      case 1: "slice"
      case 5: "IDR"
      case 6: unit[1] == 4 && unit[3...].starts(with: [0xB5, 0, 0x3C]) ? "HDR10+" : "\(unit[1])"
      default: ""
      }
    }.filter { !$0.isEmpty }
  }

  private func light(_ path: String) throws -> [[String: Any]] {
    let shown = try BuiltCandela.run("metadata", "show", path, "--frames", "--json").json()
    let frames = try #require(shown["frames"] as? [[String: Any]])
    return frames.compactMap { $0["hdr10Plus"] as? [String: Any] }
  }

  @Test func everySyncSampleStatesTheDisplay() throws {
    let all = try units(try encoded("video.masteringDisplay=p3,1000,0.0001"))
    let places = all.indices.filter { all[$0] == "IDR" }
    #expect(places.count == 3)
    for place in places { #expect(all[..<place].suffix(1) == ["137"], "\(all)") }
    #expect(all.filter { $0 == "137" }.count == 3)
    let facts = try BuiltCandela.run("inspect", folder.path("encoded.mp4"))
    #expect(facts.output.contains("(mdcv box, SEI 137)"), "\(facts.output)")
  }

  /// Light is measured in the decoded frames, in an encode as well as in a copy.
  @Test func lightIsThatOfDecodedFrames() throws {
    let source = try encoded("video.hdrMetadata.hdr10Plus=measure")
    let types = try units(source)
    #expect(types.filter { $0 == "HDR10+" }.count == 15)
    for (unit, next) in zip(types, types.dropFirst()) where unit == "HDR10+" {
      #expect(["slice", "IDR"].contains(next))
    }
    let copy = try convert(source, to: "copy.mp4", "--hdr10plus", "measure", "--light", "measure")
    let (own, other) = (try light(source), try light(copy))
    #expect(own.count == 15 && NSArray(array: own) == NSArray(array: other))
    #expect(try units(copy).filter { $0 == "144" }.count == 3)
    let pictures = try Tool.frameDigests(source, format: "yuv420p10le")
    #expect(try Tool.frameDigests(copy, format: "yuv420p10le") == pictures)
    let without = try convert(copy, to: "none.mov", "--hdr10plus", "none", "--light", "none")
    let left = try units(without)
    #expect(!left.contains("HDR10+") && !left.contains("144"))
    #expect(left.filter { ["slice", "IDR"].contains($0) }.count == 15)
  }

  /// HDR10+ is kept if H.264 becomes HEVC, if it is grafted onto an H.264 encode, and in Matroska.
  @Test func hdr10PlusIsKept() throws {
    let source = try encoded("video.hdrMetadata.hdr10Plus=measure")
    let hevc = folder.path("hevc.mkv")
    let outcome = try BuiltCandela.run(
      "transcode", source, hevc, "--preset", "hevc-match-source", "--speed", "ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let own = try light(source)
    #expect(try NSArray(array: light(hevc)) == NSArray(array: own))
    let bare = try convert(source, to: "bare.mp4", "--hdr10plus", "none")
    let grafted = try BuiltCandela.run("metadata", "graft", hevc, bare, folder.path("out.mkv"))
    #expect(grafted.status == 0, "\(grafted.errors)")
    #expect(try NSArray(array: light(folder.path("out.mkv"))) == NSArray(array: own))
  }

  /// Dolby Vision is refused, because H.264 has no Dolby Vision profile for HDR.
  @Test func dolbyVisionIsRefused() throws {
    let source = try encoded()
    let asked = try BuiltCandela.run(
      "metadata", "convert", source, folder.path("dv.mp4"), "--dolby-vision", "8.1")
    #expect(asked.status == 65, "\(asked.errors)")
    let dolby = folder.path("dolby.mov")
    let made = try BuiltCandela.run(
      "transcode", source, dolby, "--preset", "hevc-pq", "--speed", "ultrafast", "--set",
      "video.hdrMetadata.dolbyVision=8.1")
    #expect(made.status == 0, "\(made.errors)")
    let grafted = try BuiltCandela.run("metadata", "graft", dolby, source, folder.path("out.mp4"))
    #expect(grafted.status == 65 && grafted.errors.contains("HEVC"), "\(grafted.errors)")
  }
}
