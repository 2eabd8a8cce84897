// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// Audio is copied as it is, even if libavformat would divide it into other samples or give it
/// other times.
@Suite(.needsSharedMedia) struct CopiedAudioTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func samples(_ path: String) throws -> [String] {
    try Tool.probe(
      path, "packet=pts,dts,size,data_hash", stream: "a:0",
      options: ["-show_data_hash", "md5", "-ignore_editlist", "1"])
  }

  @Test(
    arguments: [
      "found/androidx__sample_eac3.mp4",
      "found/shaka-packager__bear-1280x720-zero-stsz-entry.mp4",
    ], ["mov", "mp4"])
  func samplesAreTheSources(name: String, suffix: String) throws {
    let source = SharedMedia.path(name)
    let output = folder.path("out.\(suffix)")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", "h264-sdr", "--set", "video.width=160", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect([0, 2].contains(outcome.status), "\(outcome.errors)")
    let expected = try samples(source)
    #expect(expected.count > 50)
    #expect(try samples(output) == expected)
    let entry = "stream=codec_name,sample_rate,channels"
    #expect(
      try Tool.probe(output, entry, stream: "a:0") == Tool.probe(source, entry, stream: "a:0"))
  }
}
