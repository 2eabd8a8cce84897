// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The sizes of a track's samples: `stsz` or `stz2` (ISO/IEC 14496-12, 8.7.3).
struct SampleSizes: Sendable {
  /// How many samples the track has.
  let count: Int
  /// The size of every sample, or `nil` if each sample has its own size.
  private let common: UInt32?
  private let sizes: [UInt32]

  /// Reads `stsz`, or `stz2` if there is no `stsz`.
  ///
  /// - Parameter fileSize: the size in bytes of the file that has the samples.
  init(
    _ stbl: Box, of trak: Box, fileSize: UInt64, checkpoint: Checkpoint
  ) throws(ISOBMFFError) {
    let isCompact = stbl.child("stsz") == nil
    guard let box = stbl.child("stsz") ?? stbl.child("stz2") else {
      throw .missingBox("stsz", in: "stbl")
    }
    var reader = ByteReader(box.fields, at: 4)
    let first: UInt32
    do { first = try reader.integer() } catch { throw .shortPayload(box.type, error) }
    guard isCompact || first == 0 else {
      common = first
      sizes = []
      count = try reader.entryCount(of: box.type, bitsEach: 0)
      // If all samples have one size, the box does not list sizes. So only the size of the file
      // limits the number of samples.
      guard trak.canHave(samples: UInt64(count), of: UInt64(first), inFileOf: fileSize) else {
        throw .excessiveCount(box.type, UInt64(count), of: "samples", bytes: fileSize)
      }
      return
    }
    // `stz2` has sizes of 4, 8 or 16 bits. The number of bits is in the fourth byte, after three
    // reserved bytes.
    let bits = isCompact && [4, 8, 16].contains(first & 0xFF) ? Int(first & 0xFF) : 32
    common = nil
    count = try reader.entryCount(of: box.type, bitsEach: bits)
    sizes = try Self.list(&reader, of: box.type, count: count, bits: bits, checkpoint)
  }

  private static func list(
    _ reader: inout ByteReader, of type: FourCC, count: Int, bits: Int, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [UInt32] {
    var sizes: [UInt32] = []
    sizes.reserveCapacity(count + 1)
    // Two 4-bit sizes share a byte, so for an odd count one size too many is read.
    while sizes.count < count {
      if sizes.count % checkpointInterval == 0 { try checkpoint() }
      do throws(BitstreamError) {
        switch bits {
        case 4:
          let pair = try reader.integer(UInt8.self)
          sizes.append(UInt32(pair >> 4))
          sizes.append(UInt32(pair & 15))
        case 8: sizes.append(UInt32(try reader.integer(UInt8.self)))
        case 16: sizes.append(UInt32(try reader.integer(UInt16.self)))
        default: sizes.append(try reader.integer())
        }
      } catch {
        throw .shortPayload(type, error)
      }
    }
    return Array(sizes.prefix(count))
  }

  subscript(index: Int) -> UInt32 { common ?? sizes[index] }

  /// Returns the total size of some samples in bytes.
  func sum(_ range: Range<Int>) -> UInt64 {
    if let common { return UInt64(common) * UInt64(range.count) }
    return sizes[range].reduce(0) { $0 + UInt64($1) }
  }
}

extension Box {
  /// Sets the sizes of samples in a `stbl` box. A compact table becomes a plain one.
  ///
  /// - Parameters:
  ///   - new: the new sizes by sample index.
  ///   - old: the sizes of all samples before the change.
  mutating func setSampleSizes(
    _ new: [Int: UInt32], instead old: SampleSizes, checkpoint: Checkpoint
  ) throws(ISOBMFFError) {
    var writer = ByteWriter()
    // Version and flags, then a common size of 0, which means that a list follows.
    writer.append(UInt64(0))
    writer.append(UInt32(clamping: old.count))
    for index in 0..<old.count {
      if index % checkpointInterval == 0 { try checkpoint() }
      writer.append(new[index] ?? old[index])
    }
    guard let place = children.firstIndex(where: { $0.type == "stsz" || $0.type == "stz2" }) else {
      return
    }
    children[place] = Box("stsz", fields: writer.bytes)
  }
}
