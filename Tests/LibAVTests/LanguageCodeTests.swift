// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import LibAV

@Suite struct LanguageCodeTests {
  @Test(arguments: [
    ("en", "eng"), ("de", "deu"), ("zh", "zho"), ("EN", "eng"), ("en-US", "eng"), ("eng", "eng"),
    ("ger", "ger"), ("und", "und"), ("xx", "xx"), ("", ""),
  ])
  func twoLettersBecomeThree(stated: String, wanted: String) {
    #expect(TrackLabel.threeLetters(of: stated) == wanted)
    #expect(TrackLabel(language: stated, name: nil, disposition: 0).language == wanted)
  }
}

@Suite struct JPEG2000HeaderTests {
  /// A codestream begins with `SOC`, `SIZ` and its length, and `Rsiz`. Bit 14 of `Rsiz` stands for
  /// High-Throughput JPEG 2000.
  @Test(arguments: [(UInt8(0x40), true), (0x00, false), (0x80, false)])
  func tellsHighThroughput(capabilities: UInt8, wanted: Bool) {
    let stream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0x00, 0x2F, capabilities, 0x00]
    #expect(CodecParameters.isHighThroughputJPEG2000(stream) == wanted)
    #expect(CodecParameters.isHighThroughputJPEG2000([0, 0, 0, 9] + stream) == wanted)
    for length in 0..<stream.count {
      #expect(!CodecParameters.isHighThroughputJPEG2000(Array(stream.prefix(length))))
    }
  }
}
