// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// ffmpeg decodes the audio of a source and of its output. Both are heard at the same times: at the
/// beginning, in the middle and at the end.
@Suite struct AudioTimingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A rising tone, which resembles itself at no other time, and a click about every half second.
  private static let signal =
    "aevalsrc=0.35*sin(2*PI*(300*t+320*t*t))+0.5*lt(mod(t+0.137*floor(t)\\,0.5)\\,0.0008)"

  /// An audio codec in a container. The containers differ in how they time audio.
  struct Source: Sendable, CustomTestStringConvertible {
    let name: String
    let video: String
    let audio: [String]
    var rate = 48_000

    var testDescription: String { "\(audio[0]) in \(name)" }
  }

  static let sources = [
    Source(name: "a.ogg", video: "libtheora", audio: ["libvorbis"]),
    Source(name: "b.mkv", video: "libx264", audio: ["libvorbis"], rate: 44_100),
    Source(name: "c.avi", video: "mpeg4", audio: ["dca", "-strict", "-2"]),
    Source(name: "d.avi", video: "mpeg4", audio: ["g722"], rate: 16_000),
    Source(name: "e.avi", video: "mpeg4", audio: ["g726"], rate: 8000),
    Source(name: "f.vob", video: "mpeg2video", audio: ["pcm_dvd"]),
    Source(name: "g.flv", video: "libx264", audio: ["pcm_s16le"], rate: 44_100),
    Source(name: "h.mkv", video: "libx264", audio: ["libopus", "-frame_duration", "60"]),
    Source(name: "i.wmv", video: "wmv2", audio: ["wmav2"], rate: 44_100),
    Source(name: "j.ts", video: "libx264", audio: ["libmp3lame"], rate: 44_100),
  ]

  @Test(arguments: sources.shortened(to: 3)) func madeAudioIsOnTime(source: Source) throws {
    let path = folder.path(source.name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-f", "lavfi", "-i"]
        + ["\(Self.signal):s=\(source.rate):d=3.2", "-c:v", source.video, "-pix_fmt", "yuv420p"]
        + ["-c:a"] + source.audio + ["-ac", source.rate < 44_100 ? "1" : "2", path])
    try expectOnTime(path)
  }

  /// Audio is on time even if the container's times are those at which blocks end, and blocks last
  /// from 3 to 23 ms.
  @Test(.needsSharedMedia) func unevenBlocksOfVorbis() throws {
    try expectOnTime(SharedMedia.path("third/learning-area__rabbit320.webm"))
  }

  /// Audio begins on time although, at 44.1 kHz, Ogg's times jump by 448 samples where a short
  /// block follows a long one. No samples are missing there.
  @Test func noiseInOggBeginsOnTime() throws {
    let path = folder.path("noise.ogg")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-f", "lavfi", "-i",
      "anoisesrc=r=44100:d=3.2:seed=5:a=0.4,volume='0.02+lt(mod(t+0.55\\,0.6)\\,0.12)':eval=frame",
      "-c:v", "libtheora", "-c:a", "libvorbis", "-pix_fmt", "yuv420p", path)
    try expectOnTime(path)
  }

  /// Frames stay in sync with their audio in Matroska, where the priming of AAC delays all tracks.
  /// The delay is not a whole number of the frames' ticks.
  @Test func coarseTicksOfFramesKeepThemBesideTheirAudio() throws {
    let path = folder.path("ticks.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-f", "lavfi", "-i",
      "\(Self.signal):s=48000:d=3.2", "-c:v", "libx264", "-video_track_timescale", "25", "-c:a",
      "aac", path)
    try expectOnTime(path, "out.mkv", ["--audio", "passthrough"])
    try expectOnTime(path, "copy.mkv", ["--codec", "passthrough"])
  }

  private func expectOnTime(
    _ path: String, _ name: String = "out.mov", _ options: [String] = ["--audio", "aac"]
  ) throws {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      ["transcode", path, output]
        + (options.contains("--codec")
          ? options : ["--preset", "h264-sdr", "--speed", "ultrafast"] + options))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let (before, after) = (
      try PlayedAudio(path, options: ["-drc_scale", "0"]), try PlayedAudio(output)
    )
    let frames = try (firstFrame(path), firstFrame(output))
    let shift = (before.start - frames.0) - (after.start - frames.1)
    let rate = Double(before.sampleRate)
    #expect(before.sampleRate == after.sampleRate)
    let (mine, others) = (after.mono, before.mono)
    let length = Double(others.count) / rate
    for time in [0.1, length / 2, length - 0.4] {
      let lag = PlayedAudio.lag(
        of: mine, behind: others, at: Int(time * rate),
        shifted: Int((shift * rate).rounded()), reach: Int(rate / 100))
      #expect(abs(Double(lag) / rate) <= 0.001, "\(lag) samples late at \(time) s")
    }
  }

  private func firstFrame(_ path: String) throws -> Double {
    let times = try Tool.probe(
      path, "frame=pts_time", stream: "v:0", options: ["-read_intervals", "%+#3"])
    return Double(times.first ?? "") ?? 0
  }
}
