// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// What happens to each kind of HDR metadata when frames are encoded, cut or grafted: the table in
/// the guide "HDR metadata without encoding".
@Suite struct MetadataTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let (pq, hlg) = (Result { try made(16) }, Result { try made(18) })

  /// Makes a short movie with every kind of metadata that its transfer function can have.
  private static func made(_ transfer: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let (plain, output) = (folder.path("plain.mp4"), folder.path("out.mp4"))
    let display =
      "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=192x128:r=30:d=0.4", "-c:v", "libx265", "-preset",
      "ultrafast", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:colorprim=9:transfer=\(transfer):colormatrix=9"
        + (transfer == 16 ? ":max-cll=900,300:\(display)" : ""), plain)
    let volume: [UInt8] = [0x1C, 0, 0, 0, 0, 0, 0x0F, 0x42, 0x40, 0, 0x01, 0x86, 0xA0]
    let movie = try SyntheticMovie.insert(
      SyntheticMovie.box("cclv", volume), into: FileBytes.read(plain))
    let outcome = try BuiltCandela.run(
      ["metadata", "convert", folder.write(movie, to: "whole.mp4"), output]
        + (transfer == 16
          ? ["--dolby-vision", "8.1", "--hdr10plus", "measure"] : ["--dolby-vision", "8.4"])
        + ["--st2094-50", "measure"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try FileBytes.read(output)
  }

  enum Change: String, CaseIterable, Sendable {
    case none, rate, scale, crop, pad

    var settings: [String] {
      switch self {
      case .none: []
      case .rate: ["frameRate=15"]
      case .scale: ["width=96", "height=64"]
      case .crop: ["width=128", "height=128", "scalingMode=resizeAspectFill"]
      case .pad: ["width=128", "height=128", "scalingMode=resizeAspect"]
      }
    }

    var keepsFrames: Bool { self == .none || self == .rate }
    var keepsContent: Bool { keepsFrames || self == .scale }
  }

  /// Returns the metadata that an encode would have.
  private func planned(_ movie: [UInt8], _ change: Change) throws -> [String: Any] {
    let source = try folder.write(movie, to: "source.mp4")
    let plan = try BuiltCandela.run(
      ["plan", source, "--preset", "hevc-match-source", "--json"]
        + change.settings.flatMap { ["--set", "video.\($0)"] })
    #expect(plan.status == 0, "\(plan.errors)")
    let video = try plan.json()["video"] as? [String: Any]
    let encoding = video?["encoding"] as? [String: Any]
    return try #require(encoding?["hdrMetadata"] as? [String: Any])
  }

  private func rpus(_ metadata: [String: Any]) -> String? {
    (metadata["dolbyVision"] as? [String: Any])?["rpus"] as? String
  }

  @Test(arguments: Change.allCases) func encodesOfPQ(change: Change) throws {
    let metadata = try planned(Self.pq.get(), change)
    #expect(metadata["masteringDisplay"] != nil)
    #expect((metadata["contentLightLevel"] != nil) == change.keepsContent)
    #expect((metadata["contentColorVolume"] != nil) == change.keepsContent)
    // Frames that change get RPUs only on request.
    #expect(rpus(metadata) == (change.keepsFrames ? "source" : nil))
    let dynamic = change.keepsContent ? ["hdr10Plus", "st2094_50"] : ["st2094_50"]
    #expect(metadata["kept"] as? [String] == dynamic)
    let measured = metadata["measured"] as? [String] ?? []
    #expect(measured == (change.keepsContent ? [] : ["hdr10Plus"]))
  }

  @Test(arguments: Change.allCases) func encodesOfHLG(change: Change) throws {
    let metadata = try planned(Self.hlg.get(), change)
    #expect(metadata["ambientViewingEnvironment"] != nil)
    #expect((metadata["contentColorVolume"] != nil) == change.keepsContent)
    #expect(rpus(metadata) == (change.keepsFrames ? "source" : "computed"))
    #expect(metadata["kept"] as? [String] == ["st2094_50"])
  }

  /// At another frame rate, each frame of the output has the RPU of the frame that it shows,
  /// converted to 8.1. Profile 7 has an enhancement layer, and frames of profile 5 are reshaped.
  @Test(.needsSharedMedia, arguments: [("fel_rpu", true), ("profile5", false)])
  func otherProfilesAtAnotherRate(name: String, hasLayer: Bool) throws {
    let (plain, source) = (folder.path("plain.hevc"), folder.path("source.mp4"))
    try ByteStream.encode(to: plain, transfer: 16)
    var unit = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + SharedMedia.rpu(name))
    var frame = 0
    let stream = try ByteStream.append(to: FileBytes.read(plain)) { slice in
      unit.displayManagement?.level1 = Level1(
        minPQ: 0, maxPQ: UInt16(2000 + frame * 100), avgPQ: 1000)
      frame += 1
      return try (hasLayer ? [[63 << 1, 1] + slice] : []) + [unit.hevcNALUnit()]
    }
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(stream, to: "rpus.hevc"), "-c", "copy", "-tag:v", "hvc1",
      source)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", "hevc-match-source", "--speed", "ultrafast", "--set",
      "video.frameRate=50")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let units = try ByteStream.units(HDRCheck.rpus(output)).map { rpu in
      try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + rpu)
    }
    #expect(units.allSatisfy { $0.profile == 8 })
    #expect(
      units.map { Int($0.displayManagement?.level1?.maxPQ ?? 0) }
        == (0..<16).map { 2000 + $0 / 2 * 100 })
  }

  /// A cut states the ambient viewing environment in the same places as its source. Matroska has no
  /// element for it, but its samples have the message.
  @Test(arguments: ["mov", "mkv"]) func cutsOfHLG(container: String) throws {
    let source = try folder.write(Self.hlg.get(), to: "source.mp4")
    let output = folder.path("out.\(container)")
    let outcome = try BuiltCandela.run("cut", source, output, "--from", "0f", "--to", "12f")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let shown = try BuiltCandela.run("metadata", "show", output).output
    #expect(shown.contains("ambientViewingEnvironment: 314.0 lux"), "\(shown)")
    guard container == "mov" else { return }
    #expect(try HDRCheck.facts(output)["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
  }

  /// A graft puts the content color volume onto an encode that another program made.
  @Test(arguments: ["mp4", "mkv"]) func graftsOfHLG(container: String) throws {
    let source = try folder.write(Self.hlg.get(), to: "source.mp4")
    let (encode, output) = (folder.path("encode.mp4"), folder.path("out.\(container)"))
    try Tool.ffmpeg(
      "-i", source, "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:crf=20:colorprim=9:transfer=18:colormatrix=9", encode)
    let before = try BuiltCandela.run("metadata", "show", encode).output
    #expect(!before.contains("contentColorVolume"))
    let outcome = try BuiltCandela.run("metadata", "graft", source, encode, output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let shown = try BuiltCandela.run("metadata", "show", output).output
    let text = "contentColorVolume: minimum 0.0, maximum 0.1, average 0.01 of the peak"
    #expect(shown.contains(text), "\(shown)")
  }

  /// User data of formats that are not read is named, and stays with frames that are copied.
  @Test(arguments: ["mp4", "mkv"]) func otherUserData(container: String) throws {
    let (plain, output) = (folder.path("plain.hevc"), folder.path("out.\(container)"))
    try ByteStream.encode(to: plain, transfer: 16)
    // HDR Vivid, and a message of a country and a provider that nobody knows.
    let messages: [[UInt8]] = [
      [0x4E, 1, 4, 7, 0x26, 0, 4, 0, 5, 1, 2, 0x80], [0x4E, 1, 4, 6, 0x42, 9, 8, 7, 6, 5, 0x80],
    ]
    let units = try ByteStream.units(FileBytes.read(plain)).flatMap { unit in
      unit[0] >> 1 < 32 && unit[2] & 0x80 != 0 ? messages + [unit] : [unit]
    }
    let source = try folder.write(ByteStream.joined(units), to: "source.hevc")
    let outcome = try BuiltCandela.run(
      "metadata", "convert", source, output, "--hdr10plus", "measure", "--light", "500,100")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let shown = try BuiltCandela.run("metadata", "show", output).output
    for name in ["HDR Vivid", "T.35 42 09 08 07 06"] {
      #expect(shown.contains("\(name): 8 frames"), "\(shown)")
    }
    let stream = folder.path("written.hevc")
    try Tool.ffmpeg("-i", output, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    let written = try ByteStream.units(FileBytes.read(stream))
    for message in messages { #expect(written.count { $0 == message } == 8) }
  }
}
