// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// Description of frames for a converter: their format and the meaning of their samples.
package struct PictureDescription: Hashable, Sendable {
  /// Color, range and chroma location, as far as they are stated.
  package var signal: SignalDescription
  /// Depth and subsampling.
  package var format: PixelFormat
  /// HDR metadata of the frames: their display, their light levels and the light around them.
  package var staticHDRMetadata = StaticHDRMetadata()
  /// True if rows belong to two fields in turn, so that chroma is resampled in each by itself.
  package var isInterlaced: Bool

  /// A description from its parts.
  package init(
    signal: SignalDescription, format: PixelFormat, isInterlaced: Bool = false
  ) {
    self.signal = signal
    self.format = format
    self.isInterlaced = isInterlaced
  }

  /// True if samples take the full range; an unstated range is read as limited. Samples of RGBA
  /// always do: a range in their attachments is for the Y'CbCr that may be made of them.
  var isFullRange: Bool { format.layout.isRGBA || statesFullRange }

  /// True if the signal states the full range.
  private var statesFullRange: Bool { signal.videoFullRangeFlag ?? false }

  /// True if samples that are made from others take the full range: by their own statement, or
  /// else by that of the others.
  func isFullRange(madeFrom source: PictureDescription) -> Bool {
    format.layout.isRGBA || (signal.videoFullRangeFlag ?? source.statesFullRange)
  }

  /// Location of chroma samples; an unstated location is read as left.
  var chromaLocation: ChromaLocation { signal.chromaLocation ?? .left }

  /// Chroma location of frames that are made from others: the stated one, or else that of the
  /// others. Chroma samples of 4:2:2 lie on luma samples unless another location is stated: no
  /// bitstream of H.264 or H.265 can say otherwise (6.2), and only JPEG has them elsewhere.
  func chromaLocation(madeFrom source: PictureDescription) -> ChromaLocation {
    signal.chromaLocation ?? (format.chromaSubsampling == .cs422 ? .left : source.chromaLocation)
  }

  /// True if samples are R'G'B'.
  var isRGB: Bool { sampleColor.matrixCoefficients == .identity }

  /// Color of the samples: RGBA has no matrix. A matrix in its attachments is for the
  /// Y'CbCr that may be made of it.
  var sampleColor: ColorDescription {
    var color = signal.color
    if format.layout.isRGBA { color.matrixCoefficients = .identity }
    return color
  }
}
