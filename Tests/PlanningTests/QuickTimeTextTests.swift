// SPDX-License-Identifier: GPL-2.0-or-later
import ISOBMFF
@testable import Planning
import Testing

/// QuickTime's texts are read in each of their encodings.
@Suite struct QuickTimeTextTests {
  @Test(
    arguments: [
      ([0x47, 0x72, 0x9A, 0xA7, 0x65, 0x20, 0x8E, 0xDB], "Größe é€"),
      (Array("Größe".utf8), "Größe"),
      ([0xFE, 0xFF, 0x00, 0x47, 0x30, 0x42], "Gあ"),
      ([], ""),
    ] as [([UInt8], String)])
  func texts(bytes: [UInt8], text: String) {
    let sample = [0, UInt8(bytes.count)] + bytes
    let found = NewTrack.text(ofQuickTime: sample)
    #expect(found.hasSuffix(text) && found.count <= text.count + 1, "\(found)")
  }
}
