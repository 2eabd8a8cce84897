// SPDX-License-Identifier: GPL-2.0-or-later

extension OBU {
  /// Finds the units of a sample that carry RPUs of Dolby Vision, whether or not these can be read.
  /// Other units are not copied.
  package static func dolbyVision(in sample: Span<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start < sample.count {
      let beginning = bytes(of: sample, start..<min(start + longestHeader, sample.count))
      guard let length = length(of: beginning, in: sample.count - start), length > 0 else { break }
      let range = start..<start + length
      // Only short units are copied: metadata and sequence headers.
      if mayCarryTags(beginning),
        split(bytes(of: sample, range)).first?.carriesDolbyVision == true
      {
        found.append(range)
      }
      start = range.upperBound
    }
    return found
  }

  private static func bytes(of sample: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    range.map { sample[$0] }
  }

  private var carriesDolbyVision: Bool {
    let bytes = Array(payload)
    var position = 0
    return kind == .metadata
      && Self.number(in: bytes, at: &position) == MetadataOBU.Kind.registeredUserData.rawValue
      && DolbyVisionContainer.isBeginning(of: Array(bytes[position...]))
  }
}
