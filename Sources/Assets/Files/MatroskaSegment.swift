internal import Bitstreams
internal import ISOBMFF

/// The element that holds everything in a Matroska file (RFC 9559, 5.1), as far as it tells whether
/// the file is whole.
enum MatroskaSegment {
  /// Where a file should end; nil for files of other kinds and for those that do not say.
  static func end(of source: FileByteSource) throws -> UInt64? {
    var reader = ByteReader(try source.read(at: 0, count: 4096))
    guard (try? reader.integer(UInt32.self)) == 0x1A45_DFA3,
      let header = size(&reader), (try? reader.skip(Int(clamping: header))) != nil,
      (try? reader.integer(UInt32.self)) == 0x1853_8067, let length = size(&reader)
    else { return nil }
    return UInt64(reader.position) &+ length
  }

  /// A size of variable length (RFC 8794, 6); nil for "unknown".
  private static func size(_ reader: inout ByteReader) -> UInt64? {
    guard let first = try? reader.integer(UInt8.self), first != 0 else { return nil }
    let extra = first.leadingZeroBitCount
    guard let rest = try? reader.bytes(extra) else { return nil }
    let mask = UInt64(1) << UInt64(7 - extra) - 1
    let value = rest.reduce(UInt64(first) & mask) { $0 << 8 | UInt64($1) }
    let unknown = UInt64(1) << UInt64(7 * (extra + 1)) - 1
    return value == unknown ? nil : value
  }
}
