// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import ColorScience
import DolbyVision
import Foundation
import TestSupport
import Testing

/// Dolby Vision profile 5 comes out in the right colors. Its frames mean nothing until their RPUs
/// turn them into BT.2020 PQ.
@Suite struct ReshapedFramesTests {
  private let folder: TemporaryFolder
  private static let (width, height, block) = (128, 96, 16)
  private static let encoder =
    #"video.compressionProperties={"lossless": true, "speed": "ultrafast"}"#

  init() throws { folder = try TemporaryFolder() }

  /// Returns full-range code values of Y', Cb and Cr for each block. The whole block has the same
  /// values, so chroma has no edges inside it.
  private static func samples() -> [[Int]] {
    var random = SeededGenerator(seed: 5)
    return (0..<width / block * height / block).map { _ in
      [
        .random(in: 30...700, using: &random), .random(in: 480...540, using: &random),
        .random(in: 480...540, using: &random),
      ]
    }
  }

  /// Encodes a lossless base layer, and adds an RPU to each frame.
  private func source(_ rpu: [UInt8], record: (profile: Int, compatibility: Int)?) throws -> String
  {
    let samples = Self.samples()
    let across = Self.width / Self.block
    var frame: [UInt8] = []
    for plane in 0..<3 {
      let scale = plane == 0 ? 1 : 2
      for y in 0..<Self.height / scale {
        for x in 0..<Self.width / scale {
          let place = y * scale / Self.block * across + x * scale / Self.block
          let sample = UInt16(samples[place][plane])
          frame += [UInt8(sample & 255), UInt8(sample >> 8)]
        }
      }
    }
    let raw = try folder.write(frame + frame + frame, to: "base.yuv")
    let (base, movie) = (folder.path("base.hevc"), folder.path("movie.mp4"))
    try Tool.ffmpeg(
      "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "\(Self.width)x\(Self.height)", "-r", "25",
      "-i", raw, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "bframes=0:log-level=none:lossless=1:range=full", base)
    let stream = ByteStream.append(to: try FileBytes.read(base)) { _ in [[62 << 1, 1] + rpu] }
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(stream, to: "layer.hevc"), "-c", "copy", "-tag:v", "hvc1",
      movie)
    guard let record else { return movie }
    let box = SyntheticMovie.dolbyVision(
      record.profile < 8 ? "dvcC" : "dvvC", profile: record.profile,
      compatibility: record.compatibility)
    return try folder.write(
      SyntheticMovie.insert(box, into: FileBytes.read(movie)), to: "source.mp4")
  }

  private func rpu(_ name: String) throws -> [UInt8] {
    Array(try FileBytes.read(SharedMedia.path("metadata/rpu/\(name).bin")).dropFirst(4))
  }

  /// Checks that luma in the middle of each block is what the definition of reshaping gives.
  private func expectReshaped(_ output: String, by rpu: [UInt8]) throws {
    let unit = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 0x01] + rpu)
    let reshaping = try #require(SignalReshaping(unit))
    let bytes = try Tool.pictures(output, format: "yuv420p10le")
    let across = Self.width / Self.block
    let middle = 512.0 / 1023
    for (index, sample) in Self.samples().enumerated() {
      let light = reshaping.light(
        of: Triple(Double(sample[0]), Double(sample[1]), Double(sample[2])) / 1023, middle: middle)
      let signal = light.componentwise { PQ.inverseEOTF($0 * PQ.peakLuminance) }
      let luma = 64 + 876 * (0.2627 * signal.x + 0.6780 * signal.y + 0.0593 * signal.z)
      let (x, y) = (index % across * Self.block + 8, index / across * Self.block + 8)
      let place = 2 * (y * Self.width + x)
      let code = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      #expect(abs(Double(code) - luma) <= 0.6, "block \(index)")
    }
  }

  /// The RPU decides how frames are reshaped, no matter what the record says and whether there is a
  /// record.
  @Test(.needsSharedMedia, arguments: [(5, 0), (8, 1), nil] as [(Int, Int)?])
  func rpuDecides(record: (Int, Int)?) throws {
    let rpu = try rpu("profile5-02")
    let source = try source(rpu, record: record.map { (profile: $0.0, compatibility: $0.1) })
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("transcode", source, output, "--set", Self.encoder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try expectReshaped(output, by: rpu)
    let plan = try BuiltCandela.run("plan", source, "--json")
    let name = try plan.notices().arguments("baseLayerReshaped")?["dolbyVision"]
    #expect(name?.contains("profile 5") == true, "\(plan.output)")
    let facts = try HDRCheck.facts(output)
    #expect(facts["rpu_aus"] as? Int == 3)
  }

  /// Curves with chroma regressions, as streaming services write them, reshape frames correctly.
  @Test(.needsSharedMedia) func regressions() throws {
    let rpu = try rpu("source_p5_to_p8_001_end_crc32")
    let output = folder.path("out.mp4")
    let source = try source(rpu, record: (5, 0))
    let outcome = try BuiltCandela.run("transcode", source, output, "--set", Self.encoder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try expectReshaped(output, by: rpu)
  }

  /// Frames that become SDR or HLG are reshaped on the way, and look as if they had been converted
  /// to HDR10 first.
  @Test(.needsSharedMedia, arguments: ["bt709", "hlg"]) func conversionsReshape(color: String)
    throws
  {
    let rpu = try rpu("source_p5_to_p8_001_end_crc32")
    let source = try source(rpu, record: (5, 0))
    let (hdr10, direct, detour) = (
      folder.path("hdr10.mp4"), folder.path("direct.mp4"), folder.path("detour.mp4")
    )
    let converted = [
      "--set", "video.colorProperties=\(color)", "--set", #"video.conversion={"dither": "none"}"#,
    ]
    for (from, to, options) in [
      (source, hdr10, []), (source, direct, converted), (hdr10, detour, converted),
    ] {
      let outcome = try BuiltCandela.run(["transcode", from, to, "--set", Self.encoder] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let format = color == "hlg" ? "yuv420p10le" : "yuv420p"
    func codes(_ path: String) throws -> [Int] {
      let bytes = try Tool.pictures(path, format: format).map { Int($0) }
      return color == "hlg"
        ? stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] | bytes[$0 + 1] << 8 } : bytes
    }
    let differences = zip(try codes(direct), try codes(detour)).map { abs($0 - $1) }
    // On the way through HDR10, 4:2:0 chroma is filtered twice at the edges of blocks.
    let close = differences.filter { $0 <= 2 }.count
    #expect(Double(close) > 0.9 * Double(differences.count))
    #expect(differences.reduce(0, +) < differences.count)
  }

  /// The commands that show or convert frames also work with a real clip of profile 5.
  @Test(.needsSharedMedia) func commands() throws {
    let source = folder.path("second.mp4")
    let clip = SharedMedia.path("metadata/shaka-packager__426x240-dvh1.mp4")
    #expect(try BuiltCandela.run("cut", clip, source, "--to", "24f").status == 0)
    let (sdr, hlg, still) = (folder.path("sdr.mp4"), folder.path("hlg.mov"), folder.path("s.png"))
    let fast = ["--set", "video.compressionProperties.speed=ultrafast"]
    for arguments in [
      ["transcode", source, sdr, "--preset", "h264-sdr"] + fast,
      [
        "transcode", source, hlg, "--preset", "hevc-hlg", "--set",
        "video.hdrMetadata.dolbyVision=8.4",
      ] + fast,
      ["still", source, still],
    ] {
      let outcome = try BuiltCandela.run(arguments)
      #expect(outcome.status == 0, "\(arguments[0]): \(outcome.errors)")
    }
    #expect(try HDRCheck.facts(hlg)["rpu_aus"] as? Int == 24)
    #expect(try BuiltCandela.run("validate", hlg).status == 0)
    let compared = try BuiltCandela.run("compare", source, sdr)
    // SDR cannot have Dolby Vision, so something is lost. Light is compared all the same.
    #expect(compared.status == 1, "\(compared.errors)")
    #expect(compared.output.contains("ΔE ITP     mean"), "\(compared.output)")
  }
}
