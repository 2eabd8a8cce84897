// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
internal import MediaCore

extension EBMLContent {
  /// The value of `DisplayUnit` if the unit of the size on the screen is unknown.
  private static let unknownUnit: Int64 = 4

  /// Returns the rows and columns that a video track hides, and the shape of a sample (RFC 9559,
  /// 5.1.4.1.28).
  ///
  /// - Returns: `nil` if nothing is cropped or nothing is left. The shape of a sample is `nil` if
  ///   the unit of the size on the screen is unknown.
  func crop(
    of size: VideoDimensions
  ) -> (crop: DemuxedTrack.Crop, ratio: PixelAspectRatio?)? {
    func side(_ field: EBMLField) -> Int { Int(number(field) ?? 0) }
    let crop = DemuxedTrack.Crop(
      top: side(.cropTop), bottom: side(.cropBottom), left: side(.cropLeft),
      right: side(.cropRight))
    func rest(_ length: Int, _ one: Int, _ other: Int) -> Int? {
      guard one < length, other < length - one else { return nil }
      return length - one - other
    }
    guard let width = rest(size.width, crop.left, crop.right),
      let height = rest(size.height, crop.top, crop.bottom),
      width < size.width || height < size.height
    else { return nil }
    guard (number(.displayUnit) ?? 0) < Self.unknownUnit else { return (crop, nil) }
    // The size on the screen is that of the cropped frame. Together with the number of samples that
    // are left, it gives the shape of a sample. If the file states no size on the screen, samples
    // are square.
    let shown = (
      number(.displayWidth).map { Int($0) } ?? width,
      number(.displayHeight).map { Int($0) } ?? height
    )
    return (crop, Self.reduced(shown.0 * height, shown.1 * width))
  }

  private static func reduced(_ one: Int, _ other: Int) -> PixelAspectRatio? {
    var (a, b) = (one, other)
    while b != 0 { (a, b) = (b, a % b) }
    return PixelAspectRatio(horizontalSpacing: one / max(a, 1), verticalSpacing: other / max(a, 1))
  }
}
