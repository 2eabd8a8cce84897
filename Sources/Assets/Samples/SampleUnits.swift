// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import Host
package import ISOBMFF
package import NALUnits

/// The NAL units of a sample where they lie in the file. Only what is asked for is read, and
/// slices, which are nearly all of a file, are passed over.
package struct SampleUnits {
  /// Number of bytes of a sample that are read at once.
  private static let window = 1024

  package let source: FileByteSource
  package let lengthSize: Int
  private let codec: NALCodec

  /// The units of a file's samples.
  ///
  /// - Parameter lengthSize: the bytes of the length before each unit.
  package init(source: FileByteSource, lengthSize: Int, _ codec: NALCodec) {
    self.source = source
    self.lengthSize = lengthSize
    self.codec = codec
  }

  /// The units of a sample; a unit that is cut off, and what follows it, is left out.
  ///
  /// - Returns: the bytes of each, without the length before them, and the first byte or two, which
  ///   tell the kind of unit.
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
      // Nothing has a length of 0 but padding.
      guard length > 0, length <= sample.upperBound - body else { break }
      let header = window[(start + lengthSize)...].prefix(min(2, Int(length)))
      places.append((body..<body + length, NALUnit(Array(header), codec)))
      position = body + length
    }
    return places
  }

  /// A unit's bytes.
  package func unit(_ range: Range<UInt64>) throws(ISOBMFFError) -> NALUnit {
    NALUnit(try source.read(at: range.lowerBound, count: range.count), codec)
  }
}
