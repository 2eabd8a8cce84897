// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// What a sample entry says about stereoscopic or spherical video: `lhvC` (ISO/IEC 14496-15,
/// 9.5.3), `vexu` and `hfov` (Apple, ISO Base Media File Format and Apple HEVC Stereo Video),
/// `st3d` and `sv3d` (Spherical Video V2).
package struct SpatialVideo: Hashable, Sendable {
  /// The types of these boxes that the entry has, in the entry's order.
  package let boxes: [FourCC]

  /// Whether frames have a second layer, as in MV-HEVC.
  package var hasSecondLayer: Bool { boxes.contains("lhvC") }
  /// Whether `vexu` declares views for both eyes.
  package let hasBothEyes: Bool
  /// Whether both eyes share one frame, side by side or one above the other.
  package let isPacked: Bool
  /// The horizontal field of view in degrees.
  package let horizontalFieldOfView: Double?

  private static let types: Set<FourCC> = ["lhvC", "vexu", "hfov", "st3d", "sv3d"]

  /// Reads a sample entry. Returns `nil` if it has none of these boxes.
  package init?(_ entry: SampleEntry) {
    boxes = entry.boxes.map(\.type).filter(Self.types.contains)
    guard !boxes.isEmpty else { return nil }
    let eyes = Self.child("eyes", of: entry.payload("vexu"))
    // In the first byte after version and flags, bits 0 and 1 say that there are views for the left
    // and the right eye.
    let views = Self.child("stri", of: eyes).flatMap { $0.count > 4 ? $0[4] : nil }
    hasBothEyes = views.map { $0 & 3 == 3 } ?? false
    let stereoMode = entry.payload("st3d").flatMap { $0.count > 4 ? $0[4] : nil } ?? 0
    // `pack` describes the arrangement. `st3d` gives a number, and 0 means monoscopic.
    isPacked = Self.child("pack", of: entry.payload("vexu")) != nil || stereoMode > 0
    var reader = ByteReader(entry.payload("hfov") ?? [])
    horizontalFieldOfView = (try? reader.integer(UInt32.self)).map { Double($0) / 1000 }
  }

  private static func child(_ type: FourCC, of payload: [UInt8]?) -> [UInt8]? {
    payload.flatMap { try? Box.parse($0) }?.first { $0.type == type }?.fields
  }
}
