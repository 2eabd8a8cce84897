// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Statements of a Matroska file (RFC 9559) about its tracks and chapters that libavformat does not
/// tell, or not all versions of it.
struct MatroskaHeader {
  /// The chapters of the edition that players show; nil where the file has none.
  let chapters: MatroskaChapters?

  /// The tracks, as the file describes them.
  private let tracks: [EBMLContent]

  private enum ID {
    static let header: UInt32 = 0x1A45_DFA3
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let seek: UInt32 = 0x4DBB
    static let cluster: UInt32 = 0x1F43_B675
    static let tracks: UInt32 = 0x1654_AE6B
    static let trackEntry: UInt32 = 0xAE
    static let codecID: UInt32 = 0x86
    static let video: UInt32 = 0xE0
    static let encodings: UInt32 = 0x6D80
    static let encoding: UInt32 = 0x6240
    static let encryption: UInt32 = 0x5035
    static let chapters: UInt32 = 0x1043_A770
  }

  /// The most elements of a file that are looked at, and the most bytes of one that is read:
  /// damage may state any number.
  private static let mostElements = 1000
  private static let largestElement = 8 << 20

  /// Reads what comes before the frames, and what an index says of other places.
  ///
  /// - Returns: nil for a file of another kind.
  init?(_ source: FileByteSource) throws {
    guard let header = try EBMLElement(at: 0, of: source, until: source.size),
      header.id == ID.header,
      let segment = try EBMLElement(
        at: header.content.upperBound, of: source, until: source.size),
      segment.id == ID.segment
    else { return nil }
    let found = try Self.elements(of: segment, in: source)
    func content(_ id: UInt32) throws -> EBMLContent? {
      guard let range = found[id], range.count <= Self.largestElement else { return nil }
      return EBMLContent(try source.read(at: range.lowerBound, count: range.count))
    }
    tracks = try content(ID.tracks)?.all(ID.trackEntry).map(EBMLContent.init) ?? []
    chapters = try content(ID.chapters).map(MatroskaChapters.init)
  }

  /// The first element of each ID in a segment that stands before its frames or in its index.
  private static func elements(
    of segment: EBMLElement, in source: FileByteSource
  ) throws -> [UInt32: Range<UInt64>] {
    var found: [UInt32: Range<UInt64>] = [:]
    var offset = segment.content.lowerBound
    let end = segment.content.upperBound
    for _ in 0..<mostElements {
      guard let element = try EBMLElement(at: offset, of: source, until: end),
        element.id != ID.cluster, element.statedSize != nil
      else { break }
      if found[element.id] == nil { found[element.id] = element.content }
      offset = element.content.upperBound
    }
    guard let index = found[ID.seekHead], index.count <= largestElement else { return found }
    let entries = EBMLContent(try source.read(at: index.lowerBound, count: index.count))
    for entry in entries.all(ID.seek).prefix(mostElements).map(EBMLContent.init) {
      guard let id = entry.number(.seekID), let position = entry.number(.seekPosition),
        position < segment.content.count, found[UInt32(clamping: id)] == nil,
        let element = try EBMLElement(
          at: segment.content.lowerBound + UInt64(position), of: source, until: end),
        Int64(element.id) == id, element.statedSize != nil
      else { continue }
      found[element.id] = element.content
    }
    return found
  }

  /// Tracks with what the file states about encryption.
  func encrypting(_ demuxed: [DemuxedTrack]) -> [DemuxedTrack] {
    var result = demuxed
    for (type, kind) in [(1, MediaType.video), (2, .audio)] as [(Int64, MediaType)] {
      let stated = tracks.filter { $0.number(.trackType) == type && !$0.all(ID.codecID).isEmpty }
      let places = demuxed.indices.filter { demuxed[$0].kind == kind }
      guard stated.count == places.count else { continue }
      for (place, track) in zip(places, stated) where Self.isEncrypted(track) {
        result[place] = demuxed[place].encrypted()
      }
    }
    return result
  }

  private static func isEncrypted(_ track: EBMLContent) -> Bool {
    let encodings = track.first(ID.encodings)?.all(ID.encoding).map(EBMLContent.init) ?? []
    return encodings.contains { !$0.all(ID.encryption).isEmpty }
  }

  /// Tracks with the crops that the file states.
  func cropping(_ demuxed: [DemuxedTrack]) -> [DemuxedTrack] {
    let videos = tracks.filter { $0.number(.trackType) == 1 && !$0.all(ID.codecID).isEmpty }
      .map { $0.first(ID.video) }
    // Attached pictures come from elsewhere. libavformat tells no other tracks' numbers.
    let places = demuxed.indices.filter { demuxed[$0].kind == .video }
    guard videos.count == places.count else { return demuxed }
    var result = demuxed
    for case (let place, let video?) in zip(places, videos) {
      guard let crop = MatroskaCrop(video, of: demuxed[place].size) else { continue }
      result[place] = demuxed[place].cropped(crop.crop, ratio: crop.ratio)
    }
    return result
  }
}
