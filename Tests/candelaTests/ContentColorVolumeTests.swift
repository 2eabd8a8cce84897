// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Editing
import Foundation
import TestSupport
import Testing

/// Content color volume is read from sources and written to outputs: in the box `cclv` (ISO/IEC
/// 14496-12, 12.1.8) and in SEI 149 (H.265, D.2.40).
@Suite struct ContentColorVolumeTests {
  private let folder: TemporaryFolder
  private let sample: String

  /// Luminances from 0 to a tenth of the peak. Their average is a hundredth of the peak.
  private static let luminances: [UInt8] = [0, 0, 0, 0, 0, 0x0F, 0x42, 0x40, 0, 0x01, 0x86, 0xA0]
  private static let box = [0x1C] + luminances
  private static let message = [0x5C] + luminances
  private static let text =
    "contentColorVolume: minimum 0.0, maximum 0.1, average 0.01 of the peak"

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  /// Copies the sample, which is plain HLG, and adds a `cclv` box. The media data comes before the
  /// box, so no offsets change.
  private func boxed(_ box: [UInt8] = Self.box, name: String = "boxed.mov") throws -> String {
    let plain = folder.path("plain.mov")
    try Tool.ffmpeg("-y", "-i", sample, "-map", "0:v", "-c", "copy", plain)
    let bytes = try SyntheticMovie.insert(
      SyntheticMovie.box("cclv", box), into: FileBytes.read(plain))
    return try folder.write(bytes, to: name)
  }

  /// Makes raw HEVC with an SEI message before the first frame.
  private func stream(_ message: [UInt8] = Self.message, transfer: Int = 16) throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(to: plain, transfer: transfer)
    var units = try ByteStream.units(FileBytes.read(plain))
    let place = try #require(units.firstIndex { $0.first.map { $0 >> 1 < 32 } ?? false })
    // After the flags come five zeros, which need emulation prevention (7.4.2).
    let escaped = [message[0], 0, 0, 3, 0, 0, 3] + message.dropFirst(5)
    units.insert([0x4E, 1, 149, UInt8(message.count)] + escaped + [0x80], at: place)
    return try folder.write(ByteStream.joined(units), to: "source.hevc")
  }

  private func transcode(_ source: String, _ preset: String, _ settings: String...) throws -> String
  {
    let output = folder.path("out.mov")
    let all = ["compressionProperties.speed=ultrafast"] + settings
    let outcome = try BuiltCandela.run(
      ["transcode", source, output, "--overwrite", "--preset", preset]
        + all.flatMap { ["--set", "video.\($0)"] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns whether an output states the color volume both in the box and in `hvcC`.
  private func carries(_ path: String) throws -> Bool {
    let data = Data(try FileBytes.read(path))
    let message = Data([149, 13, 0x5C, 0, 0, 3, 0, 0, 3, 0, 0x0F, 0x42, 0x40])
    return data.range(of: Data(SyntheticMovie.box("cclv", Self.box))) != nil
      && data.range(of: message) != nil
  }

  @Test func readFromEitherPlace() throws {
    #expect(try run("inspect", boxed()).output.contains("\(Self.text) (cclv box)"))
    #expect(try run("inspect", stream()).output.contains("\(Self.text) (SEI 149)"))
    // A message for a single picture does not apply to the track.
    #expect(try !run("inspect", stream([0x1C] + Self.luminances)).output.contains("ColorVolume"))
  }

  /// The color volume of a box or of a message is written to both, and an independent reader finds
  /// it.
  @Test func carried() throws {
    let hlg = try transcode(boxed(), "hevc-hlg")
    #expect(try carries(hlg))
    let entry = try HDRCheck.video(hlg)["sample_entry"] as? [String: Any]
    #expect(entry?["cclv"] as? String == "1c00000000000f4240000186a0")
    #expect(try run("inspect", hlg).words.contains("\(Self.text) (cclv box, SEI 149)"))
    #expect(try carries(transcode(stream(), "hevc-match-source")))
    #expect(try ValidateTests.validate(hlg).having("pass").isSuperset(of: ["cclv"]))
  }

  /// If retagging changes other metadata, the color volume stays in both places. If the new color
  /// is not HDR, the color volume stays as well, and a notice names it.
  @Test func keptByRetagging() async throws {
    let source = try transcode(boxed(), "hevc-hlg")
    let (output, sdr) = (folder.path("ambient.mov"), folder.path("sdr.mov"))
    _ = try run("retag", source, output, "--ambient", "100,0.3127,0.3290")
    #expect(try carries(output))
    var changes = TagChanges()
    changes.color = .bt709
    let notices = try await Retagger(changes).retag(source, to: sdr)
    let kept = notices.first { $0.code == "metadataKept" }?.arguments["metadata"]
    #expect(kept?.contains("contentColorVolume") == true, "\(notices)")
    #expect(try ValidateTests.validate(sdr).having("fail").contains("masteringClaim"))
  }

  /// The color volume describes the source's pixels. Padded frames have other pixels, so they lose
  /// the color volume, and SDR keeps nothing of it either.
  @Test func onlyWhereItIsTrue() throws {
    let source = try boxed()
    let padded = ["--set", "video.width=600", "--set", "video.height=200"]
    let plan = try BuiltCandela.run(
      ["plan", source, "--preset", "hevc-hlg", "--set", "video.scalingMode=resizeAspect", "--json"]
        + padded)
    let lost = try plan.notices().arguments("metadataNotCarried")?["metadata"]
    #expect(lost == "contentColorVolume", "\(plan.output)")
    let kept = try run("plan", source, "--preset", "hevc-hlg").words
    #expect(kept.contains("content color volume: minimum 0.0, maximum 0.1"), "\(kept)")
    let output = try transcode(source, "h264-sdr")
    #expect(try Data(FileBytes.read(output)).range(of: Data("cclv".utf8)) == nil)
  }

  /// Validation fails for a maximum below the average, for flags without their bytes, and for a box
  /// that differs from the message.
  @Test func faultsFail() throws {
    let falling = Self.box.prefix(5) + [0, 0, 0, 1] + Self.box.suffix(4)
    let nonsense = try ValidateTests.validate(boxed(Array(falling)))
    #expect(nonsense.having("fail") == ["contentColorVolume"])
    let short = try boxed(Array(Self.box.dropLast()))
    for command in [["inspect"], ["plan", "--preset", "hevc-hlg"]] {
      let told = try BuiltCandela.run(command + [short, "--json"]).notices()
        .arguments("hdrMetadataUnreadable")
      #expect(told?["metadata"] == "contentColorVolume" && told?["place"] == "cclv box")
    }
    let cut = try ValidateTests.validate(short)
    #expect(cut.having("fail") == ["contentColorVolume", "cclv"])
    #expect(cut.evidence("contentColorVolume").hasPrefix("cclv box: the data ends"))
    #expect(cut.evidence("cclv").contains("12 bytes instead of 13"))
    let both = try transcode(boxed(), "hevc-hlg")
    var bytes = try FileBytes.read(both)
    bytes[try ValidateTests.content("cclv", of: bytes) + 12] ^= 1
    let odd = try folder.write(bytes, to: "odd.mov")
    #expect(try ValidateTests.validate(odd).having("fail") == ["cclv"])
    let notices = try BuiltCandela.run("inspect", odd, "--json").notices()
    #expect(notices.codes.contains("hdrMetadataConflict"), "\(notices)")
  }
}
