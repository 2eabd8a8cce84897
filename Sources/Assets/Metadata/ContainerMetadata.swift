// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import FoundationEssentials
package import ISOBMFF
package import MediaCore

/// The metadata of a file that is not a movie, under QuickTime's names.
package struct ContainerMetadata: Sendable {
  /// A kind of metadata, with its names in movies and in other containers.
  struct Item: Sendable {
    /// FFmpeg's names in lower case. What counts is the first one whose text `accepts` allows.
    let names: [String]
    /// The key of QuickTime's metadata, after `com.apple.quicktime.`.
    let key: String
    /// The type in a list of MP4 metadata (`ilst`); `nil` if MP4 has no place for it.
    let type: FourCC?
    /// The official tag name in Matroska; `nil` if there is none.
    var tag: String? = nil
    /// Returns whether a text has the form that readers of this item expect.
    var accepts: @Sendable (String) -> Bool = { _ in true }

    /// Returns the valid texts of the item, in the order of its names.
    fileprivate func texts(in entries: [String: String]) -> [(name: String, text: String)] {
      names.compactMap { name in entries[name].map { (name, $0) } }.filter { accepts($0.text) }
    }

    /// Returns the names whose text is the same as this text, or a shorter or longer form of it.
    fileprivate func names(saying text: String, in entries: [String: String]) -> [String] {
      texts(in: entries).filter { text.hasPrefix($0.text) || $0.text.hasPrefix(text) }.map(\.name)
    }
  }

  /// Returns whether a text is a position as in ISO 6709: latitude and longitude with signs.
  @Sendable private static func isPosition(_ text: String) -> Bool {
    text.wholeMatch(of: /[+\-][0-9.]+[+\-][0-9.]+([+\-][0-9.]+)?([A-Z][A-Za-z0-9_]*)?\/?/) != nil
  }

  /// Returns whether a text begins like a date of ISO 8601, with a year.
  @Sendable private static func isDate(_ text: String) -> Bool {
    !text.hasPrefix("0000") && text.prefixMatch(of: /[0-9]{4}(-[0-9]{2}|[0-9]{4}|$)/) != nil
  }

  private static let place = Item(
    names: [
      "com.apple.quicktime.location.iso6709", "location", "location-eng", "recording_location",
    ],
    key: "location.ISO6709", type: "\u{A9}xyz", accepts: isPosition)
  // The most trusted name comes first. Without a recording date, the date on which the file was
  // made takes its place.
  private static let date = Item(
    names: [
      "com.apple.quicktime.creationdate", "date_recorded", "creation_time", "date_released", "date",
      "modification_date",
    ], key: "creationdate", type: "\u{A9}day", tag: "DATE_RECORDED", accepts: isDate)
  /// The names of dates that can be the creation time of a file, the most trusted first.
  private static let fileDates = ["creation_time"] + date.names

  private static let items = [
    date, place,
    // Matroska's places are words (country, state, city), which must not end up where players look
    // for coordinates.
    Item(
      names: ["com.apple.quicktime.location.name", "recording_location", "location"],
      key: "location.name", type: nil, tag: "RECORDING_LOCATION", accepts: { !isPosition($0) }),
    Item(
      names: ["com.apple.quicktime.make", "make", "company_name"], key: "make", type: "\u{A9}mak"),
    Item(
      names: ["com.apple.quicktime.model", "model", "product_name"], key: "model",
      type: "\u{A9}mod"),
    Item(
      names: ["com.apple.quicktime.software", "software"], key: "software",
      type: nil),
    Item(
      names: ["com.apple.quicktime.title", "title", "material_package_name", "service_name"],
      key: "title", type: "\u{A9}nam", tag: "title"),
    Item(
      names: ["com.apple.quicktime.artist", "artist"], key: "artist", type: "\u{A9}ART",
      tag: "ARTIST"),
    Item(
      names: ["com.apple.quicktime.description", "description", "synopsis"], key: "description",
      type: "desc", tag: "DESCRIPTION"),
    Item(
      names: ["com.apple.quicktime.comment", "comment"], key: "comment", type: "\u{A9}cmt",
      tag: "COMMENT"),
    Item(
      names: ["com.apple.quicktime.copyright", "copyright"], key: "copyright", type: "cprt",
      tag: "COPYRIGHT"),
    Item(
      names: ["com.apple.quicktime.publisher", "publisher", "service_provider"], key: "publisher",
      type: nil, tag: "PUBLISHER"),
  ]

  // In another file, entries about how the source was written would be false. So they are dropped
  // and not reported as lost.
  /// The names of entries about how the file was written, not about its content.
  private static let ofWriting: Set<String> = [
    "encoder", "encoding_tool", "major_brand", "minor_version", "compatible_brands", "duration",
    "uid", "generation_uid", "application_platform", "material_package_umid", "product_uid",
    "toolkit_version", "toolkit_version_num", "timecode", "operational_pattern_ul",
    "product_version", "product_version_num", "modification_date",
    // FLV's onMetaData has sizes, rates and byte positions that are true only of the file that
    // contains it.
    "hasaudio", "hasvideo", "hasmetadata", "haskeyframes", "hascuepoints", "canseektoend",
    "datasize", "videosize", "audiosize", "filesize", "bytelength", "lasttimestamp",
    "lastkeyframetimestamp", "lastkeyframelocation", "metadatacreator", "metadatadate",
    "audiodatarate", "videodatarate", "totaldatarate", "totalframes", "totalduration", "framerate",
    "width", "height", "displaywidth", "displayheight", "audiocodecid", "videocodecid",
    "audiosamplerate", "audiosamplesize", "audiochannels", "audiodelay", "stereo", "starttime",
    "keyframes",
  ]

  /// The values in the order of `items`, each with the name under which it was found.
  let values: [(item: Item, name: String, text: String)]
  /// When the file was made, in seconds since 1904-01-01 UTC. If the file does not say, this is
  /// when its content was made; `nil` if that is unknown, too.
  package let creationTime: UInt64?
  /// The names whose texts are lost in every kind of movie, sorted.
  private let others: [String]
  /// All texts, by their names in lower case.
  private let otherTexts: [String: String]

  /// Finds metadata in FFmpeg's entries.
  package init(_ entries: [String: String]) {
    var rest: [String: String] = [:]
    for (name, text) in Self.content(entries) where !text.isEmpty {
      rest[name.lowercased()] = text
    }
    values = Self.items.compactMap { item in
      item.texts(in: rest).first.map { (item, $0.name, $0.text) }
    }
    let date = Self.fileDates.first { rest[$0].flatMap(Self.seconds) != nil }
    creationTime = date.flatMap { rest[$0] }.flatMap(Self.seconds)
    // A text counts as lost if no reader understands it, if movies have no place for it, or if it
    // contradicts the text that is kept.
    var known = Set(values.flatMap { $0.item.names(saying: $0.text, in: rest) })
    if let date { known.insert(date) }
    others = rest.keys.filter { !known.contains($0) && !Self.ofWriting.contains($0) }.sorted()
    otherTexts = rest
  }

  /// Returns the entries, without those that repeat a text or whose date means "no date".
  private static func content(_ entries: [String: String]) -> [String: String] {
    let texts = Dictionary(
      entries.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    return entries.filter { name, text in
      // The epoch means that there is no date. FFmpeg repeats an entry with its language
      // (`title-eng`), and a repeated text says nothing new.
      guard !text.hasPrefix(epoch) else { return false }
      let parts = name.lowercased().split(separator: "-")
      guard parts.count == 2, parts[1].count == 3 else { return true }
      let plain = String(parts[0])
      return texts[plain] != text && !ofWriting.contains(plain)
    }
  }

  /// The values, and the texts that are lost in every kind of movie. `key` is QuickTime's key for a
  /// value, and FFmpeg's name for a lost text.
  package var statements: [(key: String, name: String, text: String)] {
    values.map { ($0.item.key, $0.name, $0.text) }
      + others.map { ($0, $0, otherTexts[$0] ?? "") }
  }

  /// Returns a file's metadata under the names that readers of Matroska know. Entries about how the
  /// file was written are left out.
  package static func forMatroska(_ entries: [String: String]) -> [String: String] {
    let tags = Dictionary(
      items.compactMap { item in item.tag.map { (quickTimePrefix + item.key.lowercased(), $0) } },
      uniquingKeysWith: { first, _ in first })
    var rest = content(entries).filter { !ofWriting.contains($0.key.lowercased()) }
    // The only date in an MXF file is that of its last change, which is an entry about writing.
    // Such a date is kept if there is no better one.
    let dated = ContainerMetadata(entries).values.first { $0.item.key == date.key }
    if let dated, ofWriting.contains(dated.name) { rest["creation_time"] = dated.text }
    let known = Set(rest.keys.map { $0.lowercased() })
    return Dictionary(
      rest.map { name, text in
        let tag = tags[name.lowercased()]
        return (tag.flatMap { known.contains($0.lowercased()) ? nil : $0 } ?? name, text)
      }, uniquingKeysWith: { first, _ in first })
  }

  static let quickTimePrefix = "com.apple.quicktime."

  /// Returns FFmpeg's names, in lower case, for a key of QuickTime.
  static func names(of key: String) -> [String] {
    let key = key.lowercased()
    return items.first { quickTimePrefix + $0.key.lowercased() == key }?.names ?? [key]
  }

  /// Returns the names whose texts are lost in a kind of movie, sorted.
  package func lost(in container: FileType) -> [String] {
    guard container.movie == .isoBaseMedia else { return others }
    return (others + values.filter { $0.item.type == nil }.map(\.name)).sorted()
  }

  package var isEmpty: Bool { values.isEmpty && creationTime == nil }

  // Clocks that were never set show 1970, so this date means that the real one is unknown.
  /// The date from which most clocks count.
  private static let epoch = "1970-01-01T00:00:00"
  /// The same date in seconds since 1904-01-01 UTC.
  private static let epochSeconds: UInt64 = 2_082_844_800

  /// Returns whether a time in seconds since 1904-01-01 UTC is a real date.
  package static func isDate(_ seconds: UInt64) -> Bool { seconds != 0 && seconds != epochSeconds }

  /// Converts a date of ISO 8601, with or without a time of day, to seconds since 1904-01-01 UTC.
  /// Returns `nil` for other texts, and for the epoch, which means that there is no date.
  static func seconds(_ text: String) -> UInt64? {
    var text = text.replacing(" ", with: "T")
    if text.count == 10 { text += "T00:00:00" }
    // Foundation's parser accepts no fractions of a second.
    if let dot = text.firstIndex(of: ".") {
      let end = text[dot...].dropFirst().firstIndex { !$0.isNumber } ?? text.endIndex
      text.removeSubrange(dot..<end)
    }
    let time = text.dropFirst(10)
    // Without a time zone, the clock's zone is unknown. Assume UTC, which movies use.
    if !time.contains("Z") && !time.contains("+") && !time.contains("-") { text += "Z" }
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    let seconds = date.timeIntervalSince1970 + Double(epochSeconds)
    return date.timeIntervalSince1970 != 0 && seconds > 0 && seconds < 1e12 ? UInt64(seconds) : nil
  }

  /// Returns the box to put into `moov`, or nothing if there are no values. The box contains every
  /// value that this kind of movie has a place for.
  package func boxes(_ container: FileType) -> [Box] {
    guard !values.isEmpty else { return [] }
    return container.movie == .quickTime ? [quickTimeMetadata] : [userData]
  }

  fileprivate static func handler(_ kind: FourCC, manufacturer: FourCC?) -> Box {
    var writer = ByteWriter()
    for word in [0, 0, kind.rawValue, manufacturer?.rawValue ?? 0, 0, 0] { writer.append(word) }
    return Box("hdlr", fields: writer.bytes + [0])
  }

  /// Returns the box `data` that holds the text of a list's entry, in UTF-8 (type 1).
  private static func data(_ text: String) -> Box {
    Box("data", fields: [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8))
  }

  /// The box `meta` with keys (QuickTime File Format, Metadata).
  private var quickTimeMetadata: Box {
    var keys = ByteWriter()
    keys.append(UInt32(0))
    keys.append(UInt32(values.count))
    for (item, _, _) in values {
      let name = Array((Self.quickTimePrefix + item.key).utf8)
      keys.append(UInt32(8 + name.count))
      keys.append(FourCC("mdta").rawValue)
      keys.append(name)
    }
    let list = values.enumerated().map { index, value in
      // In QuickTime's list, the type of an item is the number of its key, counted from 1.
      Box(FourCC(rawValue: UInt32(index + 1)), children: [Self.data(value.text)])
    }
    return Box(
      "meta",
      children: [
        Self.handler("mdta", manufacturer: nil), Box("keys", fields: keys.bytes),
        Box("ilst", children: list),
      ])
  }

  /// The box `udta`. It has the recording location in the box that MP4 players read, and the rest
  /// of the metadata in a list.
  private var userData: Box {
    var children: [Box] = []
    if let place = values.first(where: { $0.item.key == Self.place.key })?.text {
      var writer = ByteWriter()
      writer.append(UInt16(clamping: place.utf8.count))
      // This is the language "und", packed into 5 bits for each letter.
      writer.append(UInt16(0x55C4))
      children.append(Box("\u{A9}xyz", fields: writer.bytes + Array(place.utf8)))
    }
    let list = values.filter { $0.item.key != Self.place.key }.compactMap { item, _, text in
      item.type.map { Box($0, children: [Self.data(text)]) }
    }
    if !list.isEmpty {
      children.append(Box(itemList: list))
    }
    return Box("udta", children: children)
  }
}

extension Box {
  /// Makes the box `meta` of MP4 with a list of items, in the form that iTunes writes.
  package init(itemList items: [Box]) {
    self.init(
      "meta", fields: [0, 0, 0, 0],
      children: [
        ContainerMetadata.handler("mdir", manufacturer: "appl"), Box("ilst", children: items),
      ])
  }
}

/// Dates, names, places and makers of devices that an output takes from its source.
package enum CarriedMetadata: Sendable {
  /// The metadata of a movie, whose boxes are copied. If the output is a part of the movie, only
  /// metadata that is true of the part is copied.
  case movie(Movie, isPart: Bool)
  /// The metadata of a file that is not a movie.
  case names(ContainerMetadata)

  package init(_ asset: MediaAsset) {
    self =
      asset.movie.map { .movie($0, isPart: asset.isPart) }
      ?? .names(ContainerMetadata(asset.metadata))
  }

  /// When the source was made and changed, in seconds since 1904; `nil` if unknown.
  package var dates: (creation: UInt64, modification: UInt64)? {
    switch self {
    case .movie(let movie, _): (movie.header.creationTime, movie.header.modificationTime)
    case .names(let names): names.creationTime.map { ($0, $0) }
    }
  }
}
