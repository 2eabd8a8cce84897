// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If references between tracks (`tref`) make no sense, the output still has video and audio.
@Suite(.timeLimit(.minutes(5))) struct OddReferencesTests {
  private let folder: TemporaryFolder
  private let source: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    let (sample, plain) = (try BuiltCandela.sample(in: folder), folder.path("plain.mp4"))
    try Tool.ffmpeg("-i", sample, "-map", "0:v", "-map", "0:a", "-c", "copy", plain)
    source = try FileBytes.read(plain)
  }

  /// Kinds of references, each with numbers that are tracks of the movie, no track, or nonsense.
  private static let many: [(String, [Int])] = [
    "chap", "tmcd", "vdep", "hint", "cdsc", "auxl", "thmb", "sync", "subt", "\0\0\0\0", "chap",
  ].map { ($0, [1, 2, 0, 4_294_967_295, 2, 1]) }

  @Test(
    arguments: [
      [("chap", [1])], [("chap", [2])], Array(repeating: many, count: 40).flatMap { $0 },
      [("chap", [1, 2])],
    ].shortened(to: 2), [0, 1])
  func tracksStayWhatTheyAre(references: [(String, [Int])], track: Int) throws {
    let odd = try folder.write(
      SyntheticMovie.addReferences(references, to: source, track: track), to: "odd.mp4")
    for (command, name) in [
      (["transcode", "--preset", "h264-sdr"], "a.mp4"),
      (["transcode", "--codec", "passthrough"], "b.mov"), (["cut", "--from", "0.1"], "c.mp4"),
      (["transcode", "--workers", "2"], "d.mp4"),
    ] {
      let output = folder.path(name)
      let outcome = try BuiltCandela.run(
        [command[0], odd, output, "-y"] + command.dropFirst())
      #expect(outcome.status == 0, "\(command) \(references) \(track): \(outcome.errors)")
      let kinds = try Tool.probe(output, "stream=codec_type", stream: "")
      #expect(kinds == ["video", "audio"], "\(command) \(references) \(track)")
    }
    #expect(!folder.names.contains { $0.contains(".failed") || $0.hasSuffix("candela-job") })
  }
}
