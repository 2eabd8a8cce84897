// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension Box {
  /// Largest depth of boxes inside each other; real files stay below 12.
  private static let deepest = 24

  /// Reads a run of boxes, such as the children of `moov`.
  ///
  /// - Parameter base: the run's offset in its file, for errors.
  package static func parse(_ bytes: [UInt8], base: UInt64 = 0) throws(ISOBMFFError) -> [Box] {
    try parse(bytes[...], base: base, parent: nil, depth: 0).boxes
  }

  private static func parse(
    _ bytes: ArraySlice<UInt8>, base: UInt64, parent: FourCC?, depth: Int
  ) throws(ISOBMFFError) -> (boxes: [Box], trailer: [UInt8]) {
    var boxes: [Box] = []
    var position = bytes.startIndex
    while bytes.endIndex - position >= 8 {
      let header = try BoxHeader(
        Array(bytes[position..<min(position + 32, bytes.endIndex)]),
        offset: base + UInt64(position), available: UInt64(bytes.endIndex - position))
      // QuickTime ends some lists with four zero bytes, which with what follows look like a box
      // of size 0.
      if header.extendsToEnd && parent != nil { break }
      let body = bytes[position + header.length..<position + Int(header.size)]
      boxes.append(try Box(header, body: body, base: base, parent: parent, depth: depth))
      position += Int(header.size)
    }
    return (boxes, Array(bytes[position...]))
  }

  private init(
    _ header: BoxHeader, body: ArraySlice<UInt8>, base: UInt64, parent: FourCC?, depth: Int
  ) throws(ISOBMFFError) {
    self.init(header.type, userType: header.userType)
    guard depth < Self.deepest,
      let count = Self.fieldCount(header.type, parent: parent, body: body)
    else {
      fields = Array(body)
      return
    }
    let rest = body.dropFirst(count)
    do {
      let content = try Self.parse(rest, base: base, parent: header.type, depth: depth + 1)
      fields = Array(body.prefix(count))
      children = content.boxes
      trailer = content.trailer
      if header.type == "mdia" { openSampleEntries(base: base, depth: depth + 1) }
    } catch {
      // Structure boxes must be whole; content of user data that is not boxes after all is kept as
      // it is.
      if Self.structure.contains(header.type) { throw error }
      fields = Array(body)
    }
  }

  /// The boxes that a movie's tracks are made of, and those that these stand in; nil for the file
  /// itself (ISO/IEC 14496-12, table 1).
  private static let homes: [FourCC: FourCC?] = [
    "moov": nil, "trak": "moov", "mdia": "trak", "minf": "mdia", "stbl": "minf", "moof": nil,
    "traf": "moof", "mdat": nil,
  ]

  /// Throws where one of them stands in another than its own: readers take a track in a track for
  /// one of the movie's. What stands in user data is no part of the movie.
  func checkPlaces() throws(ISOBMFFError) {
    for child in children {
      guard Self.homes[child.type].map({ $0 == type }) ?? true else {
        throw .misplacedBox(child.type, in: type)
      }
      if Self.structure.contains(child.type) { try child.checkPlaces() }
    }
  }

  /// The box without those of them that do not belong where they stand, at any depth.
  package var withoutMisplacedBoxes: Box {
    var copy = self
    copy.children = children.filter { child in
      Self.homes[child.type].map { $0 == type } ?? true
    }.map(\.withoutMisplacedBoxes)
    return copy
  }

  /// Boxes that are nothing but a list of boxes, and that a movie cannot do without.
  private static let structure: Set<FourCC> = ["moov", "trak", "mdia", "minf", "stbl"]

  /// Other boxes that are nothing but a list of boxes.
  private static let lists: Set<FourCC> = [
    "edts", "dinf", "udta", "mvex", "moof", "traf", "tref", "gmhd", "tapt", "sinf", "schi", "wave",
    "ilst", "sgrp",
  ]

  /// The bytes before a box's children; nil for a box that has none.
  private static func fieldCount(
    _ type: FourCC, parent: FourCC?, body: ArraySlice<UInt8>
  ) -> Int? {
    // Sample entries are opened once the kind of media is known.
    if parent == "stsd" { return nil }
    if structure.contains(type) || lists.contains(type) { return 0 }
    switch type {
    case "stsd", "dref": return body.count >= 8 ? 8 : nil
    // A full box in ISO/IEC 14496-12, a plain one in QuickTime: there, `hdlr` comes at once.
    case "meta":
      let isPlain = body.dropFirst(4).prefix(4).elementsEqual([0x68, 0x64, 0x6C, 0x72])
      return isPlain ? 0 : body.count >= 4 ? 4 : nil
    default: return nil
    }
  }

  /// The bytes of a video track's sample entry before its boxes (ISO/IEC 14496-12, 12.1.3).
  package static let videoEntryFieldsSize = 78

  /// A sample entry of a video track.
  ///
  /// - Parameter bytes: the whole entry.
  /// - Returns: nil for bytes that are none.
  package init?(videoEntry bytes: [UInt8]) {
    let headerSize = 8
    guard bytes.count >= headerSize + Self.videoEntryFieldsSize,
      let header = try? BoxHeader(
        Array(bytes.prefix(32)), offset: 0, available: UInt64(bytes.count)),
      header.length == headerSize, Int(header.size) == bytes.count
    else { return nil }
    let body = bytes.dropFirst(headerSize)
    let content = try? Self.parse(
      body.dropFirst(Self.videoEntryFieldsSize), base: 0, parent: header.type, depth: 0)
    self.init(
      header.type, fields: Array(content == nil ? body : body.prefix(Self.videoEntryFieldsSize)),
      children: content?.boxes ?? [], trailer: content?.trailer ?? [])
  }

  /// Opens the sample entries of a track (`mdia`), whose form depends on the kind of media: 78
  /// bytes before the boxes for video, 28 or more, by the version of QuickTime's audio
  /// description, for audio (ISO/IEC 14496-12, 12.1.3 and 12.2.3). An entry that is of another
  /// form stays as it is.
  private mutating func openSampleEntries(base: UInt64, depth: Int) {
    let handler = child("hdlr").map { Array($0.fields.dropFirst(8).prefix(4)) } ?? []
    let isVideo = handler == Array("vide".utf8)
    guard isVideo || handler == Array("soun".utf8) else { return }
    edit("minf", "stbl", "stsd") { stsd in
      for index in stsd.children.indices {
        let body = stsd.children[index].fields
        let version = body.count >= 10 ? Int(body[8]) << 8 | Int(body[9]) : 0
        let count = isVideo ? Self.videoEntryFieldsSize : [0: 28, 1: 44, 2: 64][version] ?? 28
        guard body.count >= count,
          let content = try? Self.parse(
            body.dropFirst(count), base: base, parent: stsd.children[index].type, depth: depth + 3)
        else { continue }
        stsd.children[index].fields = Array(body.prefix(count))
        stsd.children[index].children = content.boxes
        stsd.children[index].trailer = content.trailer
      }
    }
  }
}

