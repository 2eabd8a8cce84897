import Foundation
import TestSupport
import Testing

/// Dolby Vision RPUs that stand where decoders do not look, or that are missing or damaged: the
/// pictures of a phone as a byte stream, with units changed.
@Suite(.needsSharedMedia) struct SourceRPUTests {
  private let folder: TemporaryFolder
  /// The NAL units of the phone's five pictures, each with an RPU.
  private let units: [Data]

  private static let code = Data([0, 0, 0, 1])
  /// A suffix SEI unit with unregistered user data (H.265, D.2.7).
  private static let suffixSEI = Data(
    [0x50, 0x01, 5, 17] + [UInt8](repeating: 0xA5, count: 17) + [0x80])

  init() throws {
    folder = try TemporaryFolder()
    let stream = folder.path("all.hevc")
    _ = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-ignore_editlist", "1", "-i",
        SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"), "-map", "0:v", "-c", "copy", stream,
      ])
    units = Self.split(try Data(contentsOf: URL(fileURLWithPath: stream)))
  }

  private static func split(_ stream: Data) -> [Data] {
    var units: [Data] = []
    var start = stream.range(of: Data([0, 0, 1]))
    while let begin = start {
      start = stream.range(of: Data([0, 0, 1]), in: begin.upperBound..<stream.endIndex)
      var unit = stream[begin.upperBound..<(start?.lowerBound ?? stream.endIndex)]
      while unit.last == 0 { unit.removeLast() }
      units.append(Data(unit))
    }
    return units
  }

  private static func isRPU(_ unit: Data) -> Bool { unit.first.map { $0 >> 1 } == 62 }

  /// Transcodes units, and gives the RPUs of the source and, as they are presented, of the result.
  private func transcode(
    _ units: [Data], _ options: String...
  ) throws -> (status: Int32, errors: String, source: [Data], output: [Data]) {
    let (input, output) = (folder.path("in.hevc"), folder.path("out.mov"))
    try Data(units.flatMap { Self.code + $0 }).write(to: URL(fileURLWithPath: input))
    let outcome = try BuiltCandela.run(
      [
        "transcode", input, output, "--preset", "hevc-hlg", "--overwrite",
        "--set", "video.compressionProperties.speed=ultrafast",
      ] + options)
    guard outcome.status != 65 else { return (outcome.status, outcome.errors, [], []) }
    return (outcome.status, outcome.errors, try rpus(input), try rpus(output))
  }

  private func rpus(_ path: String) throws -> [Data] {
    let file = folder.path("rpu.bin")
    _ = try Tool.run("python3", [SharedMedia.hdrcheck, "--dump-rpu", file, path])
    return Self.split(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// An RPU is its picture's, wherever in the access unit it stands.
  @Test func anRPUNeedNotBeTheLastUnit() throws {
    let behind = units.flatMap { Self.isRPU($0) ? [$0, Self.suffixSEI] : [$0] }
    let plain = try transcode(units)
    let result = try transcode(behind)
    #expect(plain.status == 0 && result.status == 0, "\(result.errors)")
    #expect(Set(plain.source).count > 1)
    // The byte stream has them in the order of decoding.
    #expect(Set(plain.output) == Set(plain.source))
    #expect(result.output == plain.output)
  }

  /// A picture whose RPU is missing or damaged has the one before it, or the first there is; the
  /// concealment is said, or refused.
  @Test(arguments: [0, 2], [true, false])
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

  /// Where no RPU can be read, new ones are made, and it is said.
  @Test func allDamaged() throws {
    var changed = units
    for index in units.indices where Self.isRPU(units[index]) { changed[index][20] ^= 0xFF }
    let result = try transcode(changed)
    #expect(result.status == 0)
    #expect(result.errors.contains("RPUs are damaged"), "\(result.errors)")
    let verdict = try BuiltCandela.run("validate", folder.path("out.mov"))
    #expect(verdict.status == 0, "\(verdict.output)")
  }
}
