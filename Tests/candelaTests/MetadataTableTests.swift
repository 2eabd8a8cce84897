// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// What happens to each kind of HDR metadata when frames are encoded: the table in the guide
/// "HDR metadata without encoding".
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
    // Other frames get RPUs only on request.
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
