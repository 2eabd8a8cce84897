// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `candela validate` finds what is wrong in files that look right at first glance.
@Suite(.needsSharedMedia) struct ValidateOddFilesTests {
  private let folder: TemporaryFolder
  private let phone: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    phone = try SharedMedia.bytes("hdr/androidx__dolbyVision-hdr.MOV")
  }

  private func report(
    _ bytes: [UInt8], _ name: String = "odd.mov"
  ) throws -> ValidateTests.Report {
    try ValidateTests.validate(folder.write(bytes, to: name))
  }

  /// A box that is added to those of a phone's clip, and the rules that have to fail. No other rule
  /// may fail.
  struct Addition: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failing: Set<String>
    let box: [UInt8]
  }

  private static let additions = [
    Addition(
      testDescription: "second amve", failing: ["amve"],
      box: SyntheticMovie.box("amve", SyntheticMovie.ambientLight(lux: 100))),
    Addition(
      testDescription: "second dvvC", failing: ["dolbyVisionBox"],
      box: SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 5, compatibility: 4)),
    // The white point of a display is a mixture of its primaries.
    Addition(
      testDescription: "white outside of the triangle", failing: ["masteringDisplay"],
      box: SyntheticMovie.box("mdcv", SyntheticMovie.masteringDisplay(white: [5000, 40000]))),
    // H.265, D.3.28: the minimum is less than the maximum.
    Addition(
      testDescription: "minimum as large as the maximum", failing: ["masteringDisplay"],
      box: SyntheticMovie.box(
        "mdcv", SyntheticMovie.masteringDisplay(maximum: 50_000, minimum: 50_000))),
    // ISO/IEC 14496-12, 12.1.7: 24 bytes.
    Addition(
      testDescription: "mdcv of 26 bytes", failing: ["mdcv"],
      box: SyntheticMovie.box("mdcv", SyntheticMovie.masteringDisplay() + [0, 0])),
  ]

  @Test(arguments: additions.shortened(to: 2))
  func additionFailsItsRule(_ addition: Addition) throws {
    let found = try report(SyntheticMovie.insert(addition.box, into: phone))
    #expect(found.having("fail") == addition.failing)
  }

  /// If two mastering displays contradict each other, only the rule about their box fails.
  @Test func twoMasteringDisplays() throws {
    let first = try SyntheticMovie.insert(
      SyntheticMovie.box("mdcv", SyntheticMovie.masteringDisplay()), into: phone)
    #expect(try report(first).having("fail") == [])
    let second = SyntheticMovie.box("mdcv", SyntheticMovie.masteringDisplay(maximum: 40_000_000))
    let both = try report(SyntheticMovie.insert(second, into: first))
    #expect(both.having("fail") == ["mdcv"])
    #expect(both.evidence("mdcv").contains("2 different"))
  }

  /// A track can change to another sample description in the middle, so each one that is used is
  /// checked.
  @Test func everySampleDescriptionThatIsUsed() throws {
    let types = ["dvvC", "colr", "amve"]
    let unused = try report(
      SyntheticMovie.addSampleEntry(without: types, to: phone, isUsed: false))
    #expect(unused.having("fail") == [])
    let used = try report(SyntheticMovie.addSampleEntry(without: types, to: phone, isUsed: true))
    #expect(used.having("fail") == ["dolbyVisionBox", "dolbyVisionClaim", "colr", "amve"])
  }

  /// HDR10+ describes the light of PQ (SMPTE ST 2094-40), so `validate` rejects it in HLG and in
  /// SDR.
  @Test(arguments: ["hlg", "sdr"].shortened(to: 1)) func hdr10PlusWithoutPQ(kind: String) throws {
    let stream = folder.path("\(kind).hevc")
    if kind == "hlg" {
      try Tool.ffmpeg("-i", clip, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    } else {
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-c:v", "libx265", "-x265-params",
        "log-level=none", "-f", "hevc", stream)
    }
    let bytes = try FileBytes.read(stream)
    #expect(try report(bytes, "plain.hevc").having("fail").contains("hdr10PlusClaim") == false)
    // A suffix SEI with HDR10+: country 0xB5, provider 0x003C, provider-oriented code 1.
    let message: [UInt8] = [0x50, 1, 4, 7, 0xB5, 0, 0x3C, 0, 1, 4, 1, 0x80]
    let odd = try report(ByteStream.append(to: bytes) { _ in [message] }, "odd.hevc")
    #expect(odd.having("fail").contains("hdr10PlusClaim"))
  }

  private var clip: String { SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV") }

  /// An RPU that FFmpeg does not recognize gets a warning: FFmpeg wants `nuh_layer_id` 0 and
  /// `nuh_temporal_id_plus1` 1.
  @Test(
    arguments: [(UInt8(0x09), "nuh_layer_id 1"), (0x03, "nuh_temporal_id_plus1 3")].shortened(to: 1)
  )
  func layerOfRPU(second: UInt8, text: String) throws {
    var bytes = phone
    let start = try #require(Data(bytes).range(of: Data([0x7C, 0x01, 0x19, 0x08]))).lowerBound
    bytes[start + 1] = second
    let found = try report(bytes)
    #expect(found.having("warning") == ["rpuLayer"] && found.having("fail") == [])
    #expect(found.evidence("rpuLayer").contains(text))
  }

  /// If small frames have the RPUs of large frames with bars, validation fails, because such bars
  /// would leave no image.
  @Test func activeAreaOutsideOfThePicture() throws {
    let speed = ["--set", "video.compressionProperties.speed=ultrafast"]
    func transcode(_ name: String, _ settings: String...) throws -> String {
      let output = folder.path(name)
      let all = settings.flatMap { ["--set", "video.\($0)"] }
      let outcome = try BuiltCandela.run(
        ["transcode", clip, output, "--preset", "hevc-hlg"] + speed + all)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return output
    }
    let large = try transcode(
      "large.mov", "width=720", "height=720", "scalingMode=resizeAspect")
    let small = try transcode("small.mov", "width=160", "height=90")
    #expect(try ValidateTests.validate(large).having("pass").contains("rpuActiveArea"))
    let (rpus, odd) = (folder.path("rpu.bin"), folder.path("odd.mov"))
    #expect(try BuiltCandela.run("rpu", "extract", large, rpus).status == 0)
    #expect(try BuiltCandela.run("rpu", "inject", small, rpus, odd).status == 0)
    #expect(try ValidateTests.validate(odd).having("fail") == ["rpuActiveArea"])
  }

  /// A record that is cut off is named, although libavformat refuses a file with such a box
  /// altogether.
  @Test func cutOffRecordIsNamed() throws {
    let start = try ValidateTests.content("dvvC", of: phone)
    var bytes = phone
    // Three bytes of the record are left. The rest becomes a `free` box.
    bytes.replaceSubrange(start - 8..<start - 4, with: [0, 0, 0, 11])
    let rest = start + 3
    bytes.replaceSubrange(rest..<rest + 8, with: [0, 0, 0, 21] + Array("free".utf8))
    let outcome = try BuiltCandela.run("validate", folder.write(bytes, to: "cut.mov"))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("'dvvC'") && outcome.errors.contains("3 bytes"))
  }
}
