// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import DolbyVision

@Suite struct CheckSumTests {
  /// The check sum is CRC-32/MPEG-2. Its check value is from the Catalogue of parametrised CRC
  /// algorithms (reveng).
  @Test func checkValue() {
    #expect(ReferenceProcessingUnit.checkSum(of: Array("123456789".utf8)) == 0x0376_E6E7)
    #expect(ReferenceProcessingUnit.checkSum(of: []) == 0xFFFF_FFFF)
  }
}
