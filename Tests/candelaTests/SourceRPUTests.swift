// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import DolbyVision
import TestSupport
import Testing

@testable import Inspection

/// A transcode copes with Dolby Vision RPUs in places where decoders do not look, and with RPUs
/// that are missing or damaged. The source is a phone's clip as a byte stream with changed units.
@Suite(.needsSharedMedia) struct SourceRPUTests {
  private let folder: TemporaryFolder
  /// The NAL units of the phone's clip, which has five frames with an RPU each.
  private let units: [[UInt8]]

  /// A suffix SEI unit with unregistered user data (H.265, D.2.7).
  private static let suffixSEI: [UInt8] =
    [0x50, 0x01, 5, 17] + [UInt8](repeating: 0xA5, count: 17) + [0x80]

  init() throws {
    folder = try TemporaryFolder()
    let stream = folder.path("all.hevc")
    try Tool.ffmpeg(
      "-ignore_editlist", "1", "-i", SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"), "-map",
      "0:v", "-c", "copy", stream)
    units = ByteStream.units(try FileBytes.read(stream))
  }

  private static func isRPU(_ unit: [UInt8]) -> Bool { unit.first.map { $0 >> 1 } == 62 }

  /// Transcodes units, and returns the RPUs of the source and those of the result. The latter are
  /// in the order of presentation.
  private func transcode(
    _ units: [[UInt8]], _ options: String...
  ) throws -> (
    status: Int32, errors: String, notices: [ReportedNotice], source: [[UInt8]], output: [[UInt8]]
  ) {
    let input = try folder.write(ByteStream.joined(units), to: "in.hevc")
    let output = folder.path("out.mov")
    let (outcome, notices) = try BuiltCandela.transcode(
      [
        input, output, "--preset", "hevc-hlg", "--overwrite",
        "--set", "video.compressionProperties.speed=ultrafast",
      ] + options)
    guard outcome.status != 65 else { return (outcome.status, outcome.errors, [], [], []) }
    let rpus = try [input, output].map { ByteStream.units(try HDRCheck.rpus($0)) }
    return (outcome.status, outcome.errors, notices, rpus[0], rpus[1])
  }

  /// An RPU belongs to its frame, no matter where in the access unit it is.
  @Test func anRPUNeedNotBeTheLastUnit() throws {
    let behind = units.flatMap { Self.isRPU($0) ? [$0, Self.suffixSEI] : [$0] }
    let plain = try transcode(units)
    let result = try transcode(behind)
    #expect(plain.status == 0 && result.status == 0, "\(result.errors)")
    #expect(Set(plain.source).count > 1)
    // The source's RPUs come in the order of decoding, because it is a byte stream.
    #expect(Set(plain.output) == Set(plain.source))
    #expect(result.output == plain.output)
  }

  /// A frame whose RPU is missing or damaged gets the RPU before it or, if there is none, the first
  /// one in the file. The run reports this, or fails if it has to stop at errors.
  @Test(arguments: [0, 2].shortened(to: 1), [true, false])
  func missingAndDamaged(index: Int, isMissing: Bool) throws {
    let places = units.indices.filter { Self.isRPU(units[$0]) }
    var changed = units
    if isMissing {
      changed.remove(at: places[index])
    } else {
      changed[places[index]][20] ^= 0xFF
    }
    let good = try transcode(units)
    let result = try transcode(changed)
    #expect(result.status == 2)
    #expect(result.errors.contains("1 damaged"), "\(result.errors)")
    #expect(result.output.count == good.output.count)
    #expect(Set(result.output).isSubset(of: Set(good.output)))
    #expect(zip(result.output, good.output).count { $0 != $1 } <= 1)
    let refused = try transcode(changed, "--on-error", "stop")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("RPU"), "\(refused.errors)")
  }

  /// Returns the units after giving some RPUs an impossible value, but correct checksums.
  private func spoiled(_ places: [Int]) throws -> [[UInt8]] {
    var changed = units
    for place in places {
      var unit = try ReferenceProcessingUnit(hevcNALUnit: units[place])
      unit.displayManagement?.sceneRefreshFlag = 5
      changed[place] = try unit.hevcNALUnit()
    }
    return changed
  }

  /// A frame whose RPU is not valid gets the RPU of another frame, so that the output is valid.
  @Test(arguments: [0, 2].shortened(to: 1)) func anRPUThatIsNotValid(index: Int) throws {
    let places = units.indices.filter { Self.isRPU(units[$0]) }
    let changed = try spoiled([places[index]])
    let result = try transcode(changed)
    #expect(result.status == 2)
    #expect(result.errors.contains("1 damaged"), "\(result.errors)")
    let verdict = try BuiltCandela.run("validate", folder.path("out.mov"))
    #expect(verdict.status == 0, "\(verdict.output)")
    let refused = try transcode(changed, "--on-error", "stop")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("RPU"), "\(refused.errors)")
  }

  /// If no RPU is valid, all RPUs stay as they are, and a notice says so.
  @Test func noRPUIsValid() throws {
    let changed = try spoiled(units.indices.filter { Self.isRPU(units[$0]) })
    let result = try transcode(changed)
    #expect(result.status == 0)
    let fault = result.notices.arguments("metadataImplausible")?["fault"]
    #expect(fault?.hasPrefix("scene_refresh_flag is 5") == true, "\(result.notices)")
    #expect(Set(result.output) == Set(result.source))
  }

  /// Damaged RPUs are extracted as they are, and a notice says so.
  @Test func damagedRPUsAreExtractedWithAWord() throws {
    var changed = units
    let place = try #require(units.lastIndex(where: Self.isRPU))
    changed[place][20] ^= 0xFF
    let input = try folder.write(ByteStream.joined(changed), to: "in.hevc")
    let outcome = try BuiltCandela.run("rpu", "extract", input, folder.path("rpu.bin"))
    #expect(outcome.status == 2)
    let isTold = units.indices.contains { outcome.tells(.damagedRPUs(1, first: $0)) }
    #expect(isTold, "\(outcome.errors)")
    let taken = ByteStream.units(try FileBytes.read(folder.path("rpu.bin")))
    #expect(taken.contains { changed[place].dropFirst(2).elementsEqual($0) })
  }

  /// If no RPU can be read, new RPUs are made. A notice and the exit status say so.
  @Test func allDamaged() throws {
    var changed = units
    for index in units.indices where Self.isRPU(units[index]) { changed[index][20] ^= 0xFF }
    let result = try transcode(changed)
    #expect(result.status == 2)
    #expect(result.notices.codes.contains("rpusDamaged"), "\(result.notices)")
    let verdict = try BuiltCandela.run("validate", folder.path("out.mov"))
    #expect(verdict.status == 0, "\(verdict.output)")
  }
}
