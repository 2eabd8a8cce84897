// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// Finds the units of Dolby Vision in HEVC without copying all other units, because most packets
/// have no units of Dolby Vision.
extension NALUnit {
  /// Finds RPUs and enhancement layers in a sample that has a length before each NAL unit.
  ///
  /// - Returns: where the units are. Each range includes the length before the unit.
  package static func dolbyVision(
    sample bytes: Span<UInt8>, lengthSize: Int
  ) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while bytes.count - position > lengthSize {
      var length = 0
      for index in 0..<lengthSize { length = length << 8 | Int(bytes[position + index]) }
      let start = position + lengthSize
      // A unit that is cut off extends to the end of the sample.
      let end = start + min(length, bytes.count - start)
      if length > 0, HEVCNALUnitType(firstByte: bytes[start]).isDolbyVision {
        found.append(position..<end)
      }
      position = end
    }
    return found
  }

  /// Finds RPUs and enhancement layers in a piece of a byte stream with start codes (Annex B).
  ///
  /// - Returns: where the units are. Each range includes the start code before the unit, and all
  ///   zeros before and after the unit.
  package static func dolbyVision(annexB bytes: Span<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index + 3 < bytes.count {
      guard bytes[index + 2] <= 1 else {
        // The bytes of start codes are 0 and 1, so no start code contains the byte at `index + 2`.
        // The next start code begins after that byte.
        index += 3
        continue
      }
      guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
        index += 1
        continue
      }
      if let start { found.append(start..<index) }
      start = nil
      if HEVCNALUnitType(firstByte: bytes[index + 3]).isDolbyVision {
        var first = index
        while first > found.last?.upperBound ?? 0, bytes[first - 1] == 0 { first -= 1 }
        start = first
      }
      index += 3
    }
    if let start { found.append(start..<bytes.count) }
    return found
  }
}

extension HEVCNALUnitType {
  /// Whether this is an RPU or an enhancement layer of Dolby Vision.
  fileprivate var isDolbyVision: Bool {
    self == .dolbyVisionRPU || self == .dolbyVisionEnhancementLayer
  }
}
