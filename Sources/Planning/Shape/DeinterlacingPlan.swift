// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore
internal import Settings

/// How interlaced frames become progressive ones.
package struct DeinterlacingPlan: Sendable {
  /// Whether each field becomes a frame, which doubles the frame rate.
  let isDoubling: Bool
  /// Whether progressive frames go through unchanged.
  let keepsProgressive: Bool
  let format: PixelFormat
  let size: VideoDimensions
  let isRGB: Bool
  /// The field order of frames that do not declare one.
  let untoldOrder: FieldOrder
  /// Whether deinterlacing certainly happens: the first frame is interlaced, or the mode also
  /// filters progressive frames.
  let isExpected: Bool

  /// - Returns: `nil` if deinterlacing is off.
  init?(_ wanted: VideoSettings.DeinterlaceMode, of source: FrameSource, track: AssetTrack?) {
    guard wanted != .off else { return nil }
    (isDoubling, keepsProgressive) = (wanted == .bob, wanted == .auto)
    (format, size, isRGB) = (source.facts.format, source.facts.size, source.facts.isRGB)
    isExpected = source.facts.fieldOrder != .progressive || wanted != .auto
    // For some codecs, only the container states the field order. Use that order for frames that
    // declare none.
    untoldOrder = track?.fieldOrder(ofDecoded: .progressive) ?? .progressive
  }

  /// The step as text, or `nil` if it is not known yet whether any frame is interlaced.
  var step: String? {
    guard isExpected else { return nil }
    return isDoubling
      ? "make two progressive frames from each frame with bwdif"
      : "make one progressive frame from each "
        + "\(keepsProgressive ? "interlaced " : "")frame with bwdif"
  }

  /// Whether deinterlacing certainly happens, or may happen to frames that declare no fields.
  var touchesAll: Bool { isExpected || untoldOrder != .progressive }

  func makeDeinterlacer() throws(LibAVError) -> Deinterlacer {
    try Deinterlacer(
      format: format, size: size, isRGB: isRGB, isDoubling: isDoubling,
      keepsProgressive: keepsProgressive)
  }

  /// - Throws: ``TranscodingError`` if the filter does not accept frames of this format and size.
  func check() throws {
    // If only later frames are interlaced, the filter is made when they come, so nothing can be
    // checked now.
    guard isExpected else { return }
    do {
      _ = try makeDeinterlacer()
    } catch {
      let (kind, fault): (TranscodingError.Kind, String) =
        error.operation == .findingComponent
        ? (.unavailable, "this system has no \(error.context ?? "bwdif")")
        : (.unusableInput, "\(format), \(size): \(error)")
      throw TranscodingError(
        kind,
        "its frames cannot be deinterlaced (\(fault)); video.deinterlace 'off' keeps them "
          + "interlaced")
    }
  }

  /// Changes a description of frames to describe the deinterlaced frames.
  func change(_ frameSource: inout FrameSource) {
    frameSource.facts = frameSource.facts.changed(fieldOrder: .progressive)
    guard isDoubling else { return }
    // A field lasts half as long as its frame, so it can end between two ticks of the source's
    // timescale.
    let doubled = frameSource.timescale.multipliedReportingOverflow(by: 2)
    if !doubled.overflow { frameSource.timescale = doubled.partialValue }
    let rate = frameSource.frameRate
    frameSource.frameRate = FrameRate(rate.numerator * 2, per: rate.denominator)?.reduced ?? rate
    frameSource.nominalFrameRate = frameSource.nominalFrameRate.map { $0 * 2 }
  }
}
