// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// `metadata convert` gives every frame a suitable RPU, even if the source's RPUs are missing,
/// damaged or made for other frames. It reports these faults.
@Suite(.needsSharedMedia) struct RepairedRPUTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a byte stream of eight PQ frames.
  ///
  /// - Parameters:
  ///   - options: more options for x265.
  ///   - rpus: returns the RPUs of a frame, given its number.
  private func stream(_ options: [String] = [], rpus: (Int) -> [[UInt8]]) throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(to: plain, transfer: 16, options: options)
    var frame = -1
    let bytes = ByteStream.append(to: try FileBytes.read(plain)) { _ in
      frame += 1
      return rpus(frame).map { [62 << 1, 1] + $0 }
    }
    return try folder.write(bytes, to: "source.hevc")
  }

  private func convert(_ source: String, _ options: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      ["metadata", "convert", source, folder.path("out.mp4"), "--overwrite"] + options)
  }

  private func expectValid() throws {
    let report = try ValidateTests.validate(folder.path("out.mp4"))
    #expect(report.format == "Dolby Vision 8.1")
    #expect(report.having("fail") == [])
  }

  /// Returns the RPUs of the output.
  private func units() throws -> [ReferenceProcessingUnit] {
    try ByteStream.units(HDRCheck.rpus(folder.path("out.mp4"))).map {
      try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + $0)
    }
  }

  private static func damaged(_ rpu: [UInt8]) -> [UInt8] {
    var rpu = rpu
    rpu[20] ^= 0xFF
    return rpu
  }

  enum Fault: String, CaseIterable, Sendable {
    case missing, damaged, doubled
  }

  @Test(arguments: Fault.allCases) func repair(fault: Fault) throws {
    let rpu = try SharedMedia.rpu("profile8")
    let source = try stream { frame in
      guard frame == 3 else { return [rpu] }
      switch fault {
      case .missing: return []
      case .damaged: return [Self.damaged(rpu)]
      case .doubled: return [rpu, rpu]
      }
    }
    let outcome = try convert(source, "--dolby-vision", "8.1")
    #expect(outcome.status == 2 && outcome.errors.contains("1 damaged"), "\(outcome.errors)")
    try expectValid()
    let count = try ByteStream.units(HDRCheck.rpus(folder.path("out.mp4"))).count { $0 == rpu }
    #expect(count == 8)
    let stopped = try convert(source, "--dolby-vision", "8.1", "--on-error", "stop")
    #expect(stopped.status == 65 && stopped.errors.contains("Dolby Vision RPU"))
  }

  /// If no RPU can be read, all are computed anew. The run says that the source is damaged, or
  /// fails if it has to stop at errors.
  @Test func allDamaged() throws {
    let rpu = Self.damaged(try SharedMedia.rpu("profile8"))
    let source = try stream { _ in [rpu] }
    let outcome = try convert(source, "--dolby-vision", "8.1")
    #expect(outcome.status == 2 && outcome.errors.contains("recomputed"), "\(outcome.errors)")
    try expectValid()
    let stopped = try convert(source, "--dolby-vision", "8.1", "--on-error", "stop")
    #expect(stopped.status == 65 && stopped.errors.contains("RPU"), "\(stopped.errors)")
  }

  // FFmpeg's decoder would read RPUs, too, and report damaged RPUs as damaged frames.
  /// All frames are decoded although their RPUs are damaged, in byte streams and in movies.
  @Test(arguments: [[0], [2], [5], [20], [159]], ["hevc", "mp4"].shortened(to: 1))
  func damagedRPUsSpoilNoFrame(places: [Int], container: String) throws {
    var rpu = try SharedMedia.rpu("profile8")
    for place in places { rpu[place] ^= 0xFF }
    var source = try stream { _ in [rpu] }
    if container != "hevc" {
      let movie = folder.path("source.\(container)")
      try Tool.ffmpeg("-f", "hevc", "-i", source, "-c", "copy", "-tag:v", "hvc1", movie)
      source = movie
    }
    let encoded = folder.path("encoded.mp4")
    let result = try BuiltCandela.transcode([
      source, encoded, "--preset", "hevc-pq", "--speed", "ultrafast",
    ])
    #expect(result.outcome.status == 2)
    #expect(result.outcome.errors.contains("8 damaged parts"), "\(result.outcome.errors)")
    #expect(result.notices.codes.contains("rpusDamaged"), "\(result.notices)")
    #expect(try Tool.frameDigests(encoded, format: "yuv420p10le").count == 8)
    let still = try BuiltCandela.run("still", source, folder.path("still.png"), "--frame", "3")
    #expect(!still.errors.contains("is damaged"), "\(still.errors)")
  }

  /// RPUs that map HLG are replaced if the frames are PQ, and `validate` refuses them there.
  @Test func mappingsOfOtherFrames() throws {
    let rpu = try SharedMedia.rpu("profile84")
    let source = try stream { _ in [rpu] }
    let outcome = try convert(source, "--dolby-vision", "8.1")
    #expect(outcome.status == 0 && outcome.errors.contains("map HLG (8.4)"), "\(outcome.errors)")
    try expectValid()
    #expect(try units().allSatisfy { $0.dataMapping?.baseLayerSignal($0.header) == .pq })
    let wrong = folder.path("wrong.mp4")
    try Tool.ffmpeg("-f", "hevc", "-i", source, "-c", "copy", "-tag:v", "hvc1", wrong)
    let record = SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 1, compatibility: 1)
    let movie = try SyntheticMovie.insert(record, into: FileBytes.read(wrong))
    let report = try ValidateTests.validate(folder.write(movie, to: "wrong.mp4"))
    #expect(report.having("fail").contains("rpuProfile"))
    #expect(report.evidence("rpuProfile").contains("the mapping is for HLG (8.4)"))
  }

  /// If the Dolby Vision record states a profile that does not exist, it contradicts the RPUs, and
  /// `validate` says so.
  @Test func recordOfAnUnknownProfile() throws {
    let rpu = try SharedMedia.rpu("profile8")
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "hevc", "-i", stream { _ in [rpu] }, "-c", "copy", "-tag:v", "hvc1", plain)
    let record = SyntheticMovie.dolbyVision("dvvC", profile: 99, level: 1, compatibility: 1)
    let movie = try SyntheticMovie.insert(record, into: FileBytes.read(plain))
    let report = try ValidateTests.validate(folder.write(movie, to: "99.mp4"))
    #expect(report.having("fail").contains("rpuProfile"))
  }

  /// RPUs are not computed for a mastering display that cannot exist, but for the usual display.
  @Test(arguments: ["L(0,0)", "L(1,10000000)"]) func impossibleDisplay(luminances: String) throws {
    let colors = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
    let source = try stream(["master-display=\(colors)\(luminances)"]) { _ in [] }
    let outcome = try convert(source, "--dolby-vision", "8.1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("mastering display"), "\(outcome.errors)")
    #expect(outcome.errors.contains("0.0001…1000.0 cd/m²"), "\(outcome.errors)")
    let units = try units()
    #expect(units.count == 8)
    for unit in units {
      #expect(unit.issues == [])
      #expect(unit.displayManagement?.level6?.maxDisplayMasteringLuminance == 1000)
    }
  }

  /// Level 6 of kept RPUs has the values that the output states.
  @Test func level6() throws {
    let rpu = try SharedMedia.rpu("profile8")
    let source = try stream { _ in [rpu] }
    let outcome = try convert(
      source, "--light", "100,50", "--mastering-display", "p3,4000,0.005")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try expectValid()
    let wanted = Level6(
      maxDisplayMasteringLuminance: 4000, minDisplayMasteringLuminance: 50,
      maxContentLightLevel: 100, maxFrameAverageLightLevel: 50)
    let old = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 1] + rpu)
    for unit in try units() {
      #expect(unit.displayManagement?.level6 == wanted)
      #expect(unit.displayManagement?.blocks.count == old.displayManagement?.blocks.count)
    }
  }

  /// If a frame has no RPU, all later RPUs move forward in the RPU file, so the exit status reports
  /// the gap.
  @Test func extractionWithAGap() throws {
    let rpu = try SharedMedia.rpu("profile8")
    let source = try stream { $0 == 3 ? [] : [rpu] }
    let outcome = try BuiltCandela.run("rpu", "extract", source, folder.path("rpu.bin"))
    #expect(outcome.status == 2 && outcome.errors.contains("no RPU in 1 of 8 frames"))
  }

  /// If RPUs are removed, the source needs no Dolby Vision record, so no notice says that it is
  /// missing.
  @Test func removal() throws {
    let rpu = try SharedMedia.rpu("profile8")
    let outcome = try convert(try stream { _ in [rpu] }, "--dolby-vision", "none")
    #expect(outcome.status == 0)
    #expect(!outcome.errors.contains("none is written"), "\(outcome.errors)")
    #expect(try HDRCheck.facts(folder.path("out.mp4"))["dv"] is NSNull)
  }
}
