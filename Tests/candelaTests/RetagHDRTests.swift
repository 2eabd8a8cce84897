// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Editing
import Foundation
import TestSupport
import Testing

/// Static HDR metadata changes in boxes, in `hvcC` and in samples, while the coded frames stay byte
/// for byte the same.
@Suite struct RetagHDRTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  private func retag(_ input: String, _ arguments: String...) throws -> String {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(["retag", input, output, "--overwrite"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns the raw values of a box, followed by all different values that SEI messages of a type
  /// have.
  private func values(_ path: String, _ box: String, sei: String) throws -> [[Int]?] {
    let facts = try HDRCheck.video(path)
    let entry = try #require(facts["sample_entry"] as? [String: Any])
    let bitstream = try #require(facts["bitstream"] as? [String: Any])
    let found = (bitstream["sei_values"] as? [String: Any])?[sei] as? [[String: Any]] ?? []
    func raw(_ value: Any?) -> [Int]? {
      let value = value as? [String: Any]
      if let content = value?["max_cll"] as? Int, let average = value?["max_fall"] as? Int {
        return [content, average]
      }
      return value?["raw"] as? [Int]
    }
    return [raw(entry[box])] + found.map { raw($0["value"]) }
  }

  private static let light = "144 content_light_level"
  private static let display = "137 mastering_display_colour_volume"
  private static let ambient = "148 ambient_viewing_environment"
  /// A P3 display with the white point D65, from 0.0001 to 1000 cd/m², in the units of the
  /// bitstream (H.265, D.3.28).
  private static let p3 = [
    13250, 34500, 7500, 3000, 34000, 16000, 15635, 16450, 10_000_000, 1,
  ]

  /// Metadata that is added, changed and removed again leaves no trace.
  @Test func addedChangedRemoved() throws {
    let plain = folder.path("plain.mov")
    _ = try BuiltCandela.run("retag", sample, plain, "--ambient", "none")
    let stated = folder.path("stated.mov")
    let outcome = try BuiltCandela.run(
      "retag", plain, stated, "--ambient", "314,0.3127,0.3290", "--mastering-display",
      "p3,1000,0.0001", "--content-light", "1000,400")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try values(stated, "amve", sei: Self.ambient)
        == [[3_140_000, 15_635, 16_450], [3_140_000, 15_635, 16_450]])
    #expect(try values(stated, "mdcv", sei: Self.display) == [Self.p3, Self.p3])
    #expect(try values(stated, "clli", sei: Self.light) == [[1000, 400], [1000, 400]])
    #expect(try HDRCheck.video(stated)["warnings"] as? [String] == [])
    let probe = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_streams", "-show_frames", "-of", "json",
        stated,
      ])
    // ffprobe finds each value once in the box, as side data of the track, and 15 times in the
    // bitstream, as side data of each frame.
    for text in ["\"max_content\": 1000", "\"max_luminance\": \"10000000/10000\""] {
      #expect(probe.output.components(separatedBy: text).count - 1 == 16, "\(text)")
    }
    #expect(try Tool.digest(stated) == Tool.digest(sample))
    let changed = try retag(
      stated, "--mastering-display",
      "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,50)")
    #expect(
      try values(changed, "mdcv", sei: Self.display).map { $0?.suffix(2) }
        == [[40_000_000, 50], [40_000_000, 50]])
    let removed = folder.path("removed.mov")
    _ = try BuiltCandela.run(
      "retag", changed, removed, "--ambient", "none", "--mastering-display", "none",
      "--content-light", "none")
    #expect(try values(removed, "amve", sei: Self.ambient) == [nil])
    #expect(try values(removed, "mdcv", sei: Self.display) == [nil])
    #expect(try Tool.digest(removed) == Tool.digest(sample))
    let before = try BuiltCandela.run("inspect", plain).output.split(separator: "\n")
      .drop { !$0.hasPrefix("track") }
    let after = try BuiltCandela.run("inspect", removed).output.split(separator: "\n")
      .drop { !$0.hasPrefix("track") }
    #expect(before == after)
  }

  /// If an encoder repeated its headers, the SEI messages in the samples change too.
  @Test func inSamplesToo() throws {
    let source = folder.path("hdr10.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.4", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
      "-tag:v", "hvc1", "-x265-params",
      "repeat-headers=1:keyint=4:min-keyint=1:log-level=none:hdr10=1:max-cll=900,300:colorprim=9:"
        + "transfer=16:colormatrix=9:master-display="
        + "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)", source)
    let changed = try retag(source, "--content-light", "1000,400", "--mastering-display", "none")
    let lights = Set(try values(changed, "clli", sei: Self.light))
    #expect(lights == [[1000, 400]])
    #expect(try values(changed, "mdcv", sei: Self.display) == [nil])
    #expect(try Tool.digest(changed) == Tool.digest(source))
    // FFmpeg's decoder agrees, frame by frame.
    let frames = try Tool.run(
      "ffprobe", ["-v", "error", "-select_streams", "v", "-show_frames", "-of", "json", changed])
    #expect(!frames.output.contains("Mastering display") && frames.output.contains("1000"))
  }

  /// If a phone's own values are removed and put back, only one bit of the file differs.
  @Test(.needsSharedMedia) func phoneClip() throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let removed = try retag(source, "--ambient", "none")
    #expect(try values(removed, "amve", sei: Self.ambient) == [nil])
    let back = folder.path("back.mov")
    _ = try BuiltCandela.run("retag", removed, back, "--ambient", "314,0.3127,0.3290")
    #expect(
      try values(back, "amve", sei: Self.ambient) == values(source, "amve", sei: Self.ambient))
    #expect(try Tool.digest(back) == Tool.digest(source))
    let before = try BuiltCandela.run("inspect", source).output.split(separator: "\n")
      .drop { !$0.hasPrefix("track") }
    let after = try BuiltCandela.run("inspect", back).output.split(separator: "\n")
      .drop { !$0.hasPrefix("track") }
    #expect(before == after)
    // The differing bit is array_completeness of SEI. It has to be 0 (ISO/IEC 14496-15, 8.4.1.1.1),
    // but phones write 1.
    let (old, new) = (try FileBytes.read(source), try FileBytes.read(back))
    let differing = zip(old, new).filter { $0 != $1 }
    #expect(old.count == new.count && differing.map(\.0) == [0xA7] && differing.map(\.1) == [0x27])
  }

  /// A change that is undone leaves the file as it was.
  @Test(
    .needsSharedMedia,
    arguments: [
      ["--ambient", "100,0.3,0.3", "--ambient", "314,0.3127,0.3290"],
      ["--color", "pq", "--color", "hlg"], ["--range", "full", "--range", "limited"],
    ].shortened(to: 2))
  func changedBack(arguments: [String]) throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let (changed, back) = (folder.path("changed.mov"), folder.path("back.mov"))
    _ = try BuiltCandela.run(["retag", source, changed] + arguments.prefix(2))
    _ = try BuiltCandela.run(["retag", changed, back] + arguments.suffix(2))
    let before = try FileBytes.read(source)
    let isSame = try FileBytes.read(back) == before && FileBytes.read(changed) != before
    #expect(isSame)
  }

  /// A notice names the metadata that is kept although it does not suit the new transfer function.
  /// Profile 8.4 and `amve` belong to HLG.
  @Test(.needsSharedMedia) func leftoversAreNamed() async throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    func kept(_ input: String, _ color: ColorDescription) async throws -> String? {
      var changes = TagChanges()
      changes.color = color
      let notices = try await Retagger(changes).retag(
        input, to: folder.path("out.mov"), overwrite: true)
      return notices.first { $0.code == "metadataKept" }?.text
    }
    let pq = try #require(await kept(source, .pq))
    #expect(pq.contains("8.4") && pq.contains("ambient viewing environment"), "\(pq)")
    #expect(try await kept(source, .bt709)?.contains("8.4") == true)
    #expect(try await kept(source, .hlg) == nil)
    // Profile 8.1 belongs to PQ.
    let profile81 = try await kept(SharedMedia.path("hdr/androidx__hev1_08_05.mp4"), .hlg)
    #expect(profile81?.contains("8.1") == true, "\(profile81 ?? "nothing")")
  }

  /// If the decoder configuration ends too early, the error names its box and says where it ends.
  @Test(.needsSharedMedia) func damagedConfigurationIsNamed() throws {
    var bytes = try SharedMedia.bytes("hdr/androidx__dolbyVision-hdr.MOV")
    // This is `numOfArrays`, now far larger than the number of arrays.
    bytes[try ValidateTests.content("hvcC", of: bytes) + 22] = 255
    let damaged = try folder.write(bytes, to: "damaged.mov")
    let outcome = try BuiltCandela.run(
      "retag", damaged, folder.path("out.mov"), "--color", "709")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("the box 'hvcC' is damaged: the data ends early: "))
  }

  /// A damaged parameter set is reported as a damaged input, not as a fault of the program.
  @Test(.needsSharedMedia) func damagedParameterSetIsNamed() throws {
    var bytes = try SharedMedia.bytes("hdr/androidx__dolbyVision-hdr.MOV")
    let start = try #require(Data(bytes).range(of: Data([0x42, 0x01, 0x01]), options: .backwards))
    // After profile, tier and level, only zeros are left.
    for index in start.lowerBound + 16..<start.lowerBound + 26 { bytes[index] = 0 }
    let damaged = try folder.write(bytes, to: "damaged.mov")
    let outcome = try BuiltCandela.run(
      "retag", damaged, folder.path("x.mov"), "--ambient", "100,0.3,0.3")
    #expect(outcome.status == 65)
    #expect(
      outcome.errors.contains("'hvcC'") && outcome.errors.contains("sequence parameter set"),
      "\(outcome.errors)")
  }

  @Test(
    arguments: [
      // This is more than direct sunlight, which has some 100 000 lux.
      ["--ambient", "429496.7295,0.3127,0.3290"],
      ["--ambient", "314"], ["--ambient", "0,0.3127,0.3290"], ["--ambient", "314,0.8,0.7"],
      ["--content-light", "400,1000"], ["--content-light", "0,0"],
      ["--content-light", "20000,400"],
      ["--content-light", "1000"], ["--mastering-display", "p3,0.1,0.0001"],
      ["--mastering-display", "p3,0.0001,1000"], ["--mastering-display", "p4,1000,0.0001"],
      // These primaries are in the order red, green, blue. The order has to be green, blue, red.
      [
        "--mastering-display",
        "G(34000,16000)B(13250,34500)R(7500,3000)WP(15635,16450)L(10000000,1)",
      ],
      ["--mastering-display", "G(13250,34500)B(7500,3000)R(34000,16000)WP(0,100)L(10000000,1)"],
    ].shortened(to: 5))
  func nonsenseIsRefused(arguments: [String]) throws {
    let outcome = try BuiltCandela.run(["retag", sample, folder.path("x.mov")] + arguments)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains(arguments[0]), "\(outcome.errors)")
    #expect(!folder.names.contains("x.mov"))
  }
}
