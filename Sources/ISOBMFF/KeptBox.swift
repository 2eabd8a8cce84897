internal import Bitstreams

/// A top-level box that is taken over, with some of its bytes replaced.
struct KeptBox {
  let entry: TopLevelBoxes.Entry
  private let replacements: [BoxEditor.Replacement]

  init(_ entry: TopLevelBoxes.Entry, replacements: [BoxEditor.Replacement]) {
    self.entry = entry
    self.replacements = replacements.filter {
      entry.range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= entry.range.upperBound
    }
  }

  /// The bytes that the box takes in the result.
  var size: UInt64 {
    replacements.reduce(UInt64(entry.range.count)) {
      $0 + UInt64($1.bytes.count) - UInt64($1.range.count)
    }
  }

  /// Where a byte of the source lies, counted from the beginning of the box in the result.
  func offset(of position: UInt64) -> UInt64 {
    var offset = position - entry.range.lowerBound
    for replacement in replacements where replacement.range.upperBound <= position {
      offset = offset + UInt64(replacement.bytes.count) - UInt64(replacement.range.count)
    }
    return offset
  }

  func write(to sink: inout some ByteSink) throws(ISOBMFFError) {
    guard !replacements.isEmpty else { return try sink.copy(entry.range) }
    var header = ByteWriter()
    if entry.headerLength == 8, let short = UInt32(exactly: size) {
      header.append(short)
      header.append(entry.type.rawValue)
    } else if entry.headerLength == 16 {
      header.append(UInt32(1))
      header.append(entry.type.rawValue)
      header.append(size)
    } else {
      throw .invalidSize(entry.type, offset: entry.range.lowerBound, size: size)
    }
    try sink.write(header.bytes)
    var position = entry.range.lowerBound + UInt64(entry.headerLength)
    for replacement in replacements {
      if position < replacement.range.lowerBound {
        try sink.copy(position..<replacement.range.lowerBound)
      }
      try sink.write(replacement.bytes)
      position = replacement.range.upperBound
    }
    if position < entry.range.upperBound { try sink.copy(position..<entry.range.upperBound) }
  }
}
