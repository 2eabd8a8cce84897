// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// To reach another frame rate, frames are repeated or left out according to their times.
@Suite struct FrameRateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie of lossless 64×64 frames, each different from all others.
  private func movie(_ name: String, _ rate: String, _ filter: String = "null") throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=\(rate):d=1.2", "-vf", filter, "-vsync",
      "passthrough", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0",
      "-video_track_timescale", "90000", path,
    ])
    return path
  }

  private func transcode(_ input: String, _ rate: String) throws -> (String, [ReportedNotice]) {
    let output = folder.path("out.mov")
    let result = try BuiltCandela.transcode([
      input, output, "--overwrite", "--preset", "h264-sdr", "--set",
      "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}", "--set",
      "video.frameRate=\(rate)",
    ])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private func times(_ path: String) throws -> [Double] {
    try Tool.probe(path, "packet=pts_time").compactMap(Double.init).sorted()
  }

  private static let rates: [(String, Double)] = [
    ("24", 24), ("25", 25), ("29.97", 30_000 / 1001), ("30000/1001", 30_000 / 1001), ("60", 60),
    ("23.976", 24_000 / 1001), ("12.5", 12.5),
  ]

  /// Every tick has its exact time. It shows the nearest frame of the source, or the frame before
  /// that one if the nearest frame begins too late.
  @Test(arguments: rates.shortened(to: 3))
  func ticksShowTheNearestFrame(spelling: String, rate: Double) throws {
    for (source, input) in [
      (30.0, try movie("even.mp4", "30")), (50_000 / 1001, try movie("odd.mp4", "50000/1001")),
    ] {
      let (path, notices) = try transcode(input, spelling)
      let (made, all) = (
        try Tool.frameDigests(path, format: "yuv420p"),
        try Tool.frameDigests(input, format: "yuv420p")
      )
      let ticks = try times(path)
      let length = Double(all.count) / source
      #expect(made.count == Int((length * rate).rounded()) && ticks.count == made.count)
      #expect(notices.codes.contains("frameRateChanged"))
      for (index, time) in ticks.enumerated() {
        let wanted = Double(index) / rate
        #expect(abs(time - wanted) < 2e-6, "\(spelling), \(index): \(time)")
        let shown = try #require(all.firstIndex(of: made[index]))
        // The nearest frame is shown, or the frame before it if the nearest one begins more than
        // half a tick after the wanted time.
        let distance = Double(shown) / source - wanted
        #expect(distance <= 0.5 / rate + 1e-9 && -distance < max(1 / source, 0.5 / rate) + 1e-9)
      }
    }
  }

  @Test func itsOwnRateChangesNothing() throws {
    let input = try movie("same.mp4", "30000/1001")
    for setting in ["29.97", "source", "max 30", "max 60"].shortened(to: 2) {
      let (path, _) = try transcode(input, setting)
      #expect(
        try Tool.frameDigests(path, format: "yuv420p")
          == Tool.frameDigests(input, format: "yuv420p"))
      #expect(try times(path) == times(input))
    }
  }

  /// Irregular times stay exactly as they are if no second has too many frames. Otherwise, some
  /// frames are left out, and the times of all others are whole ticks of the highest allowed rate.
  @Test func irregularTimesAreKeptOrThinnedOut() throws {
    let input = try movie("vfr.mp4", "60", "select='lt(n,30)+not(mod(n,7))'")
    let (kept, notices) = try transcode(input, "max 60")
    #expect(try times(kept) == times(input))
    #expect(!notices.codes.contains("frameRateChanged"))
    let (thin, others) = try transcode(input, "max 30")
    #expect(others.arguments("frameRateChanged")?["to"] == "30")
    let ticks = try times(thin)
    let gaps = zip(ticks.dropFirst(), ticks).map { ($0 - $1) * 30 }
    #expect(gaps.allSatisfy { $0 > 0.999 && abs($0 - $0.rounded()) < 1e-3 })
    #expect(gaps.contains { $0 > 2.5 }, "gaps were filled with repeated frames")
  }

  /// If a long movie is converted from 25 to 29.97 frames per second, times do not drift. They are
  /// exact even after many ticks.
  @Test func timesDoNotDrift() throws {
    let path = folder.path("long.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=gray:s=32x32:r=25:d=40", "-c:v", "libx264", "-preset",
      "ultrafast", path,
    ])
    let (output, _) = try transcode(path, "29.97")
    let ticks = try Tool.probe(output, "packet=pts").compactMap(Int.init).sorted()
    let base = try Tool.probe(output, "stream=time_base").first.flatMap {
      Int($0.split(separator: "/").last ?? "")
    }
    let scale = try #require(base)
    #expect(ticks.count == 1199)
    #expect(ticks.enumerated().allSatisfy { $1 * 30_000 == $0 * 1001 * scale })
  }

  @Test(.needsSharedMedia) func metadataGoesWithFrames() throws {
    let input = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let output = folder.path("phone.mov")
    let result = try BuiltCandela.transcode([
      input, output, "--set", "video.frameRate=60", "--set",
      "video.compressionProperties.speed=ultrafast",
    ])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    let shown = try BuiltCandela.run("rpu", "show", output).output
    #expect(shown.contains("8 frames, 8 with an RPU"), "\(shown)")
    #expect(try BuiltCandela.run("validate", output).status == 0)
  }

  @Test(arguments: ["0", "fast", "30/0", "max", "-5", "1001"].shortened(to: 2))
  func otherRatesAreRefused(spelling: String) throws {
    let result = try BuiltCandela.run(
      "plan", folder.path("none.mov"), "--set", "video.frameRate=\(spelling)")
    #expect(result.status == 64 && result.errors.contains("video.frameRate"), "\(result)")
  }
}
