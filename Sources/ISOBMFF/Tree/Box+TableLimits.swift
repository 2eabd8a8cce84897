// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// A function that long work calls now and then. It throws to stop the work.
package typealias Checkpoint = () throws(ISOBMFFError) -> Void

/// A checkpoint that any thread may call.
package typealias SendableCheckpoint = @Sendable () throws(ISOBMFFError) -> Void

// 65 536 entries are a few milliseconds of work. So the work can be stopped almost at once, and the
// calls cost next to nothing.
/// How many table entries to process between two calls of a ``Checkpoint``.
let checkpointInterval = 65_536

extension ByteReader {
  /// Reads the number of a table's entries, which comes after the version and the flags.
  ///
  /// - Parameter bits: the size of one entry in bits.
  /// - Throws: ``ISOBMFFError/excessiveCount(_:_:of:bytes:)`` if the box is too short for that many
  ///   entries.
  mutating func entryCount(of type: FourCC, bitsEach bits: Int) throws(ISOBMFFError) -> Int {
    let count: Int
    do throws(BitstreamError) {
      if position == 0 { try skip(4) }
      count = Int(try integer(UInt32.self))
    } catch {
      throw .shortPayload(type, error)
    }
    // Check this before allocating, because 16 bytes of a file must not cost gigabytes of memory.
    guard count * bits <= remaining * 8 else {
      throw .excessiveCount(type, UInt64(count), of: "entries", bytes: UInt64(remaining))
    }
    return count
  }
}

extension Box {
  // Old QuickTime files list compressed audio as if each audio sample had one byte. QDM2 and MACE
  // pack several audio samples into a byte, so there may be more samples than bytes.
  /// How many samples of this `trak` may share one byte.
  private var samplesPerByte: UInt64 {
    let handler = first("mdia", "hdlr")?.fields.dropFirst(8).prefix(4)
    return handler?.elementsEqual("soun".utf8) == true ? 64 : 1
  }

  /// Whether this `trak` can have `count` samples of `size` bytes each in a file of a given size.
  func canHave(samples count: UInt64, of size: UInt64 = 1, inFileOf fileSize: UInt64) -> Bool {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
    return !overflow && bytes / (size == 1 ? samplesPerByte : 1) <= fileSize
  }
}
