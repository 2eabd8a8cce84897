// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Asked now and then by work that may take long; throws where the work should end.
package typealias Checkpoint = () throws(ISOBMFFError) -> Void

/// A checkpoint that any thread may ask.
package typealias SendableCheckpoint = @Sendable () throws(ISOBMFFError) -> Void

/// Number of entries of a table that are read, counted or moved from one ``Checkpoint`` to the
/// next: a few milliseconds of work.
let checkpointInterval = 65_536

extension ByteReader {
  /// Reads the number of a table's entries, behind its version and flags.
  ///
  /// - Parameter bits: the bits of an entry.
  /// - Throws: ``ISOBMFFError/excessiveCount(_:_:of:bytes:)`` where the box has not as many bytes:
  ///   neither memory nor time is spent on a number alone.
  mutating func entryCount(of type: FourCC, bitsEach bits: Int) throws(ISOBMFFError) -> Int {
    let count: Int
    do throws(BitstreamError) {
      if position == 0 { try skip(4) }
      count = Int(try integer(UInt32.self))
    } catch {
      throw .shortPayload(type, error)
    }
    guard count * bits <= remaining * 8 else {
      throw .excessiveCount(type, UInt64(count), of: "entries", bytes: UInt64(remaining))
    }
    return count
  }
}

/// Largest number of samples that a track can have.
struct SampleLimit {
  let fileSize: UInt64
  /// Old QuickTime files list compressed audio as samples of one byte, one for each moment: QDM2
  /// and MACE have several of them in a byte.
  private let perByte: UInt64

  init(_ trak: Box, fileSize: UInt64) {
    let handler = trak.first("mdia", "hdlr")?.fields.dropFirst(8).prefix(4)
    self.fileSize = fileSize
    perByte = handler?.elementsEqual("soun".utf8) == true ? 64 : 1
  }

  /// True if so many samples of a size can be in the file.
  func allows(_ count: UInt64, of size: UInt64 = 1) -> Bool {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
    return !overflow && bytes / (size == 1 ? perByte : 1) <= fileSize
  }
}
