// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// What a Matroska file (RFC 9559) says about its tracks and chapters.
package struct MatroskaHeader {
  /// The kind of file: `matroska` or `webm`.
  let docType: String?
  /// The chapters of the edition that players show; `nil` if the file has none.
  let chapters: MatroskaChapters?

  // The tracks are read here as well, because libavformat leaves out some of what a file says about
  // them. Versions before FFmpeg 7.1 also leave out crops.
  private let tracks: [EBMLContent]

  // IDs of elements with their length markers.
  private static let headerID: UInt32 = 0x1A45_DFA3
  private static let docTypeID: UInt32 = 0x4282
  private static let codecIDID: UInt32 = 0x86
  private static let videoID: UInt32 = 0xE0
  private static let encodingsID: UInt32 = 0x6D80
  private static let encodingID: UInt32 = 0x6240
  private static let encryptionID: UInt32 = 0x5035
  private static let chaptersID: UInt32 = 0x1043_A770

  // A damaged file may declare any number or size, and large ones would cost time and memory.
  /// The largest number of elements that are looked at in a file.
  private static let mostElements = 1000
  /// The largest size in bytes of an element that is read.
  private static let largestElement = 8 << 20

  /// Reads the elements before the frames, and elements elsewhere that an index lists.
  ///
  /// - Returns: `nil` if the file is not Matroska.
  init?(_ source: FileByteSource) throws {
    guard let segment = try Self.segment(of: source) else { return nil }
    docType = try Self.docType(of: source)
    let found = try Self.elements(of: segment, in: source)
    func content(_ id: UInt32) throws -> EBMLContent? {
      guard let range = found[id], range.count <= Self.largestElement else { return nil }
      return EBMLContent(try source.read(at: range.lowerBound, count: range.count))
    }
    tracks =
      try content(EBMLElement.tracksID)?.all(EBMLElement.trackEntryID).map(EBMLContent.init) ?? []
    chapters = try content(Self.chaptersID).map(MatroskaChapters.init)
  }

  /// Returns the element that contains everything in a Matroska file (RFC 9559, 5.1); `nil` if the
  /// file is not Matroska.
  package static func segment(of source: FileByteSource) throws -> EBMLElement? {
    guard let header = try EBMLElement(at: 0, of: source, until: source.size),
      header.id == headerID,
      let segment = try EBMLElement(
        at: header.content.upperBound, of: source, until: source.size),
      segment.id == EBMLElement.segmentID
    else { return nil }
    return segment
  }

  /// Returns the kind of file that the header declares (RFC 8794, 11.2.6).
  private static func docType(of source: FileByteSource) throws -> String? {
    guard let header = try EBMLElement(at: 0, of: source, until: source.size),
      header.content.count <= largestElement
    else { return nil }
    let content = try source.read(at: header.content.lowerBound, count: header.content.count)
    return EBMLContent(content).text(docTypeID)
  }

  /// Finds the elements that come before the frames or are listed in the index. Returns where their
  /// content is, by ID. If several have the same ID, the first one counts.
  private static func elements(
    of segment: EBMLElement, in source: FileByteSource
  ) throws -> [UInt32: Range<UInt64>] {
    var found: [UInt32: Range<UInt64>] = [:]
    var offset = segment.content.lowerBound
    let end = segment.content.upperBound
    for _ in 0..<mostElements {
      guard let element = try EBMLElement(at: offset, of: source, until: end),
        // Frames take up nearly all of a file. Elements after them, often the chapters, are found
        // through the index.
        element.id != EBMLElement.clusterID, element.statedSize != nil
      else { break }
      if found[element.id] == nil { found[element.id] = element.content }
      offset = element.content.upperBound
    }
    guard let index = found[EBMLElement.seekHeadID], index.count <= largestElement else {
      return found
    }
    let entries = EBMLContent(try source.read(at: index.lowerBound, count: index.count))
    for entry in entries.all(EBMLElement.seekEntryID).prefix(mostElements).map(EBMLContent.init) {
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

  /// Returns the tracks, marked as encrypted if the file says so.
  func encrypting(_ demuxed: [DemuxedTrack]) -> [DemuxedTrack] {
    var result = demuxed
    // libavformat reports only encryption whose key has an ID, so the elements are read here.
    for (type, kind) in [(1, MediaType.video), (2, .audio)] as [(Int64, MediaType)] {
      let stated = tracks.filter {
        $0.number(.trackType) == type && !$0.all(Self.codecIDID).isEmpty
      }
      let places = demuxed.indices.filter { demuxed[$0].kind == kind }
      guard stated.count == places.count else { continue }
      for (place, track) in zip(places, stated) where Self.isEncrypted(track) {
        result[place] = demuxed[place].encrypted()
      }
    }
    return result
  }

  private static func isEncrypted(_ track: EBMLContent) -> Bool {
    let encodings = track.first(Self.encodingsID)?.all(Self.encodingID).map(EBMLContent.init) ?? []
    return encodings.contains { !$0.all(Self.encryptionID).isEmpty }
  }

  /// Returns the tracks, with the crops that the file declares.
  func cropping(_ demuxed: [DemuxedTrack]) -> [DemuxedTrack] {
    let videos = tracks.filter { $0.number(.trackType) == 1 && !$0.all(Self.codecIDID).isEmpty }
      .map { $0.first(Self.videoID) }
    // libavformat does not return track numbers, so tracks are matched by their order. Attached
    // images are not tracks in Matroska.
    let places = demuxed.indices.filter { demuxed[$0].kind == .video }
    guard videos.count == places.count else { return demuxed }
    var result = demuxed
    for case (let place, let video?) in zip(places, videos) {
      guard let (crop, ratio) = video.crop(of: demuxed[place].size) else { continue }
      result[place] = demuxed[place].cropped(crop, ratio: ratio)
    }
    return result
  }
}
