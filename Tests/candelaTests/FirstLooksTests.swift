// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// What people look for first is easy to find: versions, what a file is, and their own presets.
@Suite struct FirstLooksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func versionNamesLibraries() throws {
    let outcome = try BuiltCandela.run("--version")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("candela 0.") == true)
    for name in ["FFmpeg ", "libavcodec ", "x265 ", "x264 ", "color conversion with "] {
      #expect(outcome.output.contains(name), "\(outcome.output)")
    }
  }

  @Test(.needsSharedMedia) func inspectBeginsWithWhatPeopleLookFor() throws {
    let path = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let outcome = try BuiltCandela.run("inspect", path)
    let head = outcome.output.split(separator: "\n").prefix { !$0.hasPrefix("track") }
    #expect(head.first == "\(path): brand 'qt  ', 0.107 s")
    #expect(
      head.dropFirst().first
        == "  in short   HDR (HLG), Dolby Vision 8.4, 720×1280, 4 frames")
    #expect(head.contains { $0.hasPrefix("  size       64.6 kB, 4.8") }, "\(head)")
    #expect(head.contains { $0.hasPrefix("  date       20") }, "\(head)")
    #expect(head.contains { $0.hasPrefix("  place      +") }, "\(head)")
    #expect(head.contains("  device     Apple iPhone 14 Pro 16.4.1"), "\(head)")
  }

  /// Frames of profile 5 are HDR, though no tag says so.
  @Test(.needsSharedMedia) func dolbyVisionAloneIsHDR() throws {
    let outcome = try BuiltCandela.run("inspect", SharedMedia.path("hdr/androidx__dvhe_05_05.mp4"))
    #expect(outcome.output.contains("in short   HDR, Dolby Vision 5"), "\(outcome.output)")
  }

  /// A bare stream has Dolby Vision without a record, so an output that keeps it gains nothing.
  @Test(.needsSharedMedia) func keptRPUsAreNoGain() throws {
    let outcome = try BuiltCandela.run(
      "plan", SharedMedia.path("hdr/dovi_tool__regular.hevc"), "-p", "hevc-pq")
    #expect(
      outcome.output.contains("in short   stays HDR (PQ), Dolby Vision 8.1, 256×144"),
      "\(outcome.output)")
  }

  /// Other programs, which servers use, can read the place and the camera's maker from an MP4 file.
  @Test(.needsSharedMedia) func othersReadPlaceAndMaker() throws {
    let (source, output) = (
      SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"), folder.path("out.mp4")
    )
    let made = try BuiltCandela.run("transcode", source, output, "--codec", "passthrough")
    #expect(made.status == 0, "\(made.errors)")
    let tags = ["-s", "-GPSPosition", "-Make", "-Model", "-CreationDate"]
    let read = try [source, output].map { try Tool.run("exiftool", tags + [$0]).output }
    #expect(read[0] == read[1] && read[1].contains("iPhone 14 Pro"), "\(read)")
    let other = try Tool.run("mediainfo", [output])
    #expect(other.output.contains("com.apple.quicktime.model"), "\(other.output)")
  }

  /// Reports are at most 100 columns wide, except for the first line, which contains the path.
  @Test(.needsSharedMedia) func reportsFit() throws {
    let path = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    for arguments in [["plan", path, "-p", "h264-sdr"], ["validate", path, "--all"]] {
      let outcome = try BuiltCandela.run(arguments)
      let lines = outcome.output.split(separator: "\n").dropFirst()
      #expect(lines.allSatisfy { $0.count <= 100 }, "\(outcome.output)")
      #expect(!lines.isEmpty)
    }
  }

  @Test func presetsOfOnesOwn() throws {
    let place = folder.path("config/candela/presets")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let json = try BuiltCandela.run("presets", "show", "h264-sdr").output
      .replacing("\"name\": \"h264-sdr\"", with: "\"name\": \"small\"")
    try Data(json.utf8).write(to: URL(fileURLWithPath: "\(place)/small.json"))
    let run = { (arguments: [String]) in
      try Tool.run(
        "env",
        ["XDG_CONFIG_HOME=\(self.folder.path("config"))", BuiltCandela.path] + arguments)
    }
    let list = try run(["presets"])
    #expect(list.output.contains("small "), "\(list.output)")
    #expect(list.output.contains("candela/presets/small.json)"), "\(list.output)")
    // The list says which presets cannot be used, and why.
    let wrong = "\(place)/wrong.json"
    try Data("{\"video\": {}}".utf8).write(to: URL(fileURLWithPath: wrong))
    // A name that a built-in preset has, too, does not select the user's own.
    try Data("{\"video\": {\"codec\": \"hevc\"}}".utf8).write(
      to: URL(fileURLWithPath: "\(place)/hevc-pq.json"))
    let second = try run(["presets"])
    #expect(
      second.output.contains(
        " No description. (Named like a built-in preset, so use its path: \(place)/hevc-pq.json)"),
      "\(second.output)")
    #expect(second.status == 0 && second.output.contains("small "), "\(second.errors)")
    #expect(second.output.contains("not valid: \(wrong):1:2: video.codec "), "\(second.output)")
    let presets = try run(["presets", "--json"]).json()["presets"] as? [[String: Any]] ?? []
    let faulty = presets.filter { $0["problem"] != nil }
    #expect(faulty.compactMap { $0["name"] as? String } == ["wrong"])
    let shown = try run(["presets", "show", "wrong"])
    #expect(shown.status == 64 && shown.output.isEmpty, "\(shown.output)")
    let clip = folder.path("clip.mov")
    _ = try BuiltCandela.run("sample", clip, "--seconds", "0.2", "--size", "128x72")
    let plan = try run(["plan", clip, "-p", "small"])
    #expect(plan.output.contains("preset 'small'"), "\(plan.errors)")
    let mistyped = try run(["plan", clip, "-p", "smal"])
    #expect(mistyped.errors.contains("did you mean 'small'?"), "\(mistyped.errors)")
  }
}
