// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import Host
package import ISOBMFF
package import NALUnits

/// Reads NAL units of samples from the file, but only the requested ones.
package struct SampleUnits {
  // Slices make up nearly all of a file and are skipped. The small units before the slices usually
  // fit into a window of this size.
  /// How many bytes of a sample are read at once.
  private static let window = 1024

  package let source: FileByteSource
  package let lengthSize: Int
  private let codec: NALCodec

  /// Makes a reader of a file's samples.
  ///
  /// - Parameter lengthSize: the size of the length before each unit, in bytes.
  package init(source: FileByteSource, lengthSize: Int, _ codec: NALCodec) {
    self.source = source
    self.lengthSize = lengthSize
    self.codec = codec
  }

  /// Returns the units of a sample. Stops at a unit that is cut off.
  ///
  /// - Returns: for each unit, its range without the length before it, and its first one or two
  ///   bytes, which state its type.
  package func places(
    in sample: Range<UInt64>
  ) throws(ISOBMFFError) -> [(range: Range<UInt64>, header: NALUnit)] {
    var places: [(range: Range<UInt64>, header: NALUnit)] = []
    var window: [UInt8] = []
    var windowStart = sample.lowerBound
    var position = sample.lowerBound
    while position + UInt64(lengthSize) < sample.upperBound {
      let needed = position + UInt64(lengthSize) + 2
      if window.isEmpty || needed > windowStart + UInt64(window.count) {
        window = try source.read(
          at: position, count: min(Self.window, Int(sample.upperBound - position)))
        windowStart = position
      }
      let start = Int(position - windowStart)
      guard window.count > start + lengthSize else { break }
      let length = window[start..<start + lengthSize].reduce(0) { $0 << 8 | UInt64($1) }
      let body = position + UInt64(lengthSize)
      // A length of 0 is padding, after which there are no more units.
      guard length > 0, length <= sample.upperBound - body else { break }
      let header = window[(start + lengthSize)...].prefix(min(2, Int(length)))
      places.append((body..<body + length, NALUnit(Array(header), codec)))
      position = body + length
    }
    return places
  }

  package func unit(_ range: Range<UInt64>) throws(ISOBMFFError) -> NALUnit {
    NALUnit(try source.read(at: range.lowerBound, count: range.count), codec)
  }
}
