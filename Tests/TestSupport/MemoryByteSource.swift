// SPDX-License-Identifier: GPL-2.0-or-later
import ISOBMFF

/// A byte source that holds its bytes in memory.
public struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  /// Makes a source of these bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes.
  public var size: UInt64 { UInt64(bytes.count) }

  /// Reads `count` bytes, or fewer at the end.
  public func read(at offset: UInt64, count: Int) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    let start = Int(offset)
    return Array(bytes[start..<min(start + count, bytes.count)])
  }
}
