// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Host
internal import ISOBMFF
internal import MediaCore

/// Finds out whether a media file is cut off. Depending on the format, this shows in numbers that
/// the file states, or in its packets. A movie's tables show it, too, but they are read elsewhere.
extension FileByteSource {
  // If a file states where it ends, a missing end shows at once, and not only when reading arrives
  // there, perhaps after hours of work. The stated number is 0 in a file that was never finished,
  // and wrong in a file that grew too long. In both cases it is not believed.
  /// The numbers that say where a file ends, one for each format.
  static let endNumbers = [riffSize, asfSize, footer]
  private static let riffSize = FileNumber("RIFF size", 1...0xFFFF_FFFE)
  private static let asfSize = FileNumber("File Size", 1...1 << 62)
  private static let footer = FileNumber("FooterPartition", 1...1 << 62)
  /// How many RIFF chunks are read at most.
  private static let mostChunks = 1000

  /// Returns the end that a file declares, or for MXF a lower bound; `nil` if it declares none.
  func statedEnd() throws -> UInt64? {
    let beginning = try read(at: 0, count: 4096)
    switch Array(beginning.prefix(4)) {
    case Array("RIFF".utf8): return try riffEnd()
    case [0x30, 0x26, 0xB2, 0x75]: return Self.asfEnd(beginning)
    case [0x06, 0x0E, 0x2B, 0x34]: return Self.mxfEnd(beginning)
    default:
      return try MatroskaHeader.segment(of: self).flatMap { segment in
        segment.statedSize.map { segment.content.lowerBound + $0 }
      }
    }
  }

  /// Returns the end of the last RIFF chunk.
  private func riffEnd() throws -> UInt64? {
    var end: UInt64 = 0
    // A large AVI file consists of several RIFF chunks, one after another (OpenDML).
    for _ in 0..<Self.mostChunks where end + 8 <= self.size {
      let header = try read(at: end, count: 8)
      guard Array(header.prefix(4)) == Array("RIFF".utf8) else { break }
      guard let size = Self.riffSize.believed(Self.littleEndian(header[4...])),
        // A chunk's size has 32 bits, so in a file of 4 GiB or more, it may have overflowed.
        self.size < 1 << 32
      else { return nil }
      end += 8 + UInt64(size)
    }
    return end
  }

  /// Returns `File Size` of the File Properties Object (Advanced Systems Format, 3.2).
  private static func asfEnd(_ bytes: [UInt8]) -> UInt64? {
    let kind: [UInt8] = [
      0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11,
      0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    guard let object = bytes.firstRange(of: kind)?.lowerBound, object + 92 <= bytes.count else {
      return nil
    }
    let size = asfSize.believed(littleEndian(bytes[(object + 40)..<(object + 48)]))
    // A broadcast's size was not known when its header was sent.
    let isBroadcast = bytes[object + 88] & 1 != 0
    return isBroadcast ? nil : size.map { UInt64($0) }
  }

  /// Returns a lower bound for the end: `FooterPartition` of the header partition (SMPTE ST 377-1,
  /// 7.1).
  private static func mxfEnd(_ bytes: [UInt8]) -> UInt64? {
    guard bytes.count > 60, bytes[13] == 2 else { return nil }
    let length = bytes[16] < 0x80 ? 1 : 1 + Int(bytes[16] & 0x7F)
    var reader = ByteReader(bytes, at: 16 + length + 24)
    guard let place = try? reader.integer(UInt64.self) else { return nil }
    // The footer begins at this place and is not empty, so the file has at least one more byte.
    return footer.believed(place).map { UInt64($0) + 1 }
  }

  /// Returns whether the file ends inside a packet. Only formats that declare no end are examined:
  /// MPEG-2 transport streams, Ogg and DV.
  func endsInsidePacket() throws -> Bool {
    let beginning = try read(at: 0, count: 4096)
    // A packet of a transport stream has 188 bytes. On Blu-ray discs, a time stamp of 4 bytes comes
    // before each packet. With error correction, a packet has 204 bytes.
    for (first, length) in [(0, 188), (4, 192), (0, 204)] {
      let places = (0..<4).map { first + $0 * length }
      if places.allSatisfy({ $0 < beginning.count && beginning[$0] == 0x47 }) {
        return size % UInt64(length) != 0
      }
    }
    switch Array(beginning.prefix(4)) {
    case Array("OggS".utf8): return try endsInsideOggPage()
    // In DV, a frame begins with these bytes. Bit 7 of the fourth byte is set if the frame has 625
    // lines (SMPTE ST 314).
    case [0x1F, 0x07, 0x00, 0x3F], [0x1F, 0x07, 0x00, 0xBF]:
      return size % (beginning[3] & 0x80 == 0 ? 120_000 : 144_000) != 0
    default: return false
    }
  }

  /// Returns whether the last page of an Ogg file is cut off, or missing.
  private func endsInsideOggPage() throws -> Bool {
    // A page begins with a header of 27 bytes, whose last byte is the number of sizes that follow.
    // After the sizes comes content of these sizes (RFC 3533, 6). No page is longer than the bytes
    // that are read here.
    let start = size - min(size, 65_536 + 27)
    let tail = try read(at: start, count: 65_536 + 27)
    let mark = Array("OggS".utf8)
    let last = stride(from: tail.count - 4, through: 0, by: -1).first { place in
      tail[place...].starts(with: mark)
    }
    guard let page = last else { return true }
    guard page + 27 <= tail.count, page + 27 + Int(tail[page + 26]) <= tail.count else {
      return true
    }
    let sizes = tail[(page + 27)..<(page + 27 + Int(tail[page + 26]))]
    return sizes.endIndex + sizes.reduce(0) { $0 + Int($1) } > tail.count
  }

  private static func littleEndian(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
