// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

@Suite struct BoxEditorTests {
  private static func edited(
    _ bytes: [UInt8], _ change: (inout Box) throws(ISOBMFFError) -> Void = { _ in }
  ) throws -> [UInt8] {
    let source = MemoryByteSource(bytes)
    var editor = try BoxEditor(source)
    try editor.edit(change)
    var sink = MemorySink(source: source)
    try editor.write(to: &sink, movieFirst: true)
    return sink.bytes
  }

  /// Returns the bytes that each chunk offset points to.
  private static func chunks(_ file: [UInt8]) throws -> [[UInt8]] {
    let movie = try Movie(MemoryByteSource(file))
    return try movie.tracks.flatMap { track in
      let stbl = try #require(track.box.first("mdia", "minf", "stbl"))
      let (table, width) = stbl.child("stco").map { ($0, 4) } ?? (stbl.child("co64")!, 8)
      return stride(from: 8, to: table.fields.count, by: width).map { place in
        let offset = table.fields[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
        return Array(file[offset..<min(offset + 16, file.count)])
      }
    }
  }

  /// The movie box goes to the front, and every chunk offset still points to its data.
  @Test(
    .needsSharedMedia,
    arguments: [
      "hdr/androidx__dolbyVision-hdr.MOV", "hdr/androidx__sample_edit_list.mp4",
      "sdr/androidx__bt601.mov", "sdr/format-corpus__apple-prores-422-proxy.mov",
      "sdr/androidx__sample_with_chapters.mp4",
    ])
  func chunkOffsetsMoveWithTheirData(name: String) throws {
    let before = try SharedMedia.bytes(name)
    let after = try Self.edited(before) { moov in
      moov.children.append(Box("free", fields: [UInt8](repeating: 1, count: 5000)))
    }
    #expect(try Self.chunks(after) == Self.chunks(before))
    let types = try TopLevelBoxes(MemoryByteSource(after)).entries.map(\.type)
    #expect(Array(types.prefix(2)) == ["ftyp", "moov"])
  }

  @Test func fragmentsAreRefused() throws {
    let file = Box("moov").bytes + Box("moof").bytes
    #expect(throws: ISOBMFFError.fragmented) { try Self.edited(file) }
  }
}
