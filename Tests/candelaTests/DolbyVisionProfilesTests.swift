// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If a source's Dolby Vision is not kept, its base layer is used as plain video, and notices name
/// what is lost. If frames mean nothing without Dolby's reshaping and have no RPUs, the source is
/// refused. The sources are made from files that are not Dolby Vision.
@Suite struct DolbyVisionProfilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func plan(_ path: String, _ preset: String = "hevc-match-source") throws -> Tool.Outcome {
    try BuiltCandela.run("plan", path, "--preset", preset)
  }

  // MARK: Two layers

  /// Makes an HDR10 movie in which each frame has an enhancement layer, in NAL units of type 63,
  /// and the RPU of a real disc (profile 7, FEL). The configuration record is optional.
  private func profile7(hasRecord: Bool) throws -> String {
    let stream = folder.path("base.hevc")
    try ByteStream.encode(to: stream, transfer: 16, options: ["max-cll=1000,400"])
    let rpu = try SharedMedia.rpu("fel_rpu")
    let layered = ByteStream.append(to: try FileBytes.read(stream)) { slice in
      [[63 << 1, 1] + slice, [62 << 1, 1] + rpu]
    }
    let movie = folder.path("layers.mp4")
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(layered, to: "layers.hevc"), "-c", "copy", "-tag:v", "hvc1",
      movie)
    guard hasRecord else { return movie }
    let box = SyntheticMovie.dolbyVision(
      "dvcC", profile: 7, level: 6, enhancementLayer: true, compatibility: 6)
    return try folder.write(
      SyntheticMovie.insert(box, into: FileBytes.read(movie)), to: "profile7.mp4")
  }

  @Test(.needsSharedMedia, arguments: [true, false])
  func profile7BecomesHDR10(hasRecord: Bool) throws {
    let source = try profile7(hasRecord: hasRecord)
    let none = ["--set", "video.hdrMetadata.dolbyVision=none"]
    let plan = try BuiltCandela.run(["plan", source, "--json"] + none)
    #expect(plan.status == 0, "\(plan.errors)")
    let taken = try plan.notices().arguments("baseLayerTaken")
    #expect(taken?["dolbyVision"]?.hasPrefix("Dolby Vision profile 7") == true, "\(plan.output)")
    #expect(taken?["baseLayer"] == "HDR10")
    #expect(taken?["enhancementLayer"]?.hasSuffix("(FEL, with residuals)") == true)
    #expect(try !plan.notices().codes.contains("metadataNotCarried"))
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run(
      [
        "transcode", source, output, "--preset", "hevc-match-source", "--set",
        "video.compressionProperties.lossless=true", "--set",
        "video.compressionProperties.speed=ultrafast",
      ] + none)
    #expect(outcome.status == 0, "\(outcome.errors)")
    // The frames are those of the base layer, and no Dolby Vision is left.
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le")
        == Tool.frameDigests(folder.path("base.hevc"), format: "yuv420p10le"))
    let validated = try BuiltCandela.run("validate", output)
    #expect(validated.status == 0 && validated.output.contains(": HDR10: conforms"))
    let facts = try HDRCheck.facts(output)
    #expect(facts["rpu_aus"] as? Int == 0)
    #expect(facts["dv"] is NSNull)
  }

  @Test(.needsSharedMedia) func inspectShowsTheLayers() throws {
    let report = try BuiltCandela.run("inspect", try profile7(hasRecord: true))
    for words in ["dolbyVision: profile 7, level 6 (dvcC box)", "dolbyVisionEnhancementLayer"] {
      #expect(report.output.contains(words), "\(words)")
    }
  }

  /// An enhancement layer that has its own track is not transcoded, whether that track is first or
  /// second. A file without the base layer is refused.
  @Test(arguments: [0, 1].shortened(to: 1)) func layersInTwoTracks(enhancement: Int) throws {
    let sample = try BuiltCandela.sample(in: folder)
    let two = folder.path("two.mov")
    try Tool.ffmpeg("-i", sample, "-map", "0:v", "-map", "0:v", "-c", "copy", "-tag:v", "hvc1", two)
    let box = SyntheticMovie.dolbyVision(
      "dvcC", profile: 7, enhancementLayer: true, baseLayer: false, compatibility: 6)
    let tracks = try SyntheticMovie.insert(box, into: FileBytes.read(two), track: enhancement)
    let plan = try BuiltCandela.run("plan", folder.write(tracks, to: "tracks.mov"), "--json")
    #expect(plan.status == 0, "\(plan.errors)")
    let lost = try plan.notices().arguments("trackNotCarried")
    #expect(lost == ["track": "\(enhancement + 1)", "kind": "Dolby Vision's enhancement layer"])
    let one = folder.path("one.mov")
    try Tool.ffmpeg("-i", sample, "-map", "0:v", "-c", "copy", "-tag:v", "hvc1", one)
    let alone = try self.plan(
      folder.write(SyntheticMovie.insert(box, into: FileBytes.read(one)), to: "alone.mov"))
    #expect(alone.status == 65)
    #expect(alone.errors.contains("an enhancement layer without its base layer"))
  }

  // MARK: Other profiles

  struct Profile: Sendable, CustomTestStringConvertible {
    let profile: Int
    let compatibility: Int
    /// The transfer function of the frames, or the preset that encodes them.
    let pictures: String
    /// Words that the plan prints or, if the profile is refused, that the error contains.
    let words: [String]
    var isRefused = false
    var format: String?
    var testDescription: String { "\(profile).\(compatibility)" }
  }

  /// AV1 (Dolby Vision Profiles and Levels, 2.1): 10.1 is HDR10, 10.2 is SDR, and 10.4 is HLG. 10.0
  /// is IPT, like profile 5. Its sample entry is `dav1`, but one of the sources has `av01`.
  static let av1Profiles = [
    Profile(
      profile: 10, compatibility: 1, pictures: "smpte2084",
      words: ["not carried over: Dolby Vision"]),
    Profile(
      profile: 10, compatibility: 4, pictures: "arib-std-b67",
      words: ["Dolby Vision profile 8.4"]),
    Profile(
      profile: 10, compatibility: 2, pictures: "bt709",
      words: ["not carried over: Dolby Vision"]),
    Profile(
      profile: 10, compatibility: 4, pictures: "smpte2084",
      words: ["should be HLG, but the source's tags say PQ (16); the tags are used"]),
    Profile(
      profile: 10, compatibility: 0, pictures: "smpte2084",
      words: ["profile 10.0", "whose frames mean nothing until RPUs reshape them"],
      isRefused: true),
    Profile(
      profile: 10, compatibility: 0, pictures: "smpte2084",
      words: ["profile 10.0", "whose frames mean nothing until RPUs reshape them"],
      isRefused: true,
      format: "dav1"),
  ]

  @Test(arguments: av1Profiles.shortened(to: 3)) func av1(_ profile: Profile) throws {
    let movie = folder.path("av1.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30", "-frames:v", "3", "-vf",
      "format=yuv420p10le,setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc="
        + profile.pictures, "-c:v", "libaom-av1", "-cpu-used", "8", "-color_primaries", "bt2020",
      "-color_trc",
      profile.pictures, "-colorspace", "bt2020nc", movie)
    try expect(profile, of: movie, box: "dvvC")
  }

  /// HEVC and H.264 with the records of other profiles: 4 and 9 are SDR, 20.4 is HLG, and frames of
  /// 5 and 20.0 mean nothing without RPUs.
  @Test(
    arguments: [
      Profile(
        profile: 4, compatibility: 2, pictures: "hevc-sdr",
        words: ["profile 4", "its base layer, SDR, is used"]),
      Profile(
        profile: 9, compatibility: 2, pictures: "h264-sdr",
        words: ["profile 9.2", "its base layer, SDR, is used; its RPUs are not carried over"]),
      Profile(
        profile: 5, compatibility: 0, pictures: "hevc-sdr",
        words: ["whose frames mean nothing until RPUs reshape them"],
        isRefused: true),
      Profile(
        profile: 20, compatibility: 0, pictures: "hevc-sdr",
        words: ["whose frames mean nothing until RPUs reshape them"],
        isRefused: true),
      Profile(
        profile: 20, compatibility: 4, pictures: "hevc-hlg",
        words: ["profile 20.4", "its base layer, HLG, is used"]),
    ].shortened(to: 3))
  func others(_ profile: Profile) throws {
    let (made, movie) = (folder.path("made.mp4"), folder.path("movie.mp4"))
    let outcome = try BuiltCandela.run(
      "transcode", try BuiltCandela.sample(in: folder), made, "--preset", profile.pictures, "--set",
      "video.compressionProperties.hdrMetadataInsertionMode=none")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // ffmpeg writes the samples before the index. `SyntheticMovie` requires that.
    let tag = profile.pictures.hasPrefix("h264") ? "avc1" : "hvc1"
    try Tool.ffmpeg("-i", made, "-map", "0:v", "-c", "copy", "-tag:v", tag, movie)
    try expect(profile, of: movie, box: profile.profile < 8 ? "dvcC" : "dvvC")
  }

  private func expect(_ profile: Profile, of movie: String, box: String) throws {
    let record = SyntheticMovie.dolbyVision(
      box, profile: profile.profile, compatibility: profile.compatibility)
    let source = try folder.write(
      SyntheticMovie.insert(record, into: FileBytes.read(movie), format: profile.format),
      to: "source.mp4")
    let plan = try plan(source)
    #expect(plan.status == (profile.isRefused ? 65 : 0), "\(plan.errors)")
    for words in profile.words {
      #expect((plan.words + plan.errors).contains(words), "\(plan.output) \(plan.errors)")
    }
    // With a composition, the messages and the refusals stay the same.
    let composed = try BuiltCandela.run(
      "plan", source, "--set", #"video.composition={"scale": {"width": 64, "height": 48}}"#)
    #expect(composed.status == (profile.isRefused ? 65 : 0), "\(composed.errors)")
    for words in profile.words { #expect((composed.words + composed.errors).contains(words)) }
  }
}
