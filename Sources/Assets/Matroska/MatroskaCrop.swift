// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
internal import MediaCore

/// The rows and columns of a video track that are not to be seen, and the shape of a sample, as
/// Matroska states them (RFC 9559, 5.1.4.1.28): the size on the screen is that of what is left.
struct MatroskaCrop {
  /// The rows and columns.
  let crop: DemuxedTrack.Crop
  /// The shape of a sample; nil where only a size without a meaning is stated.
  let ratio: PixelAspectRatio?

  private enum ID {
    static let cropBottom: UInt32 = 0x54AA
    static let cropTop: UInt32 = 0x54BB
    static let cropLeft: UInt32 = 0x54CC
    static let cropRight: UInt32 = 0x54DD
    static let displayWidth: UInt32 = 0x54B0
    static let displayHeight: UInt32 = 0x54BA
    static let displayUnit: UInt32 = 0x54B2
  }

  /// The unit "unknown" of sizes on the screen.
  private static let unknownUnit: UInt64 = 4

  /// - Returns: nil where nothing is cropped, or all.
  init?(_ video: EBMLContent, of size: VideoDimensions) {
    func side(_ id: UInt32) -> Int { Int(clamping: video.number(id) ?? 0) }
    crop = DemuxedTrack.Crop(
      top: side(ID.cropTop), bottom: side(ID.cropBottom), left: side(ID.cropLeft),
      right: side(ID.cropRight))
    func rest(_ length: Int, _ one: Int, _ other: Int) -> Int? {
      guard one < length, other < length - one else { return nil }
      return length - one - other
    }
    guard let width = rest(size.width, crop.left, crop.right),
      let height = rest(size.height, crop.top, crop.bottom),
      width < size.width || height < size.height
    else { return nil }
    // Without, the size is that of what is left.
    let shown = (
      Int(clamping: video.number(ID.displayWidth) ?? UInt64(width)),
      Int(clamping: video.number(ID.displayHeight) ?? UInt64(height))
    )
    let limit = 1 << 24
    guard (video.number(ID.displayUnit) ?? 0) < Self.unknownUnit, (1...limit).contains(shown.0),
      (1...limit).contains(shown.1)
    else {
      ratio = nil
      return
    }
    ratio = Self.reduced(shown.0 * height, shown.1 * width)
  }

  private static func reduced(_ one: Int, _ other: Int) -> PixelAspectRatio? {
    var (a, b) = (one, other)
    while b != 0 { (a, b) = (b, a % b) }
    return PixelAspectRatio(horizontalSpacing: one / max(a, 1), verticalSpacing: other / max(a, 1))
  }
}
