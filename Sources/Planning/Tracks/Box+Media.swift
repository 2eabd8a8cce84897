// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF
internal import MediaCore

/// Differences between QuickTime and ISO/IEC 14496-12 in the boxes between `trak` and the samples.
extension Box {
  /// Makes `trak` of a track that is carried over one that the other kind of movie has: `hdlr`, the
  /// media's header and its data reference.
  mutating func adaptMedia(to form: FileType.MovieForm) {
    edit("mdia", "hdlr") { $0.adaptHandler(to: form) }
    edit("mdia", "minf") { minf in
      // QuickTime's second handler says how data references are read (`dhlr`).
      if form == .isoBaseMedia { minf.remove("hdlr") }
      for index in minf.children.indices { minf.children[index].adaptMediaHeader(to: form) }
      minf.edit("dinf", "dref") { dref in
        // Both mean "this file"; an alias is QuickTime's alone.
        for index in dref.children.indices where form == .isoBaseMedia {
          if dref.children[index].type == "alis" { dref.children[index].type = "url " }
        }
      }
    }
  }

  /// The component type and the name: a Pascal string in QuickTime, one that a zero ends in MP4.
  private mutating func adaptHandler(to form: FileType.MovieForm) {
    guard fields.count >= 24 else { return }
    let name = Array(fields[24...])
    let length = Int(name.first ?? 0)
    let isPascal = Array(fields[4..<8]) == Array("mhlr".utf8) && length < name.count
    var text = isPascal ? Array(name.dropFirst().prefix(length)) : name
    if let end = text.firstIndex(of: 0) { text = Array(text[..<end]) }
    let front = Array(fields[..<4])
    let subtype = Array(fields[8..<12])
    switch form {
    case .quickTime:
      text = Array(text.prefix(255))
      fields = front + Array("mhlr".utf8) + subtype + [UInt8](repeating: 0, count: 12)
      fields += [UInt8(text.count)] + text
    case .isoBaseMedia:
      fields = front + [0, 0, 0, 0] + subtype + [UInt8](repeating: 0, count: 12) + text + [0]
    }
  }

  /// `gmhd` with nothing in it but its own general part is `nmhd` in MP4, which has no other; one
  /// with more in it (`tmcd`, `text`) is kept, as cameras and players do.
  private mutating func adaptMediaHeader(to form: FileType.MovieForm) {
    switch (type, form) {
    case ("gmhd", .isoBaseMedia) where children.allSatisfy({ $0.type == "gmin" }):
      self = Box("nmhd", fields: [0, 0, 0, 0])
    case ("nmhd", .quickTime), ("sthd", .quickTime): self = Self.generalMediaHeader()
    default: break
    }
  }

  /// `gmhd` (QuickTime File Format, Base Media Information Header).
  ///
  /// - Parameter children: the boxes that belong to the kind of media.
  static func generalMediaHeader(_ children: [Box] = []) -> Box {
    // Version and flags, copy mode "dither", three colors at half, balance, reserved.
    let general: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0]
    return Box("gmhd", children: [Box("gmin", fields: general)] + children)
  }
}
