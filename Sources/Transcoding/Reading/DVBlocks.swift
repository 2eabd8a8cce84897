/// The blocks that a frame of DV consists of (SMPTE ST 314, 3.3; IEC 61834-2).
enum DVBlocks {
  private static let size = 80
  private static let countInSequence = 150

  /// True if blocks of a frame are not what has to be in their place. Decoders look only at what is
  /// in them.
  static func areDamaged(in frame: [UInt8]) -> Bool {
    stride(from: 0, to: frame.count - size + 1, by: size).contains { start in
      frame[start] >> 5 != section(start / size % countInSequence)
    }
  }

  /// The type of a sequence's n-th block: a header, two of subcode, three of video auxiliary data,
  /// and nine times one of audio and fifteen of video.
  private static func section(_ index: Int) -> UInt8 {
    switch index {
    case 0: 0
    case 1...2: 1
    case 3...5: 2
    default: (index - 6) % 16 == 0 ? 3 : 4
    }
  }
}
