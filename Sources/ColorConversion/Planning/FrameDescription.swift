// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorScience
package import MediaCore

/// What a converter knows about frames: their format and what their samples mean.
package struct FrameDescription: Hashable, Sendable {
  /// Color, range and chroma location, if they are declared.
  package var signal: SignalDescription
  /// Depth, subsampling and layout in memory.
  package var format: PixelFormat
  /// The frames' static HDR metadata, such as mastering display and light levels.
  package var staticHDRMetadata = StaticHDRMetadata()
  /// Whether rows alternate between two fields, so that chroma is resampled in each field
  /// separately.
  package var isInterlaced: Bool
  /// Whether samples are a Dolby Vision base layer that has to be reshaped. If so, ``signal`` has
  /// the color of the reshaped frames.
  package var needsReshaping = false
  /// The tone map of the first frames that carry one. Later frames can carry others.
  package var toneMap: HeadroomAdaptiveToneMap?

  package init(
    signal: SignalDescription, format: PixelFormat, isInterlaced: Bool = false
  ) {
    self.signal = signal
    self.format = format
    self.isInterlaced = isInterlaced
  }

  /// Whether samples use the full range. A range that is not declared is read as limited.
  var isFullRange: Bool { format.layout.isRGBA || statesFullRange }

  /// Whether the signal declares the full range.
  private var statesFullRange: Bool { signal.videoFullRangeFlag ?? false }

  /// Whether samples use the full range if they are made from those of a source. Without a declared
  /// range, they keep the source's range.
  func isFullRange(madeFrom source: FrameDescription) -> Bool {
    // RGBA always uses the full range. A range in its attachments is for Y'CbCr that might be made
    // from it.
    format.layout.isRGBA || (signal.videoFullRangeFlag ?? source.statesFullRange)
  }

  /// The code value in the middle of chroma, divided by the number of code values between chroma's
  /// signals −0.5 and 0.5: 512/1023 for full range of 10 bits.
  var chromaMiddle: Double {
    let chroma = Quantization(
      isChroma: true, isFullRange: isFullRange, bitDepth: format.bitDepth)
    return chroma.offset / chroma.scale
  }

  /// Where chroma samples are. A location that is not declared is read as left.
  var chromaLocation: ChromaLocation { signal.chromaLocation ?? .left }

  /// Returns the chroma location of these frames if they are made from frames of a source. Without
  /// a declared location, they keep the source's location, but frames of 4:2:2 get "left".
  func chromaLocation(madeFrom source: FrameDescription) -> ChromaLocation {
    // Without a declared location, chroma samples of 4:2:2 are at the positions of luma samples.
    // Bitstreams of H.264 and H.265 cannot say otherwise (6.2), and only JPEG puts them elsewhere.
    signal.chromaLocation ?? (format.chromaSubsampling == .cs422 ? .left : source.chromaLocation)
  }

  /// Whether samples are R'G'B'.
  var isRGB: Bool { sampleColor.matrixCoefficients == .identity }

  /// The color of the samples, with the samples' own matrix.
  var sampleColor: ColorDescription {
    // RGBA has no matrix. A matrix in its attachments is for Y'CbCr that might be made from it.
    var color = signal.color
    if format.layout.isRGBA { color.matrixCoefficients = .identity }
    return color
  }
}
