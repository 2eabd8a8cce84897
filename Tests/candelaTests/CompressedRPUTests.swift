// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// FFmpeg's `dovi_rpu` filter compresses RPUs: between sync samples, they have no mapping, no
/// static part and no static blocks. Candela adds these, and takes no such RPU for damaged.
@Suite struct CompressedRPUTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the RPU of a frame. Level 6 differs from one sync sample to the next.
  private static func whole(_ frame: Int) -> ReferenceProcessingUnit {
    .profile84(
      level1: Level1(minPQ: 0, maxPQ: 2500 + UInt16(frame), avgPQ: 1300),
      isSceneRefresh: frame % 4 == 0,
      level6: Level6(
        maxDisplayMasteringLuminance: frame < 4 ? 1000 : 2000, minDisplayMasteringLuminance: 1))
  }

  /// Returns the RPU of a frame as the source has it. Frames 0 and 4 are sync samples.
  private static func coded(_ frame: Int) throws -> [UInt8] {
    var unit = whole(frame)
    if frame % 4 != 0 {
      unit.mapping = .previous(id: 0)
      unit.header.reservedZero3Bits = 1
      unit.displayManagement?.color = nil
      unit.displayManagement?.level6 = nil
      unit.displayManagement?.cmv40?.blocks.removeAll { $0.level == 254 }
    }
    return try unit.hevcNALUnit()
  }

  /// Makes a movie of eight HLG frames. Its record states limited compression.
  private func source() throws -> String {
    let (plain, movie) = (folder.path("plain.hevc"), folder.path("plain.mp4"))
    try ByteStream.encode(
      to: plain, transfer: 18, options: ["keyint=4", "min-keyint=4", "scenecut=0"])
    var frame = -1
    let stream = try ByteStream.append(to: FileBytes.read(plain)) { _ in
      frame += 1
      return [try Self.coded(frame)]
    }
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(stream, to: "source.hevc"), "-c", "copy", "-tag:v", "hvc1",
      movie)
    var record = SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 1, compatibility: 4)
    // `dv_md_compression` follows the compatibility ID.
    record[12] |= 1 << 2
    return try folder.write(
      SyntheticMovie.insert(record, into: FileBytes.read(movie)), to: "source.mp4")
  }

  /// Checks that RPUs are whole, in a file of RPUs.
  private func expectWhole(_ file: [UInt8]) throws {
    let found = try ByteStream.units(file).map {
      try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + $0)
    }
    try #require(found.count == 8)
    for (frame, unit) in found.enumerated() {
      let (data, wanted) = (unit.displayManagement, Self.whole(frame).displayManagement)
      #expect(unit.issues == [] && unit.header == Self.whole(frame).header, "\(frame)")
      #expect(unit.dataMapping == .profile84, "\(frame)")
      #expect(data?.color == wanted?.color, "\(frame)")
      #expect(Set(data?.blocks ?? []) == Set(wanted?.blocks ?? []), "\(frame)")
    }
  }

  /// Returns `dv_md_compression` of a movie's record.
  private func compression(_ path: String) throws -> UInt8 {
    let bytes = Data(try FileBytes.read(path))
    let place = try #require(bytes.range(of: Data("dvvC".utf8))).upperBound
    return try ConfigurationRecord(payload: Array(bytes[place...].prefix(24))).metadataCompression
  }

  @Test func extractedRPUs() throws {
    let file = folder.path("rpus.bin")
    let outcome = try BuiltCandela.run("rpu", "extract", source(), file)
    #expect(outcome.status == 0, "\(outcome.errors)")
    try expectWhole(FileBytes.read(file))
  }

  /// Encoded frames keep their own RPUs, which are whole.
  @Test func encodedFrames() throws {
    let output = folder.path("out.mp4")
    let result = try BuiltCandela.transcode([
      source(), output, "--preset", "hevc-match-source", "--speed", "ultrafast",
    ])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    #expect(!result.notices.codes.contains("recordCorrected"), "\(result.notices)")
    try expectWhole(HDRCheck.rpus(output))
    #expect(try compression(output) == 0)
  }

  /// Copied samples keep their RPUs, so the record still says that they are compressed.
  @Test(arguments: [
    ["transcode", "--codec", "passthrough"], ["cut", "--from", "0"], ["cut", "--from", "4f"],
  ])
  func copies(command: [String]) throws {
    let output = folder.path("copy.mp4")
    let outcome = try BuiltCandela.run([command[0], source(), output] + command.dropFirst())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("record is wrong"), "\(outcome.errors)")
    let frames = command.last == "4f" ? 4..<8 : 0..<8
    let wanted = try frames.map { Array(try Self.coded($0).dropFirst(2)) }
    #expect(try ByteStream.units(HDRCheck.rpus(output)) == wanted)
    #expect(try compression(output) == 1)
  }

  /// Compressed RPUs are valid. The record gets a warning, because many players of profile 8 cannot
  /// read such RPUs.
  @Test func validation() throws {
    let report = try ValidateTests.validate(source())
    #expect(report.having("fail").isDisjoint(with: ["rpuValues", "dolbyVisionFields"]))
    #expect(report.evidence("dolbyVisionFields").contains("dv_md_compression is 1"))
  }

  /// RPUs are shown as the file has them, and nothing is wrong with them.
  @Test func shownRPUs() throws {
    let report = try BuiltCandela.run("rpu", "show", source(), "--json").json()
    let frames = try #require(report["frames"] as? [[String: Any]])
    #expect(frames.count == 8)
    for frame in frames {
      let issues = try #require(frame["issues"] as? [String])
      #expect(issues == [])
    }
  }
}
