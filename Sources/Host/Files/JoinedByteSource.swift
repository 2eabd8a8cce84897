// SPDX-License-Identifier: GPL-2.0-or-later
package import ISOBMFF

/// Reads parts of files and of memory as if they were one file.
package struct JoinedByteSource: ByteSource, Sendable {
  package enum Part: Sendable {
    case file(FileByteSource, Range<UInt64>)
    case bytes([UInt8])

    package var size: UInt64 {
      switch self {
      case .file(_, let range): UInt64(range.count)
      case .bytes(let bytes): UInt64(bytes.count)
      }
    }

    /// Returns some of the part's bytes. Offsets count from the beginning of the part.
    fileprivate func cut(to range: Range<UInt64>) -> Part {
      switch self {
      case .file(let file, let whole):
        .file(file, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
      case .bytes(let bytes): .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
      }
    }

    /// Returns this part and the next as one, or `nil` if they are not neighbors in the same file.
    fileprivate func joined(with next: Part) -> Part? {
      guard case .file(let file, let range) = self, case .file(let other, let more) = next,
        file === other, range.upperBound == more.lowerBound
      else { return nil }
      return .file(file, range.lowerBound..<more.upperBound)
    }
  }

  package private(set) var size: UInt64 = 0
  private var parts: [(start: UInt64, part: Part)] = []

  /// Creates an empty source.
  package init() {}

  /// Creates a source with a whole file.
  package init(_ file: FileByteSource) { append(.file(file, 0..<file.size)) }

  /// Adds a part at the end.
  package mutating func append(_ part: Part) {
    guard part.size > 0 else { return }
    // Samples that follow each other in the file become one part, so that there are few parts and
    // each of them can be copied in one long run.
    if let last = parts.last, let joined = last.part.joined(with: part) {
      parts[parts.count - 1].part = joined
    } else {
      parts.append((size, part))
    }
    size += part.size
  }

  package func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    let end = offset + min(UInt64(count), size - offset)
    var bytes: [UInt8] = []
    for part in self.parts(in: offset..<end) {
      switch part {
      case .bytes(let some): bytes += some
      case .file(let file, let range):
        let some = try file.read(at: range.lowerBound, count: range.count)
        bytes += some
        // The file became shorter while it was read, so the bytes end here.
        guard some.count == range.count else { return bytes }
      }
    }
    return bytes
  }

  /// Returns the parts that make up a range of bytes.
  func parts(in range: Range<UInt64>) -> [Part] {
    // The first part to look at is the last one that begins no later than the range does.
    let first = parts.partitioningIndex { $0.start > range.lowerBound } - 1
    guard first >= 0 else { return [] }
    var found: [Part] = []
    for (start, part) in parts[first...] {
      guard start < range.upperBound else { break }
      let from = max(range.lowerBound, start) - start
      let end = min(range.upperBound, start + part.size) - start
      if from < end { found.append(part.cut(to: from..<end)) }
    }
    return found
  }
}
