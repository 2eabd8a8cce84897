// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// Where segments meet, an encoder's rate control continues as it would in one process.
@Suite struct SegmentSeamsTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("source.mp4")
  }

  @discardableResult
  private func transcode(
    _ output: String, workers: Int, _ more: [String] = []
  ) throws -> Tool.Outcome {
    try BuiltCandela.run(
      [
        "transcode", source, folder.path(output), "--workers", "\(workers)", "--set",
        "video.compressionProperties.speed=ultrafast", "--set",
        "video.compressionProperties.maxKeyFrameInterval=60",
      ] + more)
  }

  private func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(folder.path(name)) }

  /// If a segment begins in a still scene, it continues the scene as a single process would, and
  /// the output is hardly larger.
  @Test func stillScenesCostNothing() throws {
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=0.04", "-vf",
      "loop=359:1:0", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", source)
    for workers in 1...2 {
      try transcode("\(workers).mp4", workers: workers, ["--preset", "h264-sdr"])
    }
    let (one, two) = (try bytes("1.mp4").count, try bytes("2.mp4").count)
    #expect(abs(Double(two) / Double(one) - 1) < 0.01, "\(one), \(two)")
    #expect(
      try Tool.probe(folder.path("2.mp4"), "packet=pts,dts")
        == Tool.probe(folder.path("1.mp4"), "packet=pts,dts"))
  }

  /// If no scene reaches the limit on the data rate, the limit changes no segment.
  @Test func limitsThatAreNotReachedChangeNothing() throws {
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=12", "-c:v", "libx264", "-preset",
      "veryfast", "-g", "50", source)
    for (name, limits) in [("with.mp4", "[6250000, 1]"), ("without.mp4", "null")] {
      // The level that fits depends on the limits.
      let settings = ["dataRateLimits=\(limits)", "profileLevel=H264_High_4_1"]
      let outcome = try transcode(
        name, workers: 2, ["--preset", "h264-sdr"] + settings.flatMap { ["--set", $0] })
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try bytes("with.mp4") == bytes("without.mp4"))
  }

  /// A decoder's buffer that is filled at the highest allowed rate does not run empty, not even
  /// where segments meet.
  @Test(arguments: ["hevc-match-source", "h264-sdr"].shortened(to: 1))
  func buffersGoOnOverSeams(preset: String) throws {
    let (rate, size) = (200_000.0, 200_000.0)
    let report = folder.path("report.json")
    let options = "{\"vbv-maxrate\":\"200\",\"vbv-bufsize\":\"200\"}"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=13", "-vf",
      "noise=c0s=20:c0f=t", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", source)
    let settings = [
      "--preset", preset, "--report", report, "--overwrite", "--set",
      "video.compressionProperties.encoderOptions=\(options)",
    ]
    for workers in 2...3 {
      let outcome = try transcode("\(workers).mp4", workers: workers, settings)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let count = try #require(
      JSONSerialization.jsonObject(with: Data(bytes("report.json"))) as? [String: Any])
    #expect((count["segments"] as? [String: Any])?["count"] as? Int == 3)
    #expect(try bytes("2.mp4") == bytes("3.mp4"))
    var (fullness, lowest, before) = (0.9 * size, size, Double?.none)
    for line in try Tool.probe(folder.path("2.mp4"), "packet=dts_time,size") {
      let values = line.split(separator: ",").compactMap { Double($0) }
      try #require(values.count == 2, "\(line)")
      fullness = min(fullness + (values[0] - (before ?? values[0])) * rate, size)
      (before, fullness) = (values[0], fullness - 8 * values[1])
      lowest = min(lowest, fullness)
    }
    #expect(lowest >= 0 && lowest < size / 2, "\(lowest)")
  }

  /// A segment that is encoded again because it emptied the buffer begins no shot in its RPUs.
  @Test func anotherTryBeginsNoShot() throws {
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=8.5", "-vf",
      "noise=c0s=20:c0f=t,format=yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v",
      "hvc1", "-x265-params",
      "keyint=50:log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc", source)
    let report = folder.path("report.json")
    let options = #"{"vbv-maxrate":"200","vbv-bufsize":"200"}"#
    let outcome = try transcode(
      "out.mp4", workers: 2,
      [
        "--preset", "hevc-pq", "--report", report, "--set", "video.hdrMetadata.dolbyVision=8.1",
        "--set", "video.compressionProperties.encoderOptions=\(options)",
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(bytes("report.json")))
    let segments = (json as? [String: Any])?["segments"] as? [String: Any]
    #expect(segments?["count"] as? Int ?? 0 > 1)
    let units = try ByteStream.units(HDRCheck.rpus(folder.path("out.mp4"))).map {
      try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 0x01] + $0)
    }
    #expect(units.count == 255)
    #expect(units.indices.filter { units[$0].displayManagement?.isSceneRefresh == true } == [0])
  }
}
