// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore
internal import RowOperations

extension ConversionPlan {
  /// Returns the quantization of a component's code values in the source.
  func sourceQuantization(ofComponent component: Int) -> Quantization {
    source.quantization(ofComponent: component)
  }

  /// Returns the quantization of a component's code values in the target.
  func targetQuantization(ofComponent component: Int) -> Quantization {
    target.quantization(
      ofComponent: component, isFullRange: target.isFullRange(madeFrom: source))
  }

  /// Returns the map from a component's code values in the source to those in the target.
  func requantization(ofComponent component: Int) -> Requantization {
    let (from, to) = (
      sourceQuantization(ofComponent: component), targetQuantization(ofComponent: component)
    )
    let gain = to.scale / from.scale
    return (Float(gain), Float(to.offset - from.offset * gain))
  }
}

/// A linear map from code values to those of another depth or range.
typealias Requantization = (gain: Float, offset: Float)

extension FrameDescription {
  /// Returns the quantization of a component's code values.
  func quantization(ofComponent component: Int) -> Quantization {
    quantization(ofComponent: component, isFullRange: isFullRange)
  }

  fileprivate func quantization(ofComponent component: Int, isFullRange: Bool) -> Quantization {
    format.layout == .halfRGBA
      ? .number
      : Quantization(
        component: component, of: sampleColor.matrixCoefficients, isFullRange: isFullRange,
        bitDepth: format.bitDepth)
  }
}

extension SampleLayout {
  /// Finds how the samples of one component are stored in frames of a format.
  init(_ format: PixelFormat, component: Int) {
    let kind: SampleKind =
      switch format.layout {
      case .halfRGBA: .half
      // P010 and similar formats keep their bits at the top of a word.
      case .biPlanar where format.bitDepth > 8: .word(shift: UInt16(16 - format.bitDepth))
      case .planar, .biPlanar, .rgba, .bgra:
        format.bytesPerSample == 1 ? .byte : .word(shift: 0)
      }
    self.init(kind: kind, stride: format.place(ofComponent: component).stride)
  }
}
