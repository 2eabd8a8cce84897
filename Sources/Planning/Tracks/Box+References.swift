// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF

/// References between a movie's tracks (`tref`; ISO/IEC 14496-12, 8.3.3).
extension Box {
  /// Replaces the references of this track of the output with those of a source track.
  ///
  /// - Parameters:
  ///   - numbers: the output's track IDs, keyed by the source's track IDs.
  ///   - chapters: IDs of the source's chapter tracks.
  mutating func moveReferences(
    from source: Box, numbers: [UInt32: UInt32], chapters: Set<UInt32>
  ) {
    remove("tref")
    guard let box = source.references(numbers, chapters) else { return }
    let place = children.lastIndex { $0.type == "tkhd" || $0.type == "edts" }
    children.insert(box, at: place.map { $0 + 1 } ?? 0)
  }

  /// Returns the source track's `tref` for the output, or `nil` if no reference remains.
  private func references(_ numbers: [UInt32: UInt32], _ chapters: Set<UInt32>) -> Box? {
    // Drop references to the track itself and to tracks that the output lacks. Also drop `chap`
    // references to tracks without chapters, because readers would treat such a track as chapters
    // and present neither its frames nor its audio.
    guard var box = child("tref") else { return nil }
    let own = child("tkhd").flatMap { try? HeaderFields($0).trackID }
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

  /// Adds a reference to a track.
  mutating func addReference(_ type: FourCC, to number: UInt32) {
    var writer = ByteWriter()
    writer.append(number)
    var references = child("tref") ?? Box("tref")
    var reference = references.child(type) ?? Box(type)
    reference.fields += writer.bytes
    references.set(reference)
    set(references, behind: ["tkhd", "edts"])
  }
}
