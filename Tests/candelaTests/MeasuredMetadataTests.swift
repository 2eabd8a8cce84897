// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import DolbyVision
import Foundation
import TestSupport
import Testing

/// With `video.hdrMetadata`, HDR10+ and Dolby Vision 8.1 are computed for PQ. They describe the
/// frames as a decoder outputs them.
@Suite struct MeasuredMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Transcodes half a second of the sample, which is HLG.
  private func transcode(_ name: String, _ settings: [String]) throws -> String {
    let (sample, output) = (try BuiltCandela.sample(in: folder), folder.path(name))
    let outcome = try BuiltCandela.run(
      ["transcode", sample, output, "--preset", "hevc-pq"]
        + (settings + ["video.compressionProperties.speed=ultrafast"]).flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    let validated = try BuiltCandela.run("validate", output)
    #expect(validated.status == 0, "\(validated.output)")
    return output
  }

  /// Light levels of several segments are those of a single encode, even if one segment is black.
  @Test func blackSegmentsHideNoLight() throws {
    let source = folder.path("late.mp4")
    // A source with fewer than 240 frames is not divided into segments.
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=s=64x64:r=30", "-frames:v", "240", "-vf",
      "format=yuv420p10le,geq=lum='if(lt(N,130),64,700)':cb=512:cr=512", "-c:v", "libx265",
      "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:range=limited:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
      source)
    let levels = try ["1", "2"].map { workers in
      let output = folder.path("\(workers).mp4")
      let outcome = try BuiltCandela.run(
        "transcode", source, output, "--preset", "hevc-pq", "--speed", "ultrafast", "--workers",
        workers, "--set", "video.compressionProperties.maxKeyFrameInterval=5")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try #require(HDRCheck.facts(output)["clli"] as? [Int])
    }
    #expect(levels[0][0] > 200 && levels[0] == levels[1], "\(levels)")
  }

  /// Returns the light of a frame's pixels in units of 0.1 cd/m², component by component.
  private static func light(
    _ frame: ArraySlice<UInt8>, _ location: ChromaLocation
  ) -> [[Double]] {
    let picture = InterpolatedPicture(frame, width: 128, height: 96, .pq, location: location)
    return (0..<96).flatMap { y in
      (0..<128).map { x in
        let light = picture.pixel(x, y).componentwise(PQ.eotf)
        return [light.x, light.y, light.z].map { $0 * 10 }
      }
    }
  }

  /// Returns the HDR10+ values that ffprobe finds in each frame: maxscl, the average, and the
  /// distribution. The third value of the distribution is not a percentile, but the percentage of
  /// pixels below 100 cd/m².
  private static func stated(_ path: String) throws -> [[Double]] {
    let text = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_frames", "-show_entries",
        "frame_side_data", "-of", "default=nk=0:nw=0", path,
      ]
    ).output
    let wanted = ["maxscl", "average_maxrgb", "distribution_maxrgb_percentile"]
    return text.components(separatedBy: "[FRAME]").dropFirst().map { frame in
      frame.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "=")
        guard parts.count == 2, wanted.contains(String(parts[0])) else { return nil }
        return Double(parts[1].split(separator: "/")[0])
      }
    }
  }

  /// A copy says how many frames were measured, and that none was encoded.
  @Test func measuredFramesOfACopyAreNotEncoded() throws {
    let outcome = try BuiltCandela.run(
      "transcode", transcode("pq.mov", []), folder.path("copy.mov"), "--report", "/dev/stdout",
      "--set",
      "video.codec=passthrough", "--set", "video.hdrMetadata.hdr10Plus=measure")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try outcome.json()
    #expect(report["frameCount"] as? Int == 0)
    #expect(report["measuredFrameCount"] as? Int == 15)
  }

  @Test func hdr10PlusIsWhatTheFramesHold() throws {
    let output = try transcode("plus.mov", ["video.hdrMetadata.hdr10Plus=measure"])
    let stated = try Self.stated(output)
    #expect(stated.count == 15)
    let frames = try Tool.pictures(output, format: "yuv420p10le")
    let (size, location) = (frames.count / 15, try Tool.chromaLocation(of: output))
    for index in [0, 7, 14] {
      let light = Self.light(frames[index * size..<(index + 1) * size], location)
      let largest = light.map { $0.max() ?? 0 }.sorted()
      func percentile(_ share: Double) -> Double {
        largest[max(Int((share * Double(largest.count)).rounded(.up)) - 1, 0)]
      }
      let dark = 100 * Double(largest.count { $0 < 999.5 }) / Double(largest.count)
      let expected =
        (0..<3).map { component in light.map { $0[component] }.max() ?? 0 }
        + [largest.reduce(0, +) / Double(largest.count)]
        + [percentile(0.01), percentile(0.99), dark]
        + [0.25, 0.5, 0.75, 0.9, 0.95, 0.99].map(percentile)
      try #require(stated[index].count == expected.count)
      for (stated, expected) in zip(stated[index], expected) {
        #expect(abs(stated - expected) <= 1, "\(stated) for \(expected)")
      }
    }
  }

  @Test func nothingIsMeasuredUnasked() throws {
    #expect(try Self.stated(try transcode("plain.mov", [])).allSatisfy(\.isEmpty))
  }

  /// ffprobe reads profile 8.1 in the record, and `candela rpu` reads it in the RPUs.
  @Test func dolbyVisionOfPQ() throws {
    let output = try transcode("dv.mov", ["video.hdrMetadata.dolbyVision=8.1"])
    let record = try Tool.probe(
      output, "stream_side_data=dv_profile,dv_bl_signal_compatibility_id,rpu_present_flag")
    #expect(record.contains { $0.hasPrefix("8,1,1") }, "\(record)")
    let report = try BuiltCandela.run("inspect", output, "--frames")
    #expect(report.output.contains("Dolby Vision 8.1"))
    let shown = try BuiltCandela.run("rpu", "show", output, "--frame", "0", "--json")
    #expect(shown.status == 0, "\(shown.errors)")
    // The mastering display is the one that the conversion is made for.
    #expect(shown.output.contains("\"maxDisplayMasteringLuminance\" : 1000"), "\(shown.output)")
    try hasMeasuredLevels(output)
  }

  /// Every RPU states the light levels, although they are known only after the last frame.
  private func hasMeasuredLevels(_ path: String) throws {
    let levels = try #require(HDRCheck.facts(path)["clli"] as? [Int])
    let rpus = try ByteStream.units(HDRCheck.rpus(path))
    #expect(rpus.count == 15 && levels[0] > 0)
    for rpu in rpus {
      let data = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + rpu).displayManagement
      #expect(Int(data?.level6?.maxContentLightLevel ?? 0) == levels[0])
      #expect(Int(data?.level6?.maxFrameAverageLightLevel ?? 0) == levels[1])
    }
  }

  /// Makes PQ in which the RPUs from frame `first` on have a level 6 with light levels of their
  /// own, and those before it have no level 6.
  private func source(_ filter: String, frameCount: Int, level6From first: Int) throws -> String {
    let (plain, movie) = (folder.path("plain.hevc"), folder.path("source.mp4"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "\(filter)=s=64x64:r=25", "-frames:v", "\(frameCount)", "-pix_fmt",
      "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "bframes=0:log-level=none:colorprim=9:transfer=16:colormatrix=9", plain)
    var unit = try ReferenceProcessingUnit(
      hevcNALUnit: [0x7C, 1] + SharedMedia.rpu("profile8"))
    let level6 = Level6(
      maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1,
      maxContentLightLevel: 4321, maxFrameAverageLightLevel: 321)
    let rpus = try [nil, level6].map { level in
      unit.displayManagement?.level6 = level
      return try unit.hevcNALUnit()
    }
    var frame = -1
    let stream = try ByteStream.append(to: FileBytes.read(plain)) { _ in
      frame += 1
      return [rpus[frame < first ? 0 : 1]]
    }
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(stream, to: "rpus.hevc"), "-c", "copy", "-tag:v", "hvc1",
      movie)
    return movie
  }

  private func levels(_ path: String) throws -> [[Int]?] {
    try ByteStream.units(HDRCheck.rpus(path)).map { rpu in
      try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + rpu).displayManagement?.level6.map {
        [Int($0.maxContentLightLevel), Int($0.maxFrameAverageLightLevel)]
      }
    }
  }

  /// RPUs that get a level 6 only late in the film have the measured levels there, too.
  @Test(.needsSharedMedia) func levels6OfLateFrames() throws {
    let (source, output) = (
      try source("testsrc2", frameCount: 44, level6From: 40), folder.path("out.mp4")
    )
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", "hevc-pq", "--speed", "ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let measured = try #require(HDRCheck.facts(output)["clli"] as? [Int])
    let levels = try levels(output)
    #expect(levels == [[Int]?](repeating: nil, count: 40) + [[Int]?](repeating: measured, count: 4))
  }

  /// Black frames have no light levels that could be stated, so level 6 does not keep those of the
  /// source, in an encode or in a copy.
  @Test(.needsSharedMedia) func level6OfBlackFrames() throws {
    let source = try source("color", frameCount: 4, level6From: 0)
    let (encoded, copied) = (folder.path("encoded.mp4"), folder.path("copied.mp4"))
    let outcomes = [
      try BuiltCandela.run(
        "transcode", source, encoded, "--preset", "hevc-pq", "--speed", "ultrafast"),
      try BuiltCandela.run("metadata", "convert", source, copied, "--light", "measure"),
    ]
    for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.errors)") }
    for path in [encoded, copied] {
      #expect(try HDRCheck.facts(path)["clli"] as? [Int] == nil)
      #expect(try levels(path) == [[Int]?](repeating: [0, 0], count: 4), "\(path)")
    }
  }

  @Test(
    arguments: [
      ("hevc-hlg", "dolbyVision=8.1", "PQ"), ("hevc-pq", "dolbyVision=8.4", "HLG"),
      ("hevc-hlg", "hdr10Plus=measure", "PQ"), ("hevc-sdr", "hdr10Plus=measure", "not HLG or PQ"),
      ("h264-sdr", "dolbyVision=8.1", "needs the codec 'hevc'"),
      ("hevc-pq", "dolbyVision=7", "8.4"),
    ].shortened(to: 3))
  func refusals(preset: String, setting: String, word: String) throws {
    let sample = try BuiltCandela.sample(in: folder)
    let outcome = try BuiltCandela.run(
      ["plan", sample, "--preset", preset, "--set", "video.hdrMetadata.\(setting)"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(word), "\(outcome.errors)")
  }

  @Test func appleKeysContradict() throws {
    let sample = try BuiltCandela.sample(in: folder)
    let outcome = try BuiltCandela.run(
      [
        "plan", sample, "--preset", "hevc-hlg", "--set", "video.hdrMetadata.dolbyVision=8.4",
        "--set", "video.compressionProperties.hdrMetadataInsertionMode=none",
      ])
    #expect(outcome.status == 64 && outcome.errors.contains("hdrMetadataInsertionMode"))
  }

  @Test func dolbyVisionIsLeftOut() throws {
    let (sample, output) = (try BuiltCandela.sample(in: folder), folder.path("none.mov"))
    let outcome = try BuiltCandela.run(
      "transcode", sample, output, "--preset", "hevc-hlg", "--speed", "ultrafast", "--set",
      "video.hdrMetadata.dolbyVision=none")
    #expect(outcome.status == 0)
    #expect(try !Tool.run("ffprobe", ["-show_streams", output]).output.contains("DOVI"))
  }
}
