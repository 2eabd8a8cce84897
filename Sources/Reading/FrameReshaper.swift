// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorScience
internal import ColorTagging
package import LibAV
internal import MediaCore

/// Turns frames of a Dolby Vision base layer that means nothing by itself into PQ of BT.2020, by
/// their RPUs.
package final class FrameReshaper {
  private let converter: FrameConverter
  private let source: VideoFacts
  private var latest: SignalReshaping

  /// - Returns: `nil` if the track's frames need no reshaping, or cannot be reshaped.
  package init?(_ track: AssetTrack) {
    guard let source = track.video, let shown = source.reshaped,
      let unit = source.hdrMetadata.dolbyVisionRPU, let first = SignalReshaping(unit)
    else { return nil }
    var base = FrameDescription(signal: shown.tags.signal, format: source.format)
    base.signal.videoFullRangeFlag = true
    base.needsReshaping = true
    let target = FrameDescription(signal: shown.tags.signal, format: shown.format)
    guard let plan = try? ConversionPlan(from: base, to: target) else { return nil }
    converter = FrameConverter(
      plan: plan, width: source.size.width, height: source.size.height)
    (self.source, latest) = (source, first)
  }

  /// Reshapes a frame, and makes its RPU one for the result. Pass frames in presentation order.
  ///
  /// - Returns: `false` if the frame has no RPU that can be used, and was reshaped like the one
  ///   before.
  package func reshape(_ frame: inout DecodedFrame) -> Bool {
    let unit = frame.metadata[DolbyVisionRPU.self]?.unit
    let own = unit.flatMap { SignalReshaping($0, after: latest) }
    if let own { latest = own }
    // A RPU that cannot be used for these frames is none for the result either.
    frame.metadata[DolbyVisionRPU.self] =
      own == nil ? nil : frame.metadata[DolbyVisionRPU.self]?.forReshapedFrames
    let picture = frame.pixelBuffer
    // A frame of another kind has other metadata than the first one, and is refused later.
    guard picture.format == source.format, picture.size == source.size else { return true }
    frame.pixelBuffer = converter.convert(picture, reshaping: latest)
    return own != nil
  }
}
