// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Statements of a sample entry about video for two eyes: `lhvC` (ISO/IEC 14496-15, 9.5.3), `vexu`
/// and `hfov` (Apple, ISO Base Media File Format and Apple HEVC Stereo Video), `st3d` and `sv3d`
/// (Spherical Video V2).
package struct SpatialVideo: Hashable, Sendable {
  /// The boxes, in their order.
  package let boxes: [FourCC]

  /// True if a frame has a second layer, of MV-HEVC.
  package var hasSecondLayer: Bool { boxes.contains("lhvC") }
  /// True if both eyes are said to be there.
  package let hasBothEyes: Bool
  /// True if both eyes are in one frame, side by side or one above the other: a `pack` in `vexu`,
  /// or an `st3d` that does not say "monoscopic" (0).
  package let isPacked: Bool
  /// The horizontal field of view in degrees; nil where it is not stated.
  package let horizontalFieldOfView: Double?

  private static let types: Set<FourCC> = ["lhvC", "vexu", "hfov", "st3d", "sv3d"]

  /// Reads a sample entry; nil for one that has none of the boxes.
  package init?(_ entry: SampleEntry) {
    boxes = entry.boxes.map(\.type).filter(Self.types.contains)
    guard !boxes.isEmpty else { return nil }
    let eyes = Self.child("eyes", of: entry.payload("vexu"))
    let views = Self.child("stri", of: eyes).flatMap { $0.count > 4 ? $0[4] : nil }
    hasBothEyes = views.map { $0 & 3 == 3 } ?? false
    let stereoMode = entry.payload("st3d").flatMap { $0.count > 4 ? $0[4] : nil } ?? 0
    isPacked = Self.child("pack", of: entry.payload("vexu")) != nil || stereoMode > 0
    var reader = ByteReader(entry.payload("hfov") ?? [])
    horizontalFieldOfView = (try? reader.integer(UInt32.self)).map { Double($0) / 1000 }
  }

  private static func child(_ type: FourCC, of payload: [UInt8]?) -> [UInt8]? {
    payload.flatMap { try? Box.parse($0) }?.first { $0.type == type }?.fields
  }
}
