// SPDX-License-Identifier: GPL-2.0-or-later

extension OBU {
  // Decoders have to ignore reserved types (7.5), but dav1d reports them as errors. It also
  // reports tile lists, which only large-scale tile decoding uses, and zeros after the last unit,
  // which look like units of the reserved type 0.
  /// Finds the units of a sample that are of no use to a decoder: RPUs of Dolby Vision (readable or
  /// not), units of reserved types, and tile lists.
  package static func unread(in sample: Span<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start < sample.count {
      let beginning = bytes(of: sample, start..<min(start + longestHeader, sample.count))
      guard let length = length(of: beginning, in: sample.count - start), length > 0 else { break }
      let range = start..<start + length
      // Copy only metadata and sequence headers. Unlike frames, they are short.
      if isReservedOrTileList(beginning)
        || mayCarryTags(beginning)
          && split(bytes(of: sample, range)).first?.carriesDolbyVision == true
      {
        found.append(range)
      }
      start = range.upperBound
    }
    return found
  }

  /// Returns whether a unit that begins with these bytes has a reserved type or is a tile list
  /// (6.2.2).
  private static func isReservedOrTileList(_ beginning: [UInt8]) -> Bool {
    beginning.first.map { [0, 8, 9, 10, 11, 12, 13, 14].contains($0 >> 3 & 0xF) } ?? false
  }

  private static func bytes(of sample: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    range.map { sample[$0] }
  }

  private var carriesDolbyVision: Bool {
    let bytes = Array(payload)
    var position = 0
    return kind == .metadata
      && Self.number(in: bytes, at: &position) == MetadataOBU.Kind.registeredUserData.rawValue
      && MetadataOBU.isDolbyVision(Array(bytes[position...]))
  }
}
