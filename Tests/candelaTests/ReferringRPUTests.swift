// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// RPUs may refer to the mapping and to the static part of an earlier RPU. They still mean the same
/// where that RPU is cut off, or where frames get another order.
@Suite struct ReferringRPUTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func mapping(_ offset: UInt32) -> DataMapping {
    let curve = ReshapingCurve(
      predPivotValue: [0, 1023], pieces: [.polynomial([Coefficient(0, offset), Coefficient(1, 0)])])
    return DataMapping(curves: [curve, curve, curve])
  }

  private static let (first, second, third) = (mapping(1000), mapping(2000), mapping(3000))

  /// Returns the RPU of a frame, counted in decoding order. Some frames have mappings, by default
  /// frames 0 and 3, and the others refer to these.
  private static func rpu(
    _ frame: Int, mappings: [Int: DataMapping] = [0: first, 3: second]
  ) throws -> ReferenceProcessingUnit {
    var unit = ReferenceProcessingUnit.profile81(
      level1: Level1(minPQ: 0, maxPQ: 2500 + UInt16(frame), avgPQ: 1000),
      level6: Level6(maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1),
      minPQ: 7, maxPQ: 3079)
    unit.mapping = mappings[frame].map { .coded($0) } ?? .previous(id: 0)
    if frame > 0 {
      unit.header.reservedZero3Bits = 1
      unit.displayManagement?.color = nil
    }
    return unit
  }

  /// Makes a movie of eight frames, with sync samples at frames 0 and 4.
  private func source() throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(
      to: plain, transfer: 16, options: ["keyint=4", "min-keyint=4", "scenecut=0"])
    var frame = -1
    let stream = try ByteStream.append(to: FileBytes.read(plain)) { _ in
      frame += 1
      return [try Self.rpu(frame).hevcNALUnit()]
    }
    let movie = folder.path("source.mp4")
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(stream, to: "source.hevc"), "-c", "copy", "-tag:v", "hvc1",
      movie)
    return movie
  }

  /// Makes a movie of eight frames with an open group: frame 3 in decoding order is a sync sample
  /// and is presented as frame 4. Frame 4, which is presented before it, refers to frames before.
  private func openGroup() throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(
      to: plain, transfer: 16,
      options: [
        "keyint=4", "min-keyint=4", "scenecut=0", "open-gop=1", "bframes=1", "b-adapt=0",
      ])
    var frame = -1
    var types: [UInt8] = []
    let stream = try ByteStream.append(to: FileBytes.read(plain)) { slice in
      frame += 1
      types.append(slice[0] >> 1)
      let mappings = [0: Self.first, 3: Self.second, 4: Self.third]
      return [try Self.rpu(frame, mappings: mappings).hevcNALUnit()]
    }
    // A clean random access picture, and a leading picture that is skipped (H.265, 7.4.2.2).
    try #require(types.count == 8 && types[3] == 21 && types[4] == 8)
    let movie = folder.path("source.mp4")
    // ffmpeg gives reordered frames of a byte stream wrong times.
    try run("cut", folder.write(stream, to: "source.hevc"), movie, "--from", "0")
    return movie
  }

  /// Returns the RPUs of a file of RPUs.
  private func units(_ file: [UInt8]) throws -> [ReferenceProcessingUnit] {
    try ByteStream.units(file).map { try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + $0) }
  }

  private func run(_ arguments: String...) throws {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// The first RPU of a cut is whole, and the others may refer to it, so they keep all their bytes.
  @Test func cut() throws {
    let output = folder.path("cut.mp4")
    try run("cut", source(), output, "--from", "4f")
    let found = try ByteStream.units(HDRCheck.rpus(output))
    let wanted = try (4..<8).map { try Array(Self.rpu($0).hevcNALUnit().dropFirst(2)) }
    try #require(found.count == 4)
    #expect(found.dropFirst() == wanted.dropFirst())
    let unit = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + found[0])
    #expect(unit.dataMapping == Self.second)
    #expect(unit.displayManagement?.color?.sourceMaxPQ == 3079)
    #expect(unit.displayManagement?.level1?.maxPQ == 2504)
  }

  /// A part that is encoded begins with the mapping that was in force there, not with the file's
  /// first.
  @Test func encodedPart() throws {
    let output = folder.path("part.mp4")
    try run(
      "transcode", source(), output, "--preset", "hevc-match-source", "--speed", "ultrafast",
      "--from", "4f")
    let found = try units(HDRCheck.rpus(output))
    #expect(found.map(\.dataMapping) == Array(repeating: Self.second, count: 4))
    #expect(found.allSatisfy { $0.displayManagement?.color != nil })
  }

  /// A cut leaves out the frame with the third mapping, so the next frame in decoding order is
  /// written with that mapping. It is the third in presentation order.
  @Test func cutAtOpenGroup() throws {
    let output = folder.path("cut.mp4")
    try run("cut", openGroup(), output, "--from", "4f")
    #expect(
      try units(HDRCheck.rpus(output)).map(\.mapping) == [
        .coded(Self.second), .previous(id: 0), .coded(Self.third), .previous(id: 0),
      ])
  }

  @Test func encodedPartAtOpenGroup() throws {
    let output = folder.path("part.mp4")
    try run(
      "transcode", openGroup(), output, "--preset", "hevc-match-source", "--speed", "ultrafast",
      "--from", "4f")
    #expect(
      try units(HDRCheck.rpus(output)).map(\.dataMapping)
        == [Self.second, Self.third, Self.third, Self.third])
  }

  /// RPUs are shown as the file has them, and only the first has a static part.
  @Test func shownRPUs() throws {
    let report = try BuiltCandela.run("rpu", "show", source(), "--json").json()
    let frames = try #require(report["frames"] as? [[String: Any]])
    #expect(frames.map { $0["sourcePQ"] != nil } == [true] + Array(repeating: false, count: 7))
  }

  /// A file of RPUs has them in the order of presentation, which references are not for.
  @Test func extractedRPUs() throws {
    let file = folder.path("rpus.bin")
    try run("rpu", "extract", source(), file)
    let found = try units(FileBytes.read(file))
    #expect(
      found.map(\.dataMapping)
        == Array(repeating: Self.first, count: 3) + Array(repeating: Self.second, count: 5))
  }
}
