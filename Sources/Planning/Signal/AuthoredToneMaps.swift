// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import ColorScience
internal import MediaCore

/// The author's tone maps of frames in presentation order. A frame without one has that of the
/// frame before.
struct AuthoredToneMaps {
  private var latest: (payload: [UInt8], toneMap: HeadroomAdaptiveToneMap)?

  /// - Returns: `nil` before the first frame that has one, and if the plan does not follow the
  ///   author.
  mutating func next(
    _ metadata: FrameMetadata, _ plan: ConversionPlan
  ) -> HeadroomAdaptiveToneMap? {
    guard plan.followsAuthor else { return nil }
    // Frames of a shot have the same bytes, which need not be read again.
    if let gain = metadata[HeadroomAdaptiveGain.self], gain.payload != latest?.payload,
      let toneMap = gain.toneMap
    {
      latest = (gain.payload, toneMap)
    }
    return latest?.toneMap
  }
}
