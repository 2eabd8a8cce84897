// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension Box {
  // Boxes in real files nest less than 12 deep. Without a limit, a hostile file could exhaust the
  // stack.
  /// How deep boxes may nest.
  private static let deepest = 24

  /// Parses boxes that follow each other, such as the children of `moov`.
  ///
  /// - Parameter base: the offset of `bytes` in the file, for errors.
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
      // QuickTime ends some lists with four zero bytes. Together with whatever follows they look
      // like a box of size 0, which only a top-level box may have (ISO/IEC 14496-12, 4.2).
      if header.extendsToEnd && parent != nil { break }
      let body = bytes[position + header.headerLength..<position + header.range.count]
      boxes.append(try Box(header, body: body, base: base, parent: parent, depth: depth))
      position += header.range.count
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
      // The boxes of a movie and its tracks must be sound. User data may contain anything, so if it
      // cannot be parsed as boxes, keep its bytes.
      if Self.structure.contains(header.type) { throw error }
      fields = Array(body)
    }
  }

  /// The boxes that make up a movie, each with the parent that it belongs in; `nil` stands for the
  /// file itself (ISO/IEC 14496-12, table 1).
  private static let homes: [FourCC: FourCC?] = [
    "moov": nil, "trak": "moov", "mdia": "trak", "minf": "mdia", "stbl": "minf", "moof": nil,
    "traf": "moof", "mdat": nil,
  ]

  /// Throws if a box of the movie has the wrong parent.
  func checkPlaces() throws(ISOBMFFError) {
    // If a track is nested in another track, some readers count it as one of the movie's tracks,
    // and then disagree with us about the tracks. User data is not part of the movie, so it is not
    // searched.
    for child in children {
      guard Self.homes[child.type].map({ $0 == type }) ?? true else {
        throw .misplacedBox(child.type, in: type)
      }
      if Self.structure.contains(child.type) { try child.checkPlaces() }
    }
  }

  /// A copy without the boxes that have the wrong parent, at any depth.
  package var withoutMisplacedBoxes: Box {
    var copy = self
    copy.children = children.filter { child in
      Self.homes[child.type].map { $0 == type } ?? true
    }.map(\.withoutMisplacedBoxes)
    return copy
  }

  /// Boxes that contain nothing but boxes and that every movie needs.
  private static let structure: Set<FourCC> = ["moov", "trak", "mdia", "minf", "stbl"]

  /// Other boxes that contain nothing but boxes.
  private static let lists: Set<FourCC> = [
    "edts", "dinf", "udta", "mvex", "moof", "traf", "tref", "gmhd", "tapt", "sinf", "schi", "wave",
    "ilst", "sgrp",
  ]

  /// Returns how many bytes come before a box's children, or `nil` if it has no children.
  private static func fieldCount(
    _ type: FourCC, parent: FourCC?, body: ArraySlice<UInt8>
  ) -> Int? {
    // The fields of a sample entry depend on the kind of media, which `hdlr` declares elsewhere. So
    // `openSampleEntries` parses them later.
    if parent == "stsd" { return nil }
    if structure.contains(type) || lists.contains(type) { return 0 }
    switch type {
    case "stsd", "dref": return body.count >= 8 ? 8 : nil
    // In ISO/IEC 14496-12, `meta` is a full box, with 4 bytes of version and flags. In QuickTime,
    // `meta` has no version and flags, and begins with an `hdlr` box.
    case "meta":
      let isPlain = body.dropFirst(4).prefix(4).elementsEqual([0x68, 0x64, 0x6C, 0x72])
      return isPlain ? 0 : body.count >= 4 ? 4 : nil
    default: return nil
    }
  }

  /// How many bytes of a video sample entry come before its boxes (ISO/IEC 14496-12, 12.1.3).
  package static let videoEntryFieldsSize = 78

  /// Parses a sample entry of a video track.
  ///
  /// - Parameter bytes: the whole entry.
  /// - Returns: `nil` if the bytes are not one whole entry.
  package init?(videoEntry bytes: [UInt8]) {
    let headerSize = 8
    guard bytes.count >= headerSize + Self.videoEntryFieldsSize,
      let header = try? BoxHeader(
        Array(bytes.prefix(32)), offset: 0, available: UInt64(bytes.count)),
      header.headerLength == headerSize, header.range.count == bytes.count
    else { return nil }
    let body = bytes.dropFirst(headerSize)
    let content = try? Self.parse(
      body.dropFirst(Self.videoEntryFieldsSize), base: 0, parent: header.type, depth: 0)
    self.init(
      header.type, fields: Array(content == nil ? body : body.prefix(Self.videoEntryFieldsSize)),
      children: content?.boxes ?? [], trailer: content?.trailer ?? [])
  }

  /// Parses the boxes inside the sample entries of an `mdia` box. An entry that cannot be parsed
  /// stays unchanged.
  private mutating func openSampleEntries(base: UInt64, depth: Int) {
    let handler = child("hdlr").map { Array($0.fields.dropFirst(8).prefix(4)) } ?? []
    let isVideo = handler == Array("vide".utf8)
    guard isVideo || handler == Array("soun".utf8) else { return }
    edit("minf", "stbl", "stsd") { stsd in
      for index in stsd.children.indices {
        let body = stsd.children[index].fields
        let version = body.count >= 10 ? Int(body[8]) << 8 | Int(body[9]) : 0
        // Video has 78 bytes before the boxes (12.1.3). Audio has 28 bytes (12.2.3). With the extra
        // fields of QuickTime's sound description, it has 44 bytes in version 1 and 64 bytes in
        // version 2.
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
