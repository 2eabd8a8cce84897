// SPDX-License-Identifier: GPL-2.0-or-later
import Host
import Inspection
import TestSupport
import Testing

/// `ValidationReport` accepts a movie, and finds faults in it after some of its bytes are changed.
@Suite struct ValidationReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func movie(transfer: String) throws -> [UInt8] {
    let path = folder.path("movie.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2,format=yuv420p10le", "-c:v", "libx265",
      "-tag:v", "hvc1", "-x265-params",
      "log-level=none:range=limited:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc",
      "-movflags", "write_colr", "-color_primaries", "bt2020", "-color_trc", transfer,
      "-colorspace", "bt2020nc", path)
    return try FileBytes.read(path)
  }

  private func report(_ bytes: [UInt8]) async throws -> ValidationReport {
    try await ValidationReport.make(path: try folder.write(bytes, to: "changed.mp4"))
  }

  private func failures(_ report: ValidationReport) -> [String] {
    report.rules.filter { $0.outcome == .fail }.map(\.rule)
  }

  @Test func whatTheBoxAndTheBitstreamSayIsHeldAgainstEachOther() async throws {
    var bytes = try movie(transfer: "arib-std-b67")
    let good = try await report(bytes)
    #expect(good.format == "HLG" && good.conforms && failures(good).isEmpty, "\(good.rules)")
    let box = try #require(bytes.indices.first { bytes[$0...].starts(with: "colrnclx".utf8) })
    try #require(bytes[box + 11] == 18)
    bytes[box + 11] = 16
    let report = try await report(bytes)
    #expect(!report.conforms && failures(report).contains("tagsAgree"), "\(report.rules)")
  }

  @Test func theSampleEntryIsThatOfItsCodec() async throws {
    var bytes = try movie(transfer: "smpte2084")
    #expect(try await report(bytes).format == "HDR10")
    let entry = try #require(bytes.indices.last { bytes[$0...].starts(with: "hvc1".utf8) })
    bytes.replaceSubrange(entry..<entry + 4, with: "hev1".utf8)
    let changed = try await report(bytes)
    #expect(changed.rules.contains { $0.outcome != .pass && $0.evidence.contains("hev1") })
  }

  @Test func whatIsNoMovieIsAnError() async throws {
    await #expect(throws: TranscodingError.self) {
      try await report([UInt8](repeating: 7, count: 99))
    }
  }
}
