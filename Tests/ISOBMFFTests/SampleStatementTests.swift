// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import ISOBMFF
import TestSupport
import Testing

/// Copies keep what a movie's tables say about samples, and the boxes beside the movie.
@Suite struct SampleStatementTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a file with audio and a second of video in ten frames. Only the boxes of `behind` follow
  /// its movie box.
  private func movie(_ change: (inout Box) throws -> Void, behind: [Box] = []) throws -> String {
    let path = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
      "libx264", "-bf", "2", "-c:a", "aac", path)
    let bytes = try FileBytes.read(path)
    let start = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("moov".utf8)) })
    var moov = try #require(Box.parse(Array(bytes[(start - 4)...])).first)
    try change(&moov)
    return try folder.write(
      Array(bytes[..<(start - 4)]) + moov.bytes + behind.flatMap(\.bytes), to: "in.mp4")
  }

  private func editTable(of track: Int, in moov: inout Box, _ change: (inout Box) -> Void) {
    let place = moov.children.indices.filter { moov.children[$0].type == "trak" }[track]
    moov.children[place].edit("mdia", "minf", "stbl") { change(&$0) }
  }

  private func tables(_ path: String, _ track: Int) throws -> [Box] {
    let source = MemoryByteSource(try FileBytes.read(path))
    return try Movie(source).tracks[track].box.first("mdia", "minf", "stbl")?.children ?? []
  }

  private func notices(_ arguments: [String]) throws -> [ReportedNotice] {
    let result = try BuiltCandela.transcode(
      arguments + ["--set", #"video={"codec":"passthrough"}"#, "--overwrite"])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return result.notices
  }

  private static let group: [UInt8] = [0, 0, 0, 0] + Array("rap ".utf8)
  private static let statements = [
    Box("sdtp", fields: [0, 0, 0, 0, 0x24] + (1...9).map { UInt8(0x10 + $0 % 2 * 8) }),
    Box("sgpd", fields: [1, 0, 0, 0] + group[4...] + [0, 0, 0, 1, 0, 0, 0, 1, 0x80]),
    Box("sbgp", fields: group + [0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1]),
    Box("subs", fields: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 9, 7, 0, 0, 0, 0, 0]),
    Box("cslg", fields: [UInt8](repeating: 0, count: 24)),
  ]

  @Test(arguments: ["mp4", "mov"]) func copiesKeepThem(suffix: String) throws {
    let input = try movie({ moov in
      editTable(of: 0, in: &moov) { $0.children += Self.statements }
      editTable(of: 1, in: &moov) { stbl in
        stbl.children.removeAll { ["sgpd", "sbgp"].contains($0.type) }
        stbl.children += [
          Box("sgpd", fields: [1, 0, 0, 0] + Array("roll".utf8) + [0, 0, 0, 2, 0, 0, 0, 1, 0, 2])
        ]
      }
    })
    let output = folder.path("out.\(suffix)")
    let found = try notices([input, output])
    #expect(!found.codes.contains("sampleTablesNotCarried"))
    let video = try tables(output, 0)
    for statement in Self.statements { #expect(video.contains(statement), "\(statement.type)") }
    let group = try tables(input, 1).first { $0.type == "sgpd" }
    #expect(try tables(output, 1).first { $0.type == "sgpd" } == group)
    #expect(try Tool.digest(output) == Tool.digest(input))
    // If the output lacks some of the samples, the tables that describe samples are left out.
    let cut = try notices([input, folder.path("cut.\(suffix)"), "--from", "0", "--to", "0.5"])
    #expect(
      cut.arguments("sampleTablesNotCarried") == ["track": "1", "tables": "sbgp, sdtp, sgpd, subs"])
    #expect(try !tables(folder.path("cut.\(suffix)"), 0).contains { $0.type == "sdtp" })
    let encoded = try BuiltCandela.run(
      "transcode", input, folder.path("new.\(suffix)"), "--preset", "h264-sdr")
    #expect(encoded.status == 0, "\(encoded.errors)")
    #expect(try !tables(folder.path("new.\(suffix)"), 0).contains(Self.statements[1]))
  }

  @Test func placesInTheFileAreNamed() throws {
    let input = try movie({ moov in
      editTable(of: 0, in: &moov) { stbl in
        stbl.children += [
          Box("saiz", fields: [0, 0, 0, 0, 1, 0, 0, 0, 10]),
          Box("saio", fields: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 40]),
        ]
      }
    })
    let found = try notices([input, folder.path("out.mp4")])
    #expect(found.arguments("sampleTablesNotCarried") == ["track": "1", "tables": "saio"])
  }

  @Test func boxesBesideTheMovie() throws {
    let handler = Box("hdlr", fields: [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [0])
    let meta = Box("meta", fields: [0, 0, 0, 0], children: [handler])
    let user = Box("udta", children: [Box("name", fields: Array("Name".utf8))])
    let input = try movie({ _ in }, behind: [meta, user])
    let output = folder.path("out.mp4")
    #expect(try !notices([input, output]).codes.contains("statementsNotCarried"))
    let bytes = try FileBytes.read(output)
    for box in [meta, user] { #expect(bytes.firstRange(of: box.bytes) != nil, "\(box.type)") }
    let named = try notices([input, folder.path("out.mkv")])
    #expect(named.arguments("statementsNotCarried") == ["names": "meta, udta"])
    let places = Box("meta", fields: [0, 0, 0, 0], children: [handler, Box("iloc", fields: [0])])
    let pictures = try movie({ _ in }, behind: [places])
    #expect(
      try notices([pictures, output]).arguments("statementsNotCarried") == ["names": "meta"])
  }
}
