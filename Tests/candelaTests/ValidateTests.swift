// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `candela validate` says that undamaged files conform. For each kind of damage, the rules about
/// it fail.
@Suite struct ValidateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A report, as decoded from its JSON.
  struct Report: Decodable {
    struct Rule: Decodable {
      let rule: String
      let name: String
      let outcome: String
      let evidence: String
      let reference: String
    }
    let path: String
    let format: String
    let conforms: Bool
    let rules: [Rule]

    func evidence(_ rule: String) -> String { rules.first { $0.rule == rule }?.evidence ?? "" }

    func having(_ outcome: String) -> Set<String> {
      Set(rules.filter { $0.outcome == outcome }.map(\.rule))
    }
  }

  /// Returns the report on a file, and checks that the exit code matches the verdict.
  private func validate(_ path: String) throws -> Report { try Self.validate(path) }

  static func validate(_ path: String) throws -> Report {
    let outcome = try BuiltCandela.run("validate", path, "--json")
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    #expect(outcome.status == (report.conforms ? 0 : 1))
    #expect(report.conforms == report.having("fail").isEmpty)
    return report
  }

  private static let phone = "hdr/androidx__dolbyVision-hdr.MOV"
  private static let clips = [phone, "hdr/androidx__sample_edit_list.mp4"]

  // MARK: What is right

  /// Clips that phones recorded conform, without warnings.
  @Test(.needsSharedMedia, arguments: clips) func clipsOfPhonesConform(name: String) throws {
    let report = try validate(SharedMedia.path(name))
    #expect(report.format == "Dolby Vision 8.4")
    #expect(report.having("fail") == [] && report.having("warning") == [])
  }

  @Test(.needsSharedMedia, arguments: Array(zip(clips, ["mov", "mp4"])).shortened(to: 1))
  func transcodedClipsConform(name: String, container: String) throws {
    let output = folder.path("out.\(container)")
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path(name), output, "--preset", "hevc-hlg", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try validate(output)
    #expect(report.format == "Dolby Vision 8.4")
    #expect(report.having("fail") == [] && report.having("warning") == [])
  }

  /// An HDR10 output conforms without warnings. Its source gets warnings, because it states HDR10's
  /// values only in the bitstream.
  @Test(.needsSharedMedia) func hdr10() throws {
    let source = SharedMedia.path("hdr/EncodingGuidelines__output_hdr10.mp4")
    let before = try validate(source)
    #expect(before.format == "HDR10" && before.conforms)
    #expect(before.having("warning") == ["colr", "mdcv", "clli"])
    let report = try validate(try hdr10Movie())
    #expect(report.format == "HDR10")
    #expect(report.having("fail") == [] && report.having("warning") == [])
    #expect(report.having("pass").isSuperset(of: ["masteringDisplay", "mdcv", "clli", "colr"]))
    #expect(report.having("notApplicable").isSuperset(of: ["dolbyVisionBox", "rpuPresence"]))
  }

  private func hdr10Movie() throws -> String {
    let output = folder.path("hdr10.mp4")
    let source = SharedMedia.path("hdr/EncodingGuidelines__output_hdr10.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", "hevc-match-source", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Files of other Dolby Vision profiles conform, too. TN3145 does not apply to them. Profile 5
  /// has no colors that a box could state.
  @Test(
    .needsSharedMedia,
    arguments: [
      ("hdr/androidx__dvhe_05_05.mp4", "Dolby Vision 5"),
      ("hdr/androidx__hev1_08_05.mp4", "Dolby Vision 8.1"),
      ("hdr/dovi_tool__regular.hevc", "Dolby Vision 8.1"),
    ]) func otherProfiles(name: String, format: String) throws
  {
    let report = try validate(SharedMedia.path(name))
    #expect(report.format == format)
    #expect(report.having("fail") == [])
    #expect(report.having("pass").isSuperset(of: ["rpuPresence", "rpuOrder", "rpuChecksum"]))
  }

  /// HLG in HEVC and SDR in H.264 conform.
  @Test func hlgAndSDR() throws {
    let sample = try BuiltCandela.sample(in: folder)
    let hlg = try validate(sample)
    #expect(hlg.format == "HLG" && hlg.conforms)
    #expect(hlg.having("notApplicable").contains("rpuPresence"))
    let output = folder.path("sdr.mp4")
    #expect(try BuiltCandela.run("transcode", sample, output, "--preset", "h264-sdr").status == 0)
    let sdr = try validate(output)
    #expect(sdr.format == "SDR" && sdr.conforms)
    #expect(sdr.having("warning") == [])
    #expect(
      sdr.having("notApplicable").isSuperset(of: [
        "configurationRecord", "amve", "dolbyVisionClaim",
      ]))
    let human = try BuiltCandela.run("validate", output)
    #expect(human.output == "\(output): SDR: conforms\n")
    let all = try BuiltCandela.run("validate", output, "--all")
    #expect(all.output.hasPrefix(human.output))
    #expect(all.output.split(separator: "\n").count == sdr.rules.count + 1)
  }

  // MARK: What is wrong

  /// A change to the bytes of a phone's clip, and the rules that have to fail because of it. No
  /// other rule may fail.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failing: Set<String>
    let change: @Sendable (inout [UInt8]) throws -> Void
  }

  /// Positions are those in `phone`. Its `dvvC` has 24 bytes: the version, then 7 bits for the
  /// profile, 6 for the level, 3 for flags, and 4 for the compatibility.
  private static let damages = [
    Damage(
      testDescription: "no dvvC", failing: ["dolbyVisionBox", "dolbyVisionClaim"],
      change: { try rename("dvvC", in: &$0) }),
    Damage(
      testDescription: "dvvC level 1 for 720p30", failing: ["dolbyVisionLevel"],
      change: { $0[try content("dvvC", of: $0) + 3] = 0x0D }),
    Damage(
      testDescription: "dvvC with an enhancement layer", failing: ["dolbyVisionFields"],
      change: { $0[try content("dvvC", of: $0) + 3] |= 0x02 }),
    Damage(
      testDescription: "dvvC 8.1 on HLG", failing: ["colr", "vui", "baseLayerClaim"],
      change: { $0[try content("dvvC", of: $0) + 4] = 0x10 }),
    Damage(
      testDescription: "no amve", failing: ["amve"], change: { try rename("amve", in: &$0) }),
    Damage(
      testDescription: "another amve", failing: ["ambientSEI"],
      change: { $0[try content("amve", of: $0) + 2] ^= 0x10 }),
    Damage(
      testDescription: "amve of 0 lux", failing: ["amve", "ambientSEI"],
      change: { bytes in
        let start = try content("amve", of: bytes)
        for index in start..<start + 4 { bytes[index] = 0 }
      }),
    Damage(
      testDescription: "no colr", failing: ["colr"], change: { try rename("colr", in: &$0) }),
    Damage(
      testDescription: "colr of PQ",
      failing: ["colr", "tagsAgree", "baseLayerClaim"],
      change: { $0[try content("colr", of: $0) + 7] = 16 }),
    Damage(
      testDescription: "RPU with another checksum", failing: ["rpuChecksum"],
      change: { bytes in
        let rpu = try rpu(of: bytes)
        bytes[rpu.upperBound - 2] ^= 0x55
      }),
    Damage(
      testDescription: "RPU that is an enhancement layer",
      failing: ["rpuPresence", "enhancementLayer"],
      change: { $0[try rpu(of: $0).lowerBound] = 63 << 1 }),
    Damage(
      testDescription: "RPU that another NAL unit follows",
      failing: ["rpuOrder", "rpuChecksum"],
      change: { bytes in
        // The last 16 bytes of the RPU become a separate NAL unit with filler data, so the RPU
        // loses its checksum.
        let rpu = try rpu(of: bytes)
        let cut = rpu.upperBound - 16
        bytes.replaceSubrange(cut..<cut + 6, with: [0, 0, 0, 12, 38 << 1, 1])
        let length = UInt32(cut - rpu.lowerBound)
        bytes.replaceSubrange(
          rpu.lowerBound - 4..<rpu.lowerBound,
          with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
      }),
    Damage(
      testDescription: "dvvC without RPUs", failing: ["rpuPresence", "dolbyVisionClaim"],
      change: { bytes in
        // There is one RPU in each of the clip's five samples.
        for _ in 0..<5 { bytes[try rpu(of: bytes).lowerBound] = 38 << 1 }
      }),
    Damage(
      testDescription: "SEI 147 of PQ in the place of SEI 148",
      failing: ["tagsAgree", "baseLayerClaim", "preferredTransferClaim"],
      change: { bytes in
        let sei = Data([0x4E, 0x01, 0x94, 0x08])
        let start = try #require(Data(bytes).range(of: sei)).lowerBound
        bytes.replaceSubrange(start + 2..<start + 5, with: [147, 1, 16])
      }),
    Damage(
      testDescription: "NAL unit longer than its sample", failing: ["sampleData", "rpuPresence"],
      change: { bytes in
        let rpu = try rpu(of: bytes)
        bytes[rpu.lowerBound - 4] = 0x7F
      }),
    Damage(
      testDescription: "hvcC with an array that is not complete", failing: ["arrayCompleteness"],
      change: { $0[try content("hvcC", of: $0) + 23] &= 0x7F }),
  ]

  @Test(.needsSharedMedia, arguments: damages.shortened(to: 6))
  func damageFailsItsRule(_ damage: Damage) throws {
    var bytes = try SharedMedia.bytes(Self.phone)
    try damage.change(&bytes)
    let report = try validate(folder.write(bytes, to: "damaged.mov"))
    #expect(report.having("fail") == damage.failing)
  }

  /// Returns where a box's content begins.
  static func content(_ type: String, of bytes: [UInt8]) throws -> Int {
    let found = Data(bytes).range(of: Data(type.utf8), options: .backwards)
    return try #require(found).upperBound
  }

  private static func rename(_ type: String, in bytes: inout [UInt8]) throws {
    let start = try content(type, of: bytes)
    bytes.replaceSubrange(start - 4..<start, with: Array("free".utf8))
  }

  /// Returns where the first RPU in the samples is, after the four bytes of its length.
  private static func rpu(of bytes: [UInt8]) throws -> Range<Int> {
    let start = try #require(Data(bytes).range(of: Data([0x7C, 0x01, 0x19, 0x08]))).lowerBound
    let length = bytes[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    return start..<start + length
  }

  /// If only the tags of a file were changed, the rules that they now break fail.
  @Test(.needsSharedMedia) func retagged() throws {
    let sdr = folder.path("709.mov")
    let source = SharedMedia.path(Self.phone)
    #expect(try BuiltCandela.run("retag", source, sdr, "--color", "709").status == 0)
    #expect(
      try validate(sdr).having("fail") == ["colr", "vui", "baseLayerClaim", "ambientClaim"])
    let hev1 = folder.path("hev1.mov")
    #expect(try BuiltCandela.run("retag", source, hev1, "--codec-tag", "hev1").status == 0)
    #expect(try validate(hev1).having("fail") == ["sampleEntry"])
  }

  /// A mastering display of 0.1 cd/m² fails, and so do primaries in the wrong order.
  @Test(.needsSharedMedia) func nonsenseOfHDR10() throws {
    let whole = try FileBytes.read(hdr10Movie())
    let start = try Self.content("mdcv", of: whole)
    var bytes = whole
    bytes.replaceSubrange(start + 16..<start + 20, with: [0, 0, 0x03, 0xE8])
    #expect(
      try validate(folder.write(bytes, to: "odd.mp4")).having("fail") == [
        "masteringDisplay", "mdcv",
      ])
    bytes = whole
    bytes.replaceSubrange(start..<start + 4, with: whole[start + 8..<start + 12])
    bytes.replaceSubrange(start + 8..<start + 12, with: whole[start..<start + 4])
    let report = try validate(folder.write(bytes, to: "odd.mp4"))
    #expect(report.having("fail") == ["masteringDisplay", "mdcv"])
    let evidence = report.rules.first { $0.rule == "masteringDisplay" }?.evidence
    #expect(evidence?.contains("red, blue, green") == true)
  }

  // MARK: The command

  @Test func unusableInput() throws {
    let text = try folder.write("no movie", to: "notes.mov")
    #expect(try BuiltCandela.run("validate", text).status == 65)
    #expect(try BuiltCandela.run("validate", folder.path("absent.mov")).status == 66)
    #expect(try BuiltCandela.run("validate").status == 64)
  }

  @Test(.needsSharedMedia) func soundAlone() throws {
    let audio = SharedMedia.path("sdr/androidx__sample_ac3_aac.mp4")
    #expect(try BuiltCandela.run("validate", audio).status == 65)
  }

  /// Scripts rely on the names of rules, so the documentation has them all, in the same order as
  /// reports.
  @Test func rulesAreDocumented() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Transcoding/Transcoding.docc/Validation.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }
    let report = try validate(try BuiltCandela.sample(in: folder))
    #expect(rows.map(String.init) == report.rules.map(\.rule))
    #expect(report.rules.allSatisfy { !$0.name.isEmpty && !$0.evidence.isEmpty })
    #expect(report.rules.allSatisfy { !$0.reference.isEmpty })
  }
}
