// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc

/// Finds the boxes in a movie's video sample entries (ISO/IEC 14496-12, 8.5.2 and 12.1).
@safe
struct SampleEntryBoxes {
  private let file: UnsafeMutablePointer<AVIOContext>

  init(_ file: UnsafeMutablePointer<AVIOContext>) {
    unsafe self.file = file
  }

  /// The boxes around sample entries, from the outside in.
  private static let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]
  /// The number of bytes of a video sample entry before its boxes, including its size and type.
  private static let entrySize: Int64 = 86
  // Damaged data may look like millions of boxes, and each would take time and memory.
  private static let patience = 10_000

  /// Finds boxes of a type. Returns where in the file the four bytes of each box's type are.
  func places(of type: [UInt8]) -> [Int64] {
    var outer: [Range<Int64>] = [0..<max(unsafe avio_size(file), 0)]
    for name in Self.path {
      outer = outer.flatMap { range in
        boxes(in: range).filter { $0.type == Array(name.utf8) }.map { $0.content..<$0.end }
      }
    }
    let found = outer.flatMap { stsd in
      // Entries begin after the version, the flags and the number of entries.
      boxes(in: min(stsd.lowerBound + 8, stsd.upperBound)..<stsd.upperBound)
    }.flatMap { entry in
      boxes(in: min(entry.start + Self.entrySize, entry.end)..<entry.end)
    }.filter { $0.type == type }.map { $0.start + 4 }
    return Array(found.prefix(Self.patience))
  }

  /// Returns the boxes in a range of the file, one after another. Stops at the first box whose size
  /// makes no sense.
  private func boxes(
    in range: Range<Int64>
  ) -> [(type: [UInt8], start: Int64, content: Int64, end: Int64)] {
    var found: [(type: [UInt8], start: Int64, content: Int64, end: Int64)] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound, found.count < Self.patience,
      unsafe avio_seek(file, start, SEEK_SET) == start
    {
      var size = unsafe Int64(avio_rb32(file))
      let type = (0..<4).map { _ in unsafe UInt8(truncatingIfNeeded: avio_r8(file)) }
      let isLong = size == 1
      // A size of 1 means that 64 bits follow the type. A size of 0 means that the box reaches to
      // the end (ISO/IEC 14496-12, 4.2).
      if isLong { size = unsafe Int64(clamping: avio_rb64(file)) }
      if size == 0 { size = range.upperBound - start }
      let header: Int64 = isLong ? 16 : 8
      guard size >= header, size <= range.upperBound - start else { break }
      found.append((type, start, start + header, start + size))
      start += size
    }
    return found
  }
}
