// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
internal import Host
package import ISOBMFF

extension Movie {
  /// The largest box that is read into memory, in bytes.
  private static let largestBox = 64 << 20

  /// Finds boxes outside `moov` that describe the movie's content: XMP, metadata, user data.
  ///
  /// - Returns: types and bytes of boxes that can be copied to another file, and types of boxes
  ///   that cannot be copied.
  package static func descriptions(
    besideMovieIn path: String
  ) throws -> (kept: [(type: FourCC, bytes: [UInt8])], lost: [FourCC]) {
    let file = try FileByteSource(path: path)
    var (kept, lost): ([(type: FourCC, bytes: [UInt8])], [FourCC]) = ([], [])
    for entry in try TopLevelBoxes(file).entries
    where ["uuid", "meta", "udta"].contains(entry.type) {
      guard entry.range.count <= largestBox else {
        lost.append(entry.type)
        continue
      }
      let bytes = try file.read(at: entry.range.lowerBound, count: entry.range.count)
      // A `meta` or `udta` box that cannot be parsed is kept unchanged. A box with `iloc` contains
      // positions in this file, which would be wrong in any other file.
      let box = try? Box.parse(bytes, base: entry.range.lowerBound).first
      if entry.type == "uuid" {
        if box?.isDescriptiveUserBox == true { kept.append((entry.type, bytes)) }
      } else if let box, box.portable == nil {
        lost.append(entry.type)
      } else {
        kept.append((entry.type, box?.portable?.bytes ?? bytes))
      }
    }
    return (kept, lost)
  }
}

extension Box {
  /// The first four bytes of `uuid` types that say how samples are stored, encrypted or shown:
  /// Sony's profiles, PIFF, spherical video. Copies of these boxes would be false in another file.
  private static let technicalUserTypes: Set<[UInt8]> = [
    [0x55, 0x53, 0x4D, 0x54], [0x50, 0x52, 0x4F, 0x46], [0xD0, 0x8A, 0x4F, 0x18],
    [0xA2, 0x39, 0x4F, 0x52], [0x6D, 0x1D, 0x9B, 0x05], [0xD4, 0x80, 0x7E, 0xF2],
    [0xFF, 0xCC, 0x82, 0x63],
  ]

  /// Whether this is a `uuid` box that describes the content, such as XMP.
  package var isDescriptiveUserBox: Bool {
    guard type == "uuid", let userType else { return false }
    return !Self.technicalUserTypes.contains(Array(userType.prefix(4)))
  }

  /// The box for another file, or `nil` for metadata that contains positions in this file (`iloc`).
  package var portable: Box? {
    guard type != "meta" || child("iloc") == nil else { return nil }
    // Readers would mistake movies, tracks and media data inside the box for the file's own.
    var copy = withoutMisplacedBoxes
    copy.children = copy.children.compactMap(\.portable)
    return copy
  }

  /// Whether this is metadata with positions in the file, or contains such metadata.
  private var hasPlaces: Bool { portable == nil || children.contains(where: \.hasPlaces) }

  /// The boxes of a movie or track that describe it.
  fileprivate var descriptions: [Box] {
    children.filter { $0.type == "meta" || $0.type == "udta" }
  }

  /// Whether a movie or track has metadata that cannot be copied to another file.
  fileprivate var losesMetadata: Bool { descriptions.contains(where: \.hasPlaces) }

  /// A track's box, without those of its descriptions that cannot be copied to another file.
  var withPortableMetadata: Box {
    var copy = withoutMisplacedBoxes
    copy.children = copy.children.compactMap { child in
      child.type == "meta" || child.type == "udta" ? child.portable : child
    }
    return copy
  }
}

extension Movie {
  /// The names of metadata in the movie and its tracks that cannot be copied to another file.
  var lostMetadata: [String] {
    let ofTracks = tracks.filter { $0.box.losesMetadata }.map { track in
      "meta of track \(track.header.trackID ?? 0)"
    }
    return (box.losesMetadata ? ["meta"] : []) + ofTracks
  }
}
