// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorScience
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Gives the frames of a source and an output the same size. It crops the source's frames if the
/// output was cropped, and scales the output's frames if their size differs.
struct FrameFit {
  /// The size at which frames are compared.
  let size: VideoDimensions
  /// Whether the output's frames are scaled.
  let isScaled: Bool
  /// The formats for which the fit was made: the source's, then the output's.
  let formats: [PixelFormat]
  private let sizes: [VideoDimensions]

  private let cropper: FrameScaler?
  private let scaler: FrameScaler?

  /// - Throws: ``LibAVError`` if frames cannot be scaled.
  init(_ source: AssetTrack, _ one: PixelBuffer, _ other: PixelBuffer) throws {
    (formats, sizes) = ([one.format, other.format], [one.size, other.size])
    let part = Self.part(of: source, one.size, other.size)
    size = part.size
    isScaled = other.size != part.size
    cropper =
      part.size == one.size
      ? nil
      : try FrameScaler(
        format: one.format, signal: one.attachments.signal,
        geometry: .init(
          source: part, target: PixelRectangle(whole: part.size), size: part.size))
    scaler =
      isScaled
      ? try FrameScaler(
        format: other.format, signal: other.attachments.signal,
        geometry: .init(
          source: PixelRectangle(whole: other.size),
          target: PixelRectangle(whole: part.size), size: part.size)) : nil
  }

  /// Returns the part of the source's frames that the output shows.
  private static func part(
    of track: AssetTrack, _ source: VideoDimensions, _ output: VideoDimensions
  ) -> PixelRectangle {
    let whole = PixelRectangle(whole: source)
    guard source != output, output.width <= source.width, output.height <= source.height
    else { return whole }
    if let aperture = track.cleanAperture {
      let x = aperture.columns(ofWidth: source.width).lowerBound
      let y = aperture.rows(ofHeight: source.height).lowerBound
      let isSame =
        // A crop to the clean aperture rounds its edges to whole chroma samples.
        abs(aperture.width.value - Double(output.width)) < 2
        && abs(aperture.height.value - Double(output.height)) < 2
      if isSame {
        return PixelRectangle(
          x: min(max(Int(x.rounded(.up)), 0), source.width - output.width),
          y: min(max(Int(y.rounded(.up)), 0), source.height - output.height),
          width: output.width, height: output.height)
      }
    }
    // 4:2:0 needs even sizes, so an odd column or row may have been cut off.
    let cut = (source.width - output.width, source.height - output.height)
    return (0...1).contains(cut.0) && (0...1).contains(cut.1)
      ? PixelRectangle(whole: output) : whole
  }

  /// Whether frames have the formats and sizes that the fit was made for.
  func fits(_ one: PixelBuffer, _ other: PixelBuffer) -> Bool {
    formats == [one.format, other.format] && sizes == [one.size, other.size]
  }

  /// Returns the part of a source frame that is compared.
  func source(_ frame: PixelBuffer) throws -> PixelBuffer { try cropper?.scale(frame) ?? frame }

  /// Returns an output frame, scaled to the size of the compared part.
  func output(_ frame: PixelBuffer) throws -> PixelBuffer { try scaler?.scale(frame) ?? frame }
}

extension SignalDescription {
  /// Returns why code values of two signals have different meanings, or `nil` if they mean the
  /// same.
  func difference(from other: SignalDescription, _ subsampling: ChromaSubsampling) -> String? {
    if !color.completed().meansTheSame(as: other.color.completed()) { return "the colors differ" }
    // As everywhere in Candela, an unstated range counts as limited, and an unstated chroma
    // location as left.
    if (videoFullRangeFlag ?? false) != (other.videoFullRangeFlag ?? false) {
      return "the ranges differ"
    }
    let isSameLocation =
      subsampling != .cs420 || (chromaLocation ?? .left) == (other.chromaLocation ?? .left)
    return isSameLocation ? nil : "the chroma locations differ"
  }
}
