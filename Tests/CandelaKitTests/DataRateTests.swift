// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import Foundation
import TestSupport
import Testing

/// Encoders keep to the limits for the data rate and for the time between sync samples.
@Suite struct DataRateTests {
  private let folder: TemporaryFolder
  private let clip: String

  init() throws {
    folder = try TemporaryFolder()
    clip = folder.path("clip.mov")
  }

  /// Makes the clip with a size, a length in seconds and a filter.
  private func make(_ size: String, _ seconds: Int, _ filter: String) throws {
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=\(seconds)", "-vf", filter,
      "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", "yuv420p", clip)
  }

  /// A sample: its decode time, its bytes, when it is shown, and whether it is a sync sample.
  private typealias Sample = (seconds: Double, bytes: Int, shown: Double, isSync: Bool)

  private func samples(_ preset: String, _ changes: String...) async throws -> [Sample] {
    let output = folder.path("out.mp4")
    var options = TranscodeOptions()
    options.overwrite = true
    let all = changes + ["video.compressionProperties.speed=veryfast"]
    let session = try await TranscodeSession(
      input: clip, output: output, settings: Preset.settings(preset, changes: all),
      options: options)
    _ = try await session.run()
    return try Tool.probe(output, "packet=pts_time,dts_time,size,flags").compactMap { line in
      let fields = line.split(separator: ",")
      guard fields.count > 3, let shown = Double(fields[0]), let time = Double(fields[1]),
        let size = Int(fields[2])
      else { return nil }
      return (time, size, shown, fields[3].hasPrefix("K"))
    }
  }

  /// Returns the largest number of bytes in any span of this many seconds.
  private func most(_ samples: [Sample], in seconds: Double) -> Int {
    samples.map { first in
      samples.filter { $0.seconds >= first.seconds && $0.seconds < first.seconds + seconds - 0.001 }
        .reduce(0) { $0 + $1.bytes }
    }.max() ?? 0
  }

  @Test(arguments: ["h264-sdr", "hevc-sdr"]) func limitsHold(preset: String) async throws {
    // The noise takes far more bits than the limits allow. The calm part before the noise lets the
    // encoder's buffer fill up.
    try make("192x128", 6, "noise=alls=60:allf=t:enable='gte(t,2)'")
    let free = try await samples(preset)
    #expect(free.count == 150)
    #expect(most(free, in: 1) > 200_000)
    let limited = try await samples(preset, "dataRateLimits=[100000, 1, 250000, 3]")
    #expect(limited.count == 150)
    #expect(most(limited, in: 1) <= 100_000, "\(most(limited, in: 1))")
    #expect(most(limited, in: 3) <= 250_000, "\(most(limited, in: 3))")
    // The output uses much of what the limits allow.
    #expect(most(limited, in: 3) > 125_000, "\(most(limited, in: 3))")
  }

  /// With usual limits, H.264 is the same in each run, whether a clip reaches the limits or not.
  /// The declared level allows for the limits in either case.
  @Test(arguments: ["null", "noise=alls=100:allf=t"])
  func h264IsTheSameInEachRun(filter: String) async throws {
    try make("320x180", 2, filter)
    let limits = "dataRateLimits=[1000000, 1]"
    var digests: Set<String> = []
    for _ in 0..<6 {
      let samples = try await samples("h264-sdr", limits)
      #expect(samples.count == 50)
      #expect(most(samples, in: 1) <= 1_000_000)
      digests.insert(try Tool.digest(folder.path("out.mp4")))
    }
    #expect(digests.count == 1)
    // At level 3, no more than 12.5 Mbit/s may arrive in High profile (H.264, table A-1).
    #expect(try Tool.probe(folder.path("out.mp4"), "stream=level") == ["30"])
  }

  @Test(arguments: ["h264-sdr", "hevc-sdr"])
  func syncSamplesAreCloseInTime(preset: String) async throws {
    func longest(_ samples: [Sample]) -> Int {
      let samples = samples.sorted { $0.shown < $1.shown }
      let places = samples.indices.filter { samples[$0].isSync } + [samples.count]
      return zip(places, places.dropFirst()).map { $1 - $0 }.max() ?? 0
    }
    try make("96x64", 2, "null")
    #expect(longest(try await samples(preset)) > 25)
    let second = try await samples(preset, "maxKeyFrameIntervalDuration=1")
    #expect(longest(second) == 25)
    // The smaller of the two intervals counts.
    let both = ["maxKeyFrameIntervalDuration=1", "maxKeyFrameInterval=10"]
    #expect(longest(try await samples(preset, both[0], both[1])) == 10)
    let other = try await samples(
      preset, "maxKeyFrameIntervalDuration=0.5", "maxKeyFrameInterval=20")
    #expect(longest(other) == 12)
  }

  @Test(arguments: [
    ("[1000]", "has 1 number"), ("[]", "has 0 numbers"), ("[1000, 0]", "span of 0"),
    ("[1.5, 1]", "dataRateLimits[0] is 1.5"), ("[\"1M\", 1]", "must be a number, not a string"),
    ("[1, 60]", "has 1 byte in 60"), ("5", "must be an array of bytes and seconds, not a number"),
  ]) func mistakesAreNamed(value: String, words: String) {
    let error = #expect(throws: TranscodingError.self) {
      try Preset.settings("hevc-sdr", changes: ["dataRateLimits=\(value)"])
    }
    #expect(error?.kind == .invalidSettings)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["lossless=true", "encoderOptions.vbv-maxrate=500"])
  func contradictionsAreNamed(change: String) {
    let error = #expect(throws: TranscodingError.self) {
      try Preset.settings("hevc-sdr", changes: ["dataRateLimits=[100000,1]", change])
    }
    #expect(error?.message.contains("cannot both be set") == true, "\(error?.message ?? "")")
  }

  /// Values that a program sets are checked just like those in a preset.
  @Test func valuesOfProgramsAreChecked() async throws {
    try make("96x64", 1, "null")
    func error(_ change: (inout TranscodeSettings) -> Void) async throws -> String {
      var settings = try Preset.settings("hevc-sdr", changes: [])
      change(&settings)
      do {
        _ = try await TranscodeSession(
          input: clip, output: folder.path("none.mov"), settings: settings)
        return "accepted"
      } catch let error as TranscodingError {
        return error.message
      }
    }
    #expect(
      try await error { $0.video.maxKeyFrameIntervalDuration = 0 }.contains(
        "maxKeyFrameIntervalDuration is 0"))
    #expect(
      try await error { $0.video.dataRateLimits = [.init(bytes: 1, seconds: .nan)] }.contains(
        "dataRateLimits has a span"))
    #expect(
      try await error { $0.video.frameRate = FrameRate(5000).map { .exactly($0) } ?? .source }
        .contains("video.frameRate is 5000"))
    #expect(
      try await error {
        $0.video.composition = CompositionSettings()
        $0.video.composition?.scale = VideoDimensions(width: 0, height: 64)
      }.contains("composition.scale.width is 0"))
    #expect(
      try await error {
        $0.audio.rules = [AudioRule(codec: .flac)]
        $0.audio.rules[0].bitRate = 64000
      }.contains("audio[0].bitRate is 64000"))
    #expect(try await error { $0.video.conversion.sourcePeak = 1 }.contains("sourcePeak is 1"))
  }

  @Test func writersNameTheKeysOfBoth() {
    let video = AssetWriter.supportedOutputSettingsKeys(for: .video)
    for key in [
      "codec", "compressionProperties", "compressionProperties.averageBitRate",
      "compressionProperties.maxKeyFrameIntervalDuration", "compressionProperties.dataRateLimits",
      "colorProperties.transferFunction",
    ] { #expect(video.contains(key), "\(key)") }
    let audio = AssetWriter.supportedOutputSettingsKeys(for: .audio)
    #expect(Set(audio) == ["codec", "language", "bitRate", "channels", "sampleRate", "fallback"])
  }
}
