internal import Bitstreams

/// The sizes of a track's samples: `stsz` or `stz2` (ISO/IEC 14496-12, 8.7.3).
struct SampleSizes: Sendable {
  /// The number of samples.
  let count: Int
  /// The size of every sample; nil where each has its own.
  private let common: UInt32?
  private let sizes: [UInt32]

  /// Reads whichever of the two boxes is there.
  init(_ stbl: Box) throws(ISOBMFFError) {
    let isCompact = stbl.child("stsz") == nil
    guard let box = stbl.child("stsz") ?? stbl.child("stz2") else {
      throw .missingBox("stsz", in: "stbl")
    }
    var reader = ByteReader(box.fields, at: 4)
    do throws(BitstreamError) {
      let first = try reader.integer(UInt32.self)
      count = Int(try reader.integer(UInt32.self))
      common = !isCompact && first > 0 ? first : nil
      sizes =
        common != nil
        ? [] : try Self.list(&reader, count: count, bits: isCompact ? Int(first & 0xFF) : 32)
    } catch {
      throw .shortPayload(box.type, error)
    }
  }

  private static func list(
    _ reader: inout ByteReader, count: Int, bits: Int
  ) throws(BitstreamError) -> [UInt32] {
    var sizes: [UInt32] = []
    while sizes.count < count {
      switch bits {
      case 4:
        let pair = try reader.integer(UInt8.self)
        sizes += [UInt32(pair >> 4), UInt32(pair & 15)]
      case 8: sizes.append(UInt32(try reader.integer(UInt8.self)))
      case 16: sizes.append(UInt32(try reader.integer(UInt16.self)))
      default: sizes.append(try reader.integer())
      }
    }
    return Array(sizes.prefix(count))
  }

  subscript(index: Int) -> UInt32 { common ?? sizes[index] }

  /// How many bytes some samples take together.
  func sum(_ range: Range<Int>) -> UInt64 {
    if let common { return UInt64(common) * UInt64(range.count) }
    return sizes[range].reduce(0) { $0 + UInt64($1) }
  }
}

extension Box {
  /// Sets the sizes of samples in a `stbl` box; a compact table becomes a plain one.
  ///
  /// - Parameter new: new sizes by the sample's index.
  mutating func setSampleSizes(_ new: [Int: UInt32]) throws(ISOBMFFError) {
    let old = try SampleSizes(self)
    var writer = ByteWriter()
    // Version and flags, and no common size.
    writer.append(UInt64(0))
    writer.append(UInt32(clamping: old.count))
    for index in 0..<old.count { writer.append(new[index] ?? old[index]) }
    guard let place = children.firstIndex(where: { $0.type == "stsz" || $0.type == "stz2" }) else {
      return
    }
    children[place] = Box("stsz", fields: writer.bytes)
  }
}
