// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import DolbyVision

@Suite struct ChecksumTests {
  /// The checksum is CRC-32/MPEG-2. Its check value is from the Catalogue of parametrised CRC
  /// algorithms (reveng).
  @Test func checkValue() {
    #expect(ReferenceProcessingUnit.checksum(of: Array("123456789".utf8)) == 0x0376_E6E7)
    #expect(ReferenceProcessingUnit.checksum(of: []) == 0xFFFF_FFFF)
  }
}
