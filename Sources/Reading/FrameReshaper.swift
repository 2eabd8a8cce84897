// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorScience
internal import ColorTagging
internal import LibAV
internal import MediaCore

/// Turns frames of a Dolby Vision base layer into BT.2020 PQ with the help of their RPUs. Without
/// the RPUs, the colors of such a base layer mean nothing.
final class FrameReshaper {
  private let source: VideoFacts
  private let shown: VideoFacts
  private let plan: ConversionPlan
  /// The converter is made when the first frame is reshaped here. Most frames are not reshaped
  /// here, because a conversion reshapes them later, or because a survey does not need them
  /// reshaped.
  private lazy var converter = FrameConverter(
    plan: plan, width: source.size.width, height: source.size.height)
  private var latest: SignalReshaping

  /// - Returns: `nil` if the track's frames need no reshaping, or cannot be reshaped.
  init?(_ track: AssetTrack) {
    guard let source = track.video, let shown = source.reshaped,
      let unit = source.hdrMetadata.dolbyVisionRPU, let first = SignalReshaping(unit)
    else { return nil }
    var base = FrameDescription(signal: shown.tags.signal, format: source.format)
    base.signal.videoFullRangeFlag = true
    base.needsReshaping = true
    let target = FrameDescription(signal: shown.tags.signal, format: shown.format)
    guard let plan = try? ConversionPlan(from: base, to: target) else { return nil }
    (self.source, self.shown, self.plan, latest) = (source, shown, plan, first)
  }

  /// Records how a frame has to be reshaped, and replaces its RPU and its tags with those of the
  /// result. Pass frames in presentation order.
  ///
  /// A frame whose size or format differs from the first frame's keeps its tags and is not
  /// reshaped. The function then returns `true`.
  ///
  /// - Returns: `false` if the frame has no RPU that can be used. The frame is then reshaped like
  ///   the frame before it.
  func prepare(_ picture: inout PixelBuffer, _ metadata: inout FrameMetadata) -> Bool {
    let hasOwn = follow(&metadata)
    // A frame whose size or format differs from the first frame's is refused later.
    guard picture.format == source.format, picture.size == source.size else { return true }
    var attachments = picture.attachments
    attachments.signal = shown.tags.signal
    picture = picture.withAttachments(attachments)
    metadata.pendingReshaping = latest
    return hasOwn
  }

  /// Remembers how a frame is reshaped, in case the next frame has no RPU that can be used.
  /// Replaces the frame's RPU with that of the result.
  ///
  /// - Returns: `false` if the frame itself has no RPU that can be used.
  @discardableResult
  func follow(_ metadata: inout FrameMetadata) -> Bool {
    let unit = metadata[DolbyVisionRPU.self]?.unit
    let own = unit.flatMap { SignalReshaping($0, after: latest) }
    if let own { latest = own }
    // An RPU that cannot be used for these frames is of no use for the result either.
    metadata[DolbyVisionRPU.self] =
      own == nil ? nil : metadata[DolbyVisionRPU.self]?.forReshapedFrames
    return own != nil
  }

  /// Reshapes a frame that was prepared.
  func reshape(_ picture: inout PixelBuffer, _ metadata: inout FrameMetadata) {
    guard let reshaping = metadata.pendingReshaping else { return }
    picture = converter.convert(picture, reshaping: reshaping)
    metadata.pendingReshaping = nil
  }
}
