// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import DolbyVision
import Foundation
import TestSupport
import Testing

/// Outputs keep a phone's Dolby Vision 8.4 and other HDR metadata, as independent programs confirm.
@Suite(.needsSharedMedia) struct DolbyVisionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A clip, and the frames that its edit shows, counted in the order of presentation.
  struct Clip: Sendable, CustomTestStringConvertible {
    let name: String
    let presented: Range<Int>
    let level: String
    var path: String { SharedMedia.path("hdr/\(name)") }
    var testDescription: String { name }
  }

  static let clips = [
    Clip(name: "androidx__dolbyVision-hdr.MOV", presented: 0..<4, level: "L2"),
    Clip(name: "androidx__sample_edit_list.mp4", presented: 7..<85, level: "L4"),
  ]

  private func transcode(_ clip: Clip, _ name: String, _ changes: String...) throws -> String {
    try transcode(clip, name, preset: "hevc-hlg", changes)
  }

  private func transcode(
    _ clip: Clip, _ name: String, preset: String, _ changes: [String] = []
  ) throws -> String {
    let output = folder.path(name)
    let settings = ["video.compressionProperties.speed=ultrafast"] + changes
    let outcome = try BuiltCandela.run(
      ["transcode", clip.path, output, "--preset", preset] + settings.flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns the RPUs in the order of presentation.
  private func rpus(_ path: String) throws -> [[UInt8]] {
    ByteStream.units(try HDRCheck.rpus(path))
  }

  /// If the frames do not change, neither does their metadata: every frame has the RPU of its
  /// source frame, even if the edit hides the source's first frames.
  @Test(
    arguments: [
      (clips[0], "mov"), (clips[0], "mp4"), (clips[1], "mp4"), (clips[1], "mov"),
    ].shortened(to: 1))
  func everythingIsKeptWhereThePicturesAre(clip: Clip, container: String) throws {
    let output = try transcode(clip, "out.\(container)")
    let facts = try HDRCheck.facts(output)
    #expect(facts["fourcc"] as? String == "hvc1")
    #expect(facts["dv"] as? String == "dvvC 8.4 \(clip.level)")
    #expect(facts["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
    #expect(facts["rpu_aus"] as? Int == clip.presented.count)
    #expect(facts["aus"] as? Int == clip.presented.count)
    #expect(facts["warnings"] as? [String] == [])
    let source = try rpus(clip.path)
    let isSame = try rpus(output) == Array(source[clip.presented])
    #expect(isSame)
    let info = try Tool.run(
      "mediainfo", ["--Inform=Video;%HDR_Format% %HDR_Format_Profile%", output])
    #expect(info.text.hasPrefix("Dolby Vision dvhe.08"))
  }

  /// A cut of the larger clip shows four frames, and its edit hides those before them. The four
  /// frames keep their own RPUs.
  @Test func hiddenPicturesKeepTheirRPUsToThemselves() throws {
    let clip = Self.clips[1]
    let (part, output) = (folder.path("part.mp4"), folder.path("out.mp4"))
    let cut = try BuiltCandela.run("cut", clip.path, part, "--from", "2f", "--to", "6f")
    try #require(cut.status == 0, "\(cut.errors)")
    #expect(try #require(HDRCheck.facts(part)["aus"] as? Int) > 4)
    let outcome = try BuiltCandela.run(
      "transcode", part, output, "--preset", "hevc-hlg", "--speed", "ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let facts = try HDRCheck.facts(output)
    #expect(facts["rpu_aus"] as? Int == 4 && facts["aus"] as? Int == 4)
    #expect(facts["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
    #expect(facts["warnings"] as? [String] == [])
    let first = clip.presented.lowerBound + 2
    let isSame = try rpus(output) == Array(rpus(clip.path)[first..<first + 4])
    #expect(isSame)
  }

  /// The ambient values are also in `hvcC`, as in the phone's file, but not in the samples.
  @Test func ambientValuesAreInTheParameterSets() throws {
    let output = try transcode(Self.clips[0], "out.mov")
    let outcome = try BuiltCandela.run("inspect", output)
    #expect(outcome.output.contains("amve box, SEI 148"))
    #expect(try HDRCheck.facts(output)["sei_all"] as? [String: Int] == [:])
  }

  /// Returns the units of a file's RPUs, in the order of presentation.
  private func units(_ path: String) throws -> [ReferenceProcessingUnit] {
    try rpus(path).map { try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 0x01] + $0) }
  }

  /// Computes level 1 by its definition for a part of a decoded frame: minimum, maximum and mean,
  /// as 12-bit PQ, of each pixel's largest component. A minimum above 12 counts as 12, and a
  /// maximum below 2081 counts as 2081, as in libdovi. The light is that of HLG on a display with a
  /// peak of 1000 cd/m².
  private func level1(
    _ samples: [UInt8], width: Int, height: Int, columns: Range<Int>? = nil, lines: Range<Int>
  ) -> [Double] {
    let picture = InterpolatedPicture(samples, width: width, height: height, .hlg)
    let values = lines.flatMap { y in
      (columns ?? 0..<width).map { x in
        let light = HLG.ootf(
          picture.pixel(x, y).componentwise(HLG.inverseOETF),
          weights: Triple(0.2627, 0.678, 0.0593), peakLuminance: 1000)
        return 4095 * PQ.inverseEOTF(light.max())
      }
    }
    let mean = values.reduce(0, +) / Double(values.count)
    return [min(values.min() ?? 0, 12), max(values.max() ?? 0, 2081), mean]
  }

  /// The frames become smaller and get bars, which level 5 describes. The brightness that level 1
  /// states is that of the decoded frames between the bars. Levels that depended on the old
  /// brightness are gone.
  @Test func brightnessIsMeasuredWherePicturesChange() throws {
    let output = try transcode(
      Self.clips[0], "boxed.mov", "video.width=320", "video.height=320",
      "video.scalingMode=resizeAspect")
    let facts = try HDRCheck.facts(output)
    #expect(facts["dv"] as? String == "dvvC 8.4 L1")
    #expect(facts["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
    let (before, after) = (try units(Self.clips[0].path), try units(output))
    #expect(after.count == 4)
    for (index, unit) in after.enumerated() {
      let data = try #require(unit.displayManagement)
      #expect(data.level5 == Level5(top: 70, bottom: 70))
      #expect(data.level3 == nil && data.level4 == nil)
      #expect(data.isSceneRefresh == (index == 0))
      #expect(unit.mapping == before[index].mapping)
      #expect(data.level9 == before[index].displayManagement?.level9)
      let samples = try Tool.picture(output, index: index, format: "yuv420p10le")
      let expected = level1(samples, width: 320, height: 320, lines: 70..<250)
      let level = try #require(data.level1)
      for (code, value) in zip([level.minPQ, level.maxPQ, level.avgPQ], expected) {
        #expect(abs(Double(code) - value) <= 0.6)
      }
    }
  }

  /// A composition's canvas adds bars above and below the clip. The clip is turned for display, so
  /// these bars are left and right in its frames. An overlay on a bar makes both bars part of the
  /// active area. An overlay inside the active area does not change it.
  @Test(
    arguments: [
      (nil, Level5(left: 40, right: 40)), (50, Level5(left: 40, right: 40)), (10, Level5()),
    ] as [(Int?, Level5)])
  func levelsAreOfTheCompositionsPicture(logoY: Int?, area: Level5) throws {
    let logo = folder.path("logo.png")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=white:s=16x16,format=rgba", "-frames:v", "1", logo)
    let overlay = logoY.map { #", "overlay": {"file": "\#(logo)", "x": 20, "y": \#($0)}"# } ?? ""
    let output = try transcode(
      Self.clips[0], "composed.mov",
      #"video.composition={"scale": {"width": 180, "height": 320}, "#
        + #""pad": {"width": 180, "height": 400}\#(overlay)}"#)
    let units = try units(output)
    #expect(units.count == 4)
    for (index, unit) in units.enumerated().prefix(2) {
      let data = try #require(unit.displayManagement)
      // Without bars, level 5 need not be there.
      #expect(data.level5 ?? Level5() == area)
      let samples = try Tool.picture(output, index: index, format: "yuv420p10le")
      let columns = Int(area.activeAreaLeftOffset)..<400 - Int(area.activeAreaRightOffset)
      let expected = level1(samples, width: 400, height: 180, columns: columns, lines: 0..<180)
      let level = try #require(data.level1)
      for (code, value) in zip([level.minPQ, level.maxPQ, level.avgPQ], expected) {
        #expect(abs(Double(code) - value) <= 0.6)
      }
    }
    #expect(try BuiltCandela.run("validate", output).status == 0)
  }

  /// Plain HLG becomes Dolby Vision 8.4, with the ambient values of a phone, and a notice says so.
  @Test func plainHLGGetsMetadata() throws {
    let clip = Clip(name: "androidx__hlg10-color-test.mp4", presented: 0..<1, level: "")
    let planned = try BuiltCandela.run("plan", clip.path, "--preset", "hevc-hlg", "--json")
    #expect(try planned.notices().codes.contains("ambientLightAssumed"))
    let output = try transcode(clip, "plain.mp4", "video.width=640", "video.height=360")
    let facts = try HDRCheck.facts(output)
    #expect(facts["dv"] as? String == "dvvC 8.4 L1" || facts["dv"] as? String == "dvvC 8.4 L2")
    #expect(facts["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
    #expect(facts["rpu_aus"] as? Int == facts["aus"] as? Int)
    #expect(facts["warnings"] as? [String] == [])
  }

  /// A phone's clip comes out complete even if other software kept only a part of its metadata:
  /// here, RPUs without `dvvC` and `amve`, in plain MP4 and in fragments as `hev1`.
  @Test(
    arguments: [[], ["-movflags", "frag_keyframe+empty_moov", "-tag:v", "hev1"]].shortened(to: 1))
  func whatIsStatedInPartIsCompleted(options: [String]) throws {
    let part = folder.path("part.mp4")
    try Tool.ffmpeg(
      ["-i", Self.clips[0].path, "-map", "0:v", "-c", "copy"] + options + [part])
    #expect(try HDRCheck.facts(part)["dv"] is NSNull)
    let output = folder.path("whole.mov")
    let outcome = try BuiltCandela.run(
      "transcode", part, output, "--preset", "hevc-hlg", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect((try HDRCheck.facts(output)["dv"] as? String)?.hasPrefix("dvvC 8.4 L") == true)
    #expect(try BuiltCandela.run("validate", output).status == 0)
  }

  /// SDR gets no HDR metadata, and HLG gets no Dolby Vision if `hdrMetadataInsertionMode` is
  /// `none`.
  @Test func nothingFalse() throws {
    let clip = Self.clips[0]
    let sdr = try HDRCheck.facts(try transcode(clip, "sdr.mp4", preset: "h264-sdr"))
    for name in ["dv", "amve", "mdcv", "clli"] { #expect(sdr[name] is NSNull, "\(name)") }
    let none = try HDRCheck.facts(
      try transcode(clip, "none.mov", "video.compressionProperties.hdrMetadataInsertionMode=none"))
    #expect(none["dv"] is NSNull)
    #expect(none["rpu_aus"] as? Int == 0)
  }

  /// Every frame of PQ keeps its HDR10+ metadata, even at another size. HLG has no use for it and
  /// gets none.
  @Test func hdr10PlusIsKept() throws {
    let clip = Clip(name: "hdr10plus_tool__regular.mkv", presented: 0..<1, level: "")
    func dynamic(_ path: String) throws -> Int {
      try Tool.probe(path, "frame_side_data=side_data_type", options: ["-show_frames"])
        .filter { $0.contains("HDR10+") }.count
    }
    let size = ["video.width=320", "video.height=180"]
    let kept = try transcode(clip, "out.mp4", preset: "hevc-match-source", size)
    #expect(try dynamic(kept) == dynamic(clip.path))
    let hlg = try transcode(clip, "hlg.mp4", preset: "hevc-hlg", size)
    #expect(try dynamic(hlg) == 0)
  }

  /// The source has HDR10's values only in its bitstream. If the output is PQ, it keeps them, and
  /// it also has them in boxes.
  @Test func hdr10IsKept() throws {
    let clip = Clip(name: "EncodingGuidelines__output_hdr10.mp4", presented: 0..<1, level: "")
    let output = try transcode(clip, "out.mp4", preset: "hevc-match-source")
    let facts = try HDRCheck.facts(output)
    #expect(facts["vui"] as? [Int] == [9, 16, 9, 0])
    #expect(
      facts["mdcv"] as? [Int]
        == [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450, 10_000_000, 1])
    #expect(facts["clli"] as? [Int] == [2000, 50])
    let probe = try Tool.probe(output, "stream_side_data=max_content,max_average")
    #expect(probe.joined().contains("2000") && probe.joined().contains("50"))
  }
}
