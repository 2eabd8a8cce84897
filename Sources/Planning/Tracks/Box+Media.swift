// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF
internal import MediaCore

/// Adapts those boxes of a track that differ between QuickTime and ISO/IEC 14496-12.
extension Box {
  /// Adapts `hdlr`, the media header and the data reference of `trak` to the other kind of movie.
  mutating func adaptMedia(to form: FileType.MovieForm) {
    edit("mdia", "hdlr") { $0.adaptHandler(to: form) }
    edit("mdia", "minf") { minf in
      // QuickTime's second handler says how data references are read (`dhlr`). ISO/IEC 14496-12
      // does not have it.
      if form == .isoBaseMedia { minf.remove("hdlr") }
      for index in minf.children.indices { minf.children[index].adaptMediaHeader(to: form) }
      minf.edit("dinf", "dref") { dref in
        // `alis` and `url ` both mean "this file", but `alis` exists only in QuickTime.
        for index in dref.children.indices where form == .isoBaseMedia {
          if dref.children[index].type == "alis" { dref.children[index].type = "url " }
        }
      }
    }
  }

  /// Adapts the component type and the name.
  private mutating func adaptHandler(to form: FileType.MovieForm) {
    // The name is a Pascal string in QuickTime and zero-terminated in MP4, but files mix the two
    // up. A component type `mhlr` and a plausible length mean a Pascal string.
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

  /// Adapts the media header.
  private mutating func adaptMediaHeader(to form: FileType.MovieForm) {
    switch (type, form) {
    // A plain `gmhd` becomes `nmhd`, its counterpart in MP4. A `gmhd` with a box for its media
    // (`tmcd`, `text`) is kept, because cameras write such boxes into MP4 and players read them.
    case ("gmhd", .isoBaseMedia) where children.allSatisfy({ $0.type == "gmin" }):
      self = Box("nmhd", fields: [0, 0, 0, 0])
    case ("nmhd", .quickTime), ("sthd", .quickTime): self = Self.generalMediaHeader()
    default: break
    }
  }

  /// Makes a `gmhd` box (QuickTime File Format, Base Media Information Header).
  ///
  /// - Parameter children: the boxes for the kind of media.
  static func generalMediaHeader(_ children: [Box] = []) -> Box {
    // Version and flags, copy mode "dither", three colors at half, balance, reserved.
    let general: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0]
    return Box("gmhd", children: [Box("gmin", fields: general)] + children)
  }
}
