// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import Host
internal import ISOBMFF
internal import MediaCore

/// An element of EBML (RFC 8794): an ID and content, which may itself consist of elements.
package struct EBMLElement {
  /// The ID with its length marker.
  package let id: UInt32
  package let content: Range<UInt64>
  /// The declared size of the content. A truncated file may contain less. `nil` if unknown.
  let statedSize: UInt64?

  /// The longest header in bytes: 4 bytes for the ID and 8 bytes for the size.
  private static let headerSize = 12

  /// Reads an element's header from a file.
  ///
  /// - Parameter end: where the enclosing element ends.
  /// - Returns: `nil` if no element begins here, or if its header makes no sense.
  package init?(at offset: UInt64, of source: FileByteSource, until end: UInt64) throws {
    guard offset < end else { return nil }
    let bytes = try source.read(
      at: offset, count: Int(min(UInt64(Self.headerSize), end - offset)))
    var reader = ByteReader(bytes)
    self.init(&reader, at: offset, until: end)
  }

  private init?(_ reader: inout ByteReader, at offset: UInt64, until end: UInt64) {
    let beginning = reader.position
    guard let id = Self.number(&reader, longest: 4), let size = Self.number(&reader, longest: 8)
    else { return nil }
    let start = offset + UInt64(reader.position - beginning)
    guard start <= end else { return nil }
    self.id = UInt32(truncatingIfNeeded: id.bits)
    statedSize = size.isUnknown ? nil : size.value
    // An element of unknown size reaches to the end of the enclosing element (RFC 8794, 6.2). If
    // the stated size goes beyond that end, the element is cut off there.
    content = start..<(size.isUnknown ? end : start + min(size.value, end - start))
  }

  /// Reads a number of variable length (RFC 8794, 4).
  ///
  /// - Returns: the number with and without its length marker; `nil` if it is too long or cut off.
  private static func number(
    _ reader: inout ByteReader, longest: Int
  ) -> (bits: UInt64, value: UInt64, isUnknown: Bool)? {
    guard let first = try? reader.integer(UInt8.self) else { return nil }
    // The number of zero bits before the first 1 is the number of bytes that follow.
    let extra = first.leadingZeroBitCount
    guard extra < longest, let rest = try? reader.bytes(extra) else { return nil }
    let bits = rest.reduce(UInt64(first)) { $0 << 8 | UInt64($1) }
    let marker = UInt64(1) << UInt64(7 * (extra + 1))
    // If all bits of the number are 1, the size is unknown.
    return (bits, bits & (marker - 1), bits & (marker - 1) == marker - 1)
  }

  /// The most elements that ``all(in:)`` returns. Damaged bytes may look like a million of them.
  static let mostElements = 20_000

  /// Returns the elements in some bytes, each with its content. Stops at an element whose header
  /// makes no sense, or after very many elements.
  static func all(in bytes: [UInt8]) -> [(id: UInt32, content: [UInt8])] {
    places(in: bytes[...], most: mostElements).map { ($0.id, Array(bytes[$0.content])) }
  }

  /// Where an element is in some bytes.
  package typealias Place = (id: UInt32, whole: Range<Int>, content: Range<Int>)

  /// Returns the places of the elements in some bytes, as indices of these bytes. Stops at an
  /// element whose header makes no sense.
  package static func places(in bytes: ArraySlice<UInt8>, most: Int = .max) -> [Place] {
    var found: [Place] = []
    var place = bytes.startIndex
    while place < bytes.endIndex, found.count < most {
      var reader = ByteReader(Array(bytes[place...].prefix(headerSize)))
      guard
        let element = EBMLElement(&reader, at: UInt64(place), until: UInt64(bytes.endIndex))
      else { break }
      let content = Int(element.content.lowerBound)..<Int(element.content.upperBound)
      found.append((element.id, place..<content.upperBound, content))
      place = content.upperBound
    }
    return found
  }
}

/// The elements inside an element that was read into memory.
struct EBMLContent {
  private let elements: [(id: UInt32, content: [UInt8])]

  init(_ bytes: [UInt8]) { elements = EBMLElement.all(in: bytes) }

  /// Returns the content of each element with this ID.
  func all(_ id: UInt32) -> [[UInt8]] { elements.filter { $0.id == id }.map(\.content) }

  /// Returns the content of the first element with this ID; `nil` if there is none.
  func first(_ id: UInt32) -> EBMLContent? { all(id).first.map(EBMLContent.init) }

  /// Returns the unsigned number in the last element of this kind. Returns `nil` if there is no
  /// such element, if it is empty or longer than 8 bytes, or if its number is not believed.
  func number(_ field: EBMLField) -> Int64? {
    all(field.id).last.flatMap { bytes in
      // An empty element means the default of its kind (RFC 8794, 6.1).
      (1...8).contains(bytes.count)
        ? field.number.believed(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) : nil
    }
  }

  /// Returns the flag in the last element of this kind; `nil` if there is none.
  func flag(_ field: EBMLField) -> Bool? { number(field).map { $0 != 0 } }

  /// Returns the text in the last element with this ID; `nil` if there is none.
  func text(_ id: UInt32) -> String? {
    // Zeros may end a text early or pad it (RFC 8794, 13).
    all(id).last.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
