// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import Bitstreams

@Suite struct BitReaderTests {
  /// H.265, table 9-2, lists bit strings and the numbers that they stand for.
  @Test(arguments: [
    ("1", 0), ("010", 1), ("011", 2), ("00100", 3), ("00101", 4), ("00110", 5), ("00111", 6),
    ("0001000", 7), ("0001001", 8), ("0001010", 9),
  ])
  func readsUnsignedExpGolomb(bits: String, number: UInt64) throws {
    var reader = BitReader(Self.pack(bits))
    #expect(try reader.ue() == number)
    #expect(reader.position == bits.count)
  }

  /// H.265, table 9-3, lists the signed numbers that bit strings stand for.
  @Test(arguments: [("1", 0), ("010", 1), ("011", -1), ("00100", 2), ("00101", -2), ("00110", 3)])
  func readsSignedExpGolomb(bits: String, number: Int64) throws {
    var reader = BitReader(Self.pack(bits))
    #expect(try reader.se() == number)
  }

  @Test func readsAcrossBytesAndStopsAtTheEnd() throws {
    var reader = BitReader([0b1010_1100, 0b0111_0001])
    #expect(try reader.u(3) == 0b101)
    #expect(try reader.u(7) == 0b0110_001)
    #expect(try reader.u(6) == 0b110001)
    #expect(throws: BitstreamError.self) { try reader.u(1) }
  }

  @Test func anEndlessPrefixIsAnError() {
    var reader = BitReader([UInt8](repeating: 0, count: 40))
    #expect(throws: BitstreamError.self) { try reader.ue() }
  }

  private static func pack(_ bits: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit == "1" {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes
  }
}
