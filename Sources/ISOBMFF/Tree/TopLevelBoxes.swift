// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The boxes that a file consists of, found without reading their content.
package struct TopLevelBoxes: Sendable {
  /// Box of the file.
  package struct Entry: Hashable, Sendable {
    /// The type.
    package let type: FourCC
    /// The bytes of its header.
    package let headerLength: Int
    /// Place of the box in the file, header included.
    package let range: Range<UInt64>
  }

  /// The boxes, in the order of the file.
  package let entries: [Entry]
  /// A last box that ends after the file does; it is not among the entries.
  package let truncation: ISOBMFFError?

  /// The types that a movie file begins with.
  private static let beginnings: Set<FourCC> = [
    "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp", "uuid", "moof", "sidx",
  ]

  /// Finds the boxes of a file.
  ///
  /// - Throws: ``ISOBMFFError/notISOBaseMedia`` where it does not begin as movie files do.
  package init(_ source: any ByteSource) throws(ISOBMFFError) {
    var entries: [Entry] = []
    var truncation: ISOBMFFError?
    var offset: UInt64 = 0
    // Fewer bytes than a header has are padding.
    while entries.isEmpty ? offset < source.size : offset + 8 <= source.size {
      let bytes = try source.read(at: offset, count: 32)
      let available = source.size - offset
      do throws(ISOBMFFError) {
        let header = try BoxHeader(bytes, offset: offset, available: available)
        if entries.isEmpty && !Self.beginnings.contains(header.type) {
          throw ISOBMFFError.notISOBaseMedia
        }
        let end = offset + header.size
        entries.append(
          Entry(type: header.type, headerLength: header.length, range: offset..<end))
        offset = end
      } catch {
        guard Self.isTruncation(error, afterBoxes: !entries.isEmpty) else {
          throw .notISOBaseMedia
        }
        truncation = error
        break
      }
    }
    guard !entries.isEmpty || truncation != nil else { throw .notISOBaseMedia }
    self.entries = entries
    self.truncation = truncation
  }

  private static func isTruncation(_ error: ISOBMFFError, afterBoxes: Bool) -> Bool {
    if case .truncatedBox(let type, _, _, _) = error {
      return afterBoxes || beginnings.contains(type)
    }
    return afterBoxes && error != .notISOBaseMedia
  }

  /// The first box of a type.
  package func first(_ type: FourCC) -> Entry? { entries.first { $0.type == type } }

  /// The major brand of `ftyp`.
  func majorBrand(_ source: any ByteSource) throws(ISOBMFFError) -> FourCC? {
    guard let entry = first("ftyp") else { return nil }
    var reader = ByteReader(
      try source.read(at: entry.range.lowerBound + UInt64(entry.headerLength), count: 4))
    return (try? reader.integer(UInt32.self)).map(FourCC.init(rawValue:))
  }
}

/// Source of bytes from which boxes are read. The module does no I/O of its own: whoever uses it
/// supplies files.
package protocol ByteSource {
  /// The number of bytes.
  var size: UInt64 { get }

  /// Reads bytes; fewer than `count` only where the source ends.
  func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8]
}

/// Target to which boxes are written, one after the other.
package protocol ByteSink {
  /// Appends bytes.
  mutating func write(_ bytes: [UInt8]) throws(ISOBMFFError)

  /// Appends a part of the source that is being rewritten, which a file may copy by itself.
  mutating func copy(_ range: Range<UInt64>) throws(ISOBMFFError)
}
