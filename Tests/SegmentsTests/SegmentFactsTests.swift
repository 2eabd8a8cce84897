// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host
import Planning
@testable import Segments
import Testing

/// Segments are recognized by the right facts, and their samples have the right decode times.
@Suite struct SegmentFactsTests {
  /// Digests are right for the examples of FIPS 180-4, and for a text that is longer than a block.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func digestsAreThoseOfTheStandard(text: String, digest: String) {
    #expect(SHA256.text(of: Array(text.utf8)) == digest)
    var parts = SHA256()
    for byte in text.utf8 { parts.add([byte]) }
    #expect(parts.text == digest)
  }

  /// Returns the software of a job, as `job.json` states it.
  private static func software(
    _ candela: String, x265: String, kernels: String
  ) throws -> SoftwareFacts {
    let json =
      "{\"candela\":\"\(candela)\",\"libraries\":{\"x265\":\"\(x265)\"},\"kernels\":\"\(kernels)\"}"
    return try JSONDecoder().decode(SoftwareFacts.self, from: Data(json.utf8))
  }

  @Test func otherProgramsAreRefused() throws {
    let job = try Self.software("1", x265: "3.5", kernels: "fused")
    try job.check(against: job)
    let others = [
      (try Self.software("1", x265: "3.6", kernels: "fused"), "x265 is 3.6, not 3.5"),
      (try Self.software("2", x265: "3.5", kernels: "fused"), "candela is 2, not 1"),
      (try Self.software("1", x265: "3.5", kernels: "separate"), "the processor has no"),
    ]
    for (other, reason) in others {
      let error = #expect(throws: TranscodingError.self) { try other.check(against: job) }
      #expect(error?.kind == .unavailable)
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }

  /// If an encoder reorders by two frames, decode times continue from one segment to the next. Only
  /// those of the first segment begin before the presentation.
  @Test func decodeTimesGoOnOverSegments() {
    func rows(from start: Int64) -> [SegmentFile.Row] {
      zip([0, 40, 20, 10, 30], [-20, -10, 0, 10, 20]).map { time, decodeTimeStamp in
        SegmentFile.Row(
          time: start + time, decodeTimeStamp: start + decodeTimeStamp, duration: 10, size: 1,
          isSync: false)
      }
    }
    #expect(SegmentFile.decodeTimes(of: [rows(from: 0)]) == [-20, -10, 0, 10, 20])
    #expect(
      SegmentFile.decodeTimes(of: [rows(from: 0), rows(from: 50)])
        == [-20, -10, 0, 10, 20, 30, 40, 50, 60, 70])
  }

  @Test(arguments: [
    ("auto", WorkerCount.auto), ("1", .fixed(1)), ("12", .fixed(12)), ("0", nil), ("-1", nil),
    ("many", nil),
  ])
  func countsOfWorkersAreRead(text: String, count: WorkerCount?) {
    #expect(WorkerCount(text) == count)
  }

  @Test func memoryBoundsTheWorkers() throws {
    let count = WorkerCount.fixed(8)
    #expect(try count.count(wanted: 8, segments: 20, memory: 4000, each: 1000) == 4)
    #expect(try count.count(wanted: 8, segments: 3, memory: 40_000, each: 1000) == 3)
    #expect(throws: TranscodingError.self) {
      try count.count(wanted: 8, segments: 3, memory: 900, each: 1000)
    }
    // A file that shares the machine with others gets one worker even if memory is short.
    let shared = WorkerCount.shared(files: 2)
    #expect(try shared.count(wanted: 8, segments: 3, memory: 900, each: 1000) == 1)
  }
}
