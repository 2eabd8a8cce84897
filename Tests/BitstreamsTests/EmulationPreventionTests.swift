// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import Bitstreams

@Suite struct EmulationPreventionTests {
  /// H.265, 7.4.2.1, says which payloads need emulation prevention bytes (0x03), and where.
  @Test(
    arguments: [
      ([0, 0, 0], [0, 0, 3, 0]), ([0, 0, 1, 5], [0, 0, 3, 1, 5]), ([0, 0, 2], [0, 0, 3, 2]),
      ([0, 0, 3], [0, 0, 3, 3]), ([0, 0, 4], [0, 0, 4]), ([1, 0, 2, 0], [1, 0, 2, 0]),
      ([0, 0, 0, 0, 0, 1], [0, 0, 3, 0, 0, 3, 0, 1]),
    ] as [([UInt8], [UInt8])])
  func insertsWhereAStartCodeWouldBe(payload: [UInt8], coded: [UInt8]) {
    #expect(payload.withEmulationPrevention == coded)
    #expect(coded.withoutEmulationPrevention == payload)
  }

  @Test func removingUndoesInsertingAndNoStartCodeIsLeft() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let bytes = (0..<24).map { _ in UInt8.random(in: 0...3, using: &random) } + [0x80]
      let coded = bytes.withEmulationPrevention
      #expect(coded.withoutEmulationPrevention == bytes)
      let hasStartCode = zip(coded, zip(coded.dropFirst(), coded.dropFirst(2))).contains {
        $0 == 0 && $1.0 == 0 && $1.1 <= 2
      }
      #expect(!hasStartCode)
    }
  }

  @Test func startCodesAreWhereThreeBytesSaySo() {
    var random = SeededGenerator(seed: 2)
    for count in 0..<2000 {
      let bytes = (0..<count % 32).map { _ in UInt8.random(in: 0...2, using: &random) }
      let places = bytes.indices.filter { bytes[$0...].starts(with: [0, 0, 1]) }
      #expect(bytes.startCodes == places)
    }
  }
}
