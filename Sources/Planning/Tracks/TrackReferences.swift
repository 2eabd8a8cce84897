// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF

/// The references of a movie's tracks to each other (`tref`; ISO/IEC 14496-12, 8.3.3), in the
/// numbers that its tracks have in the output.
struct TrackReferences: Sendable {
  /// The output's numbers of tracks, by those of the source.
  private let numbers: [UInt32: UInt32]
  /// The source's tracks of chapters.
  private let chapters: Set<UInt32>

  /// References between tracks that are in the output.
  ///
  /// - Parameters:
  ///   - numbers: the output's numbers of tracks, by those of the source.
  ///   - chapters: the source's tracks of chapters.
  init(_ numbers: [UInt32: UInt32], chapters: Set<UInt32>) {
    (self.numbers, self.chapters) = (numbers, chapters)
  }

  /// `tref` of a track of the source for the output, without references to tracks that it lacks,
  /// to itself, and to chapters that are none: readers take such a track for no picture and no
  /// sound. Nil where nothing is left.
  func box(of trak: Box) -> Box? {
    guard var box = trak.child("tref") else { return nil }
    let own = trak.child("tkhd").flatMap { try? HeaderFields($0).trackID }
    box.children = box.children.compactMap { reference in
      var reader = ByteReader(reference.fields)
      var writer = ByteWriter()
      while let number = try? reader.integer(UInt32.self) {
        let isMeant =
          number != own && (reference.type != "chap" || chapters.contains(number))
        if isMeant, let new = numbers[number] { writer.append(new) }
      }
      return writer.bytes.isEmpty ? nil : Box(reference.type, fields: writer.bytes)
    }
    box.trailer = []
    return box.children.isEmpty ? nil : box
  }

  /// Puts the references of a track of the source into a track of the output.
  func move(from source: Box, to trak: inout Box) {
    trak.remove("tref")
    guard let box = box(of: source) else { return }
    let place = trak.children.lastIndex { $0.type == "tkhd" || $0.type == "edts" }
    trak.children.insert(box, at: place.map { $0 + 1 } ?? 0)
  }

  /// Adds a reference to a track.
  static func add(_ type: FourCC, to number: UInt32, in trak: inout Box) {
    var writer = ByteWriter()
    writer.append(number)
    var references = trak.child("tref") ?? Box("tref")
    var reference = references.child(type) ?? Box(type)
    reference.fields += writer.bytes
    references.set(reference)
    trak.set(references, behind: ["tkhd", "edts"])
  }
}
