// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF

/// The references of a movie's tracks to each other (`tref`; ISO/IEC 14496-12, 8.3.3), in the
/// numbers that its tracks have in the output.
struct TrackReferences: Sendable {
  /// The output's numbers of tracks, by those of the source.
  private let numbers: [UInt32: UInt32]

  /// References between tracks that are in the output.
  ///
  /// - Parameter numbers: the output's numbers of tracks, by those of the source.
  init(_ numbers: [UInt32: UInt32]) { self.numbers = numbers }

  /// `tref` of a track of the source for the output, without references to tracks that it lacks;
  /// nil where nothing is left.
  func box(of trak: Box) -> Box? {
    guard var box = trak.child("tref") else { return nil }
    box.children = box.children.compactMap { reference in
      var reader = ByteReader(reference.fields)
      var writer = ByteWriter()
      while let number = try? reader.integer(UInt32.self) {
        if let new = numbers[number] { writer.append(new) }
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