/// The header of a box.
struct BoxHeader {
  let type: FourCC
  /// The bytes of the header.
  let length: Int
  /// The bytes of the whole box.
  let size: UInt64
  let userType: [UInt8]?
  /// True if the size was given as 0: to the end of what holds the box.
  let extendsToEnd: Bool

  /// Reads a header out of a box's first bytes (up to 32).
  ///
  /// - Parameters:
  ///   - offset: the position of the box, for errors.
  ///   - available: the number of bytes that there are for the whole box.
  init(_ bytes: [UInt8], offset: UInt64, available: UInt64) throws(ISOBMFFError) {
    var reader = ByteReader(bytes)
    do {
      let short = try reader.integer(UInt32.self)
      type = FourCC(rawValue: try reader.integer())
      extendsToEnd = short == 0
      let stated = short == 1 ? try reader.integer(UInt64.self) : UInt64(short)
      size = extendsToEnd ? available : stated
      userType = type == "uuid" ? try reader.bytes(16) : nil
    } catch {
      throw .truncatedHeader(offset: offset)
    }
    length = reader.position
    guard size >= UInt64(length) else { throw .invalidSize(type, offset: offset, size: size) }
    guard size <= available else {
      throw .truncatedBox(type, offset: offset, size: size, available: available)
    }
  }
}
