// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// A top-level box that is copied from the source, with some of its bytes replaced.
struct CopiedBox {
  let entry: BoxHeader
  private let patches: BytePatches
  /// The size of the box in the result, in bytes.
  let size: UInt64
  /// Whether the box outgrows a 32-bit size, so that its header grows by 8 bytes.
  private let needsLongHeader: Bool

  init(_ entry: BoxHeader, patches: BytePatches) throws(ISOBMFFError) {
    self.entry = entry
    self.patches = patches
    let grown = UInt64(Int64(entry.range.count) + (try patches.growth(in: entry.range)))
    // An untouched box is copied with its old header, which does not grow. Even a box of more than
    // 4 GiB can have a short header, if its size field is 0, which means "to the end of the file".
    needsLongHeader =
      entry.headerLength == 8 && grown > UInt64(UInt32.max)
      && patches.touches(entry.range)
    size = grown + (needsLongHeader ? 8 : 0)
  }

  /// Whether the box is copied unchanged.
  var isUnchanged: Bool { !patches.touches(entry.range) }

  /// Returns where a byte of the source ends up, counted from the start of this box in the result.
  func offset(of position: UInt64) throws(ISOBMFFError) -> UInt64 {
    let growth = try patches.growth(in: entry.range.lowerBound..<position)
    return UInt64(Int64(position - entry.range.lowerBound) + growth) + (needsLongHeader ? 8 : 0)
  }

  func write(to sink: inout some ByteSink) throws(ISOBMFFError) {
    // The sink may let the kernel copy a whole range, without reading it into this process.
    guard !isUnchanged else { return try sink.copy(entry.range) }
    var header = ByteWriter()
    if let short = UInt32(exactly: size), entry.headerLength == 8 {
      header.append(short)
      header.append(entry.type.rawValue)
    } else {
      header.append(UInt32(1))
      header.append(entry.type.rawValue)
      header.append(size)
    }
    try sink.write(header.bytes)
    var position = entry.range.lowerBound + UInt64(entry.headerLength)
    for patch in patches.within(entry.range) {
      if position < patch.range.lowerBound { try sink.copy(position..<patch.range.lowerBound) }
      try sink.write(patch.bytes)
      position = patch.range.upperBound
    }
    if position < entry.range.upperBound { try sink.copy(position..<entry.range.upperBound) }
  }
}
