/// Where boxes are read from. The module does no I/O of its own: whoever uses it supplies files.
package protocol ByteSource {
  /// The number of bytes.
  var size: UInt64 { get }

  /// Reads bytes; fewer than `count` only where the source ends.
  func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8]
}

/// Where boxes are written to, one after the other.
package protocol ByteSink {
  /// Appends bytes.
  mutating func write(_ bytes: [UInt8]) throws(ISOBMFFError)

  /// Appends a part of the source that is being rewritten, which a file may copy by itself.
  mutating func copy(_ range: Range<UInt64>) throws(ISOBMFFError)
}
