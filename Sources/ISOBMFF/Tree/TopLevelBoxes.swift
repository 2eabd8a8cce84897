// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The top-level boxes of a file, found without reading their content.
package struct TopLevelBoxes: Sendable {
  /// The headers of the boxes, in file order.
  package let entries: [BoxHeader]
  /// What is wrong with the last box if it is cut off or its header is invalid. That box is not in
  /// `entries`.
  package let truncation: ISOBMFFError?

  // Old QuickTime files have no `ftyp`. They begin with `moov`, `mdat`, `wide` or `pnot` (a
  // preview). Segments begin with `styp`, `sidx` or `moof`.
  /// Types that a movie file may begin with.
  private static let beginnings: Set<FourCC> = [
    "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp", "uuid", "moof", "sidx",
  ]

  /// Finds the top-level boxes of a file.
  ///
  /// - Throws: ``ISOBMFFError/notISOBaseMedia`` if the file does not begin as movie files do.
  package init(_ source: any ByteSource) throws(ISOBMFFError) {
    var entries: [BoxHeader] = []
    var truncation: ISOBMFFError?
    var offset: UInt64 = 0
    // If fewer bytes are left than a header has, they are padding, unless the file has nothing
    // else.
    while entries.isEmpty ? offset < source.size : offset + 8 <= source.size {
      let bytes = try source.read(at: offset, count: 32)
      let available = source.size - offset
      do throws(ISOBMFFError) {
        let header = try BoxHeader(bytes, offset: offset, available: available)
        if entries.isEmpty && !Self.beginnings.contains(header.type) {
          throw ISOBMFFError.notISOBaseMedia
        }
        entries.append(header)
        offset = header.range.upperBound
      } catch {
        // Any four bytes can look like a size. So a bad header at the start means that this is
        // another kind of file. The exception is a first box that is only cut off and has a type of
        // a movie file. After good boxes, a bad header means that the file was cut off.
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

  /// Returns the header of the first box of a type.
  package func first(_ type: FourCC) -> BoxHeader? { entries.first { $0.type == type } }

  /// Reads the major brand of `ftyp`. Returns `nil` if the file has none.
  func majorBrand(_ source: any ByteSource) throws(ISOBMFFError) -> FourCC? {
    guard let entry = first("ftyp") else { return nil }
    var reader = ByteReader(
      try source.read(at: entry.range.lowerBound + UInt64(entry.headerLength), count: 4))
    return (try? reader.integer(UInt32.self)).map(FourCC.init(rawValue:))
  }
}

/// A box's size and type, with the extended forms of both (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Hashable, Sendable {
  package let type: FourCC
  /// The size of the header in bytes.
  package let headerLength: Int
  /// Where the whole box is, header included.
  package let range: Range<UInt64>
  let userType: [UInt8]?
  /// Whether the size was given as 0, which means "to the end of the file".
  let extendsToEnd: Bool

  /// Reads the header from the first bytes of a box.
  ///
  /// - Parameters:
  ///   - bytes: the first bytes of the box, at most 32, which is the size of the longest header.
  ///   - offset: where the box begins.
  ///   - available: how many bytes there are for the whole box.
  init(_ bytes: [UInt8], offset: UInt64, available: UInt64) throws(ISOBMFFError) {
    var reader = ByteReader(bytes)
    let size: UInt64
    do {
      let short = try reader.integer(UInt32.self)
      type = FourCC(rawValue: try reader.integer())
      extendsToEnd = short == 0
      // A size of 1 means that the real size follows in 64 bits (largesize).
      let stated = short == 1 ? try reader.integer(UInt64.self) : UInt64(short)
      size = extendsToEnd ? available : stated
      userType = type == "uuid" ? try reader.bytes(16) : nil
    } catch {
      throw .truncatedHeader(offset: offset)
    }
    headerLength = reader.position
    guard size >= UInt64(headerLength) else {
      throw .invalidSize(type, offset: offset, size: size)
    }
    guard size <= available else {
      throw .truncatedBox(type, offset: offset, size: size, available: available)
    }
    range = offset..<offset + size
  }
}

/// Bytes that boxes are read from. This module does no I/O itself. Its users supply files.
package protocol ByteSource {
  /// The size of the source in bytes.
  var size: UInt64 { get }

  /// Reads `count` bytes. Returns fewer only at the end of the source.
  func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8]
}

/// A destination for boxes, which are written one after the other.
package protocol ByteSink {
  /// Writes bytes after those already written.
  mutating func write(_ bytes: [UInt8]) throws(ISOBMFFError)

  /// Copies a part of the file that is being rewritten. An implementation may leave the copying to
  /// the file system.
  mutating func copy(_ range: Range<UInt64>) throws(ISOBMFFError)
}
