// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Host
internal import ISOBMFF
internal import MediaCore

/// An element of EBML (RFC 8794): an ID and some content, which may be elements again.
struct EBMLElement {
  /// The ID, its marker among its bits.
  let id: UInt32
  /// Place of the content.
  let content: Range<UInt64>
  /// The size of the content, which may go on behind a file that is cut off; nil where nothing
  /// states it: the content ends with that of the element around it.
  let statedSize: UInt64?

  /// The bytes of the longest header: an ID of 4, and a size of 8.
  private static let headerSize = 12

  /// Reads the header of an element of a file.
  ///
  /// - Parameter end: the end of the element around it.
  /// - Returns: nil where there is none that makes sense.
  init?(at offset: UInt64, of source: FileByteSource, until end: UInt64) throws {
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
    // One that ends behind the one around it is cut off.
    content = start..<(size.isUnknown ? end : start + min(size.value, end - start))
  }

  /// A number of variable length (RFC 8794, 4): the zeros before its first one say how long it is.
  ///
  /// - Returns: the number with that bit and without; nil where it is longer or cut off.
  private static func number(
    _ reader: inout ByteReader, longest: Int
  ) -> (bits: UInt64, value: UInt64, isUnknown: Bool)? {
    guard let first = try? reader.integer(UInt8.self) else { return nil }
    let extra = first.leadingZeroBitCount
    guard extra < longest, let rest = try? reader.bytes(extra) else { return nil }
    let bits = rest.reduce(UInt64(first)) { $0 << 8 | UInt64($1) }
    let marker = UInt64(1) << UInt64(7 * (extra + 1))
    return (bits, bits & (marker - 1), bits & (marker - 1) == marker - 1)
  }

  /// The most elements in another that are looked at: damage may be a million empty ones.
  private static let mostElements = 20_000

  /// The elements that bytes consist of, each with its content, up to one that makes no sense.
  static func all(in bytes: [UInt8]) -> [(id: UInt32, content: [UInt8])] {
    var found: [(id: UInt32, content: [UInt8])] = []
    var reader = ByteReader(bytes)
    while reader.remaining > 0, found.count < mostElements {
      let place = UInt64(reader.position)
      guard let element = EBMLElement(&reader, at: place, until: UInt64(bytes.count)),
        let content = try? reader.bytes(element.content.count)
      else { break }
      found.append((element.id, content))
    }
    return found
  }
}

/// The elements in one that is held in memory.
struct EBMLContent {
  private let elements: [(id: UInt32, content: [UInt8])]

  init(_ bytes: [UInt8]) { elements = EBMLElement.all(in: bytes) }

  /// The content of each element with an ID.
  func all(_ id: UInt32) -> [[UInt8]] { elements.filter { $0.id == id }.map(\.content) }

  /// The elements in the first element with an ID; nil for none.
  func first(_ id: UInt32) -> EBMLContent? { all(id).first.map(EBMLContent.init) }

  /// The unsigned number that the last element of a kind holds; nil for none, for an empty one,
  /// which stands for the usual number, and for numbers that are not believed.
  func number(_ field: EBMLField) -> Int64? {
    all(field.id).last.flatMap { bytes in
      (1...8).contains(bytes.count)
        ? field.number.believed(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) : nil
    }
  }

  /// True or false, as the last element of a kind says.
  func flag(_ field: EBMLField) -> Bool? { number(field).map { $0 != 0 } }

  /// The text that the last element with an ID holds, which zeros may follow; nil for none.
  func text(_ id: UInt32) -> String? {
    all(id).last.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
