// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore
internal import Settings

/// Plan that makes whole frames of interlaced ones.
package struct DeinterlacingPlan: Sendable {
  let mode: Deinterlacer.Mode
  let format: PixelFormat
  let size: VideoDimensions
  let isRGB: Bool
  /// The order of fields of frames that do not tell it themselves.
  let untoldOrder: FieldOrder
  /// True if the first frame is interlaced, or if frames that are not are changed too.
  let isExpected: Bool

  /// - Returns: nil where nothing is to be done.
  init?(_ wanted: DeinterlaceMode, of source: PictureSource, track: AssetTrack?) {
    guard wanted != .off else { return nil }
    mode = Deinterlacer.Mode(isDoubling: wanted == .bob, keepsProgressive: wanted == .auto)
    (format, size, isRGB) = (source.facts.format, source.facts.size, source.facts.isRGB)
    isExpected = source.facts.fieldOrder != .progressive || wanted != .auto
    untoldOrder = track?.fieldOrder(ofDecoded: .progressive) ?? .progressive
  }

  /// The step, for people; nil where frames only later are interlaced, if any.
  var step: String? {
    guard isExpected else { return nil }
    return mode.isDoubling
      ? "make two whole frames of each by bwdif"
      : "make one whole frame of each \(mode.keepsProgressive ? "interlaced " : "")frame by bwdif"
  }

  /// True if it is not left to frames to say whether they are interlaced.
  var touchesAll: Bool { isExpected || untoldOrder != .progressive }

  func makeDeinterlacer() throws(LibAVError) -> Deinterlacer {
    try Deinterlacer(format: format, size: size, isRGB: isRGB, mode: mode)
  }

  /// - Throws: ``TranscodingError`` where the filter does not take the frames.
  func check() throws {
    // Fields that begin only later are found then.
    guard isExpected else { return }
    do {
      _ = try makeDeinterlacer()
    } catch {
      throw TranscodingError(
        .unusableInput,
        "its frames, \(format), \(size), cannot be deinterlaced (\(error)); video.deinterlace "
          + "'off' keeps them interlaced")
    }
  }

  /// Changes the description of frames to that of deinterlaced ones.
  func change(_ pictures: inout PictureSource) {
    pictures.facts = pictures.facts.changed(fieldOrder: .progressive)
    guard mode.isDoubling else { return }
    let doubled = pictures.timescale.multipliedReportingOverflow(by: 2)
    if !doubled.overflow { pictures.timescale = doubled.partialValue }
    let rate = pictures.frameRate
    pictures.frameRate = FrameRate(rate.numerator * 2, per: rate.denominator)?.reduced ?? rate
    pictures.nominalFrameRate = pictures.nominalFrameRate.map { $0 * 2 }
  }
}
