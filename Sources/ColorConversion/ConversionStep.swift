public import CodePoints
public import ColorScience
public import MediaCore

/// One thing that is done to a picture on its way.
public enum ConversionStep: Hashable, Sendable, CustomStringConvertible {
  /// Chroma samples are interpolated to one for each luma sample.
  case upsampleChroma(ChromaSubsampling, ChromaLocation)
  /// Code values become Y'CbCr of a nominal range.
  case dequantize(PixelFormat, isFullRange: Bool)
  /// Y'CbCr becomes R'G'B'.
  case toRGB(MatrixCoefficients, ColorPrimaries)
  /// R'G'B' becomes linear light, in units of the transfer function.
  case toLinear(TransferCharacteristics, as: SDRReading)
  /// HLG's scene light becomes display light in cd/m².
  case hlgOOTF(peakLuminance: Double)
  /// Light is multiplied, to change its unit.
  case scale(Double, reason: String)
  /// The tone curve.
  case toneMap(MaxRGBReinhard)
  /// Linear light moves to other primaries.
  case changePrimaries(from: ColorPrimaries, to: ColorPrimaries)
  /// Colors are brought into the gamut.
  case mapGamut(GamutMapping, ColorPrimaries)
  /// Display light in cd/m² becomes HLG's scene light.
  case inverseHLGOOTF(peakLuminance: Double)
  /// Linear light becomes R'G'B'.
  case toSignal(TransferCharacteristics, as: SDRReading)
  /// R'G'B' becomes Y'CbCr.
  case fromRGB(MatrixCoefficients, ColorPrimaries)
  /// Chroma samples are filtered and left out.
  case downsampleChroma(ChromaSubsampling, ChromaLocation)
  /// Y'CbCr becomes code values.
  case quantize(PixelFormat, isFullRange: Bool, Dither)

  /// The step in a few words.
  public var description: String {
    switch self {
    case .upsampleChroma(let subsampling, let location):
      "interpolate chroma from \(subsampling.rawValue), \(location)"
    case .dequantize(let format, let full): "read \(Self.codes(format, full))"
    case .toRGB(let matrix, _): "Y'CbCr to R'G'B' by \(matrix)"
    case .toLinear(let transfer, let reading):
      "signal to light by \(Self.function(transfer, reading))"
    case .hlgOOTF(let peak): "HLG OOTF for a display of \(Self.plain(peak)) cd/m²"
    case .scale(_, let reason): reason
    case .toneMap(let curve):
      "tone map by maxRGB Reinhard from \(Self.plain(curve.maxInput)) to "
        + "\(Self.plain(curve.maxOutput)) times white"
    case .changePrimaries(let from, let to): "primaries from \(from) to \(to)"
    case .mapGamut(let mapping, let primaries):
      "gamut mapping '\(mapping.rawValue)' into \(primaries)"
    case .inverseHLGOOTF(let peak):
      "inverse HLG OOTF for a display of \(Self.plain(peak)) cd/m²"
    case .toSignal(let transfer, let reading):
      "light to signal by \(Self.function(transfer, reading))"
    case .fromRGB(let matrix, _): "R'G'B' to Y'CbCr by \(matrix)"
    case .downsampleChroma(let subsampling, let location):
      "reduce chroma to \(subsampling.rawValue), \(location)"
    case .quantize(let format, let full, let dither):
      "write \(Self.codes(format, full))"
        + (dither == .none ? "" : " with \(dither.rawValue) dither")
    }
  }

  private static func function(
    _ transfer: TransferCharacteristics, _ reading: SDRReading
  ) -> String {
    let isUsual = ComponentTransfer(transfer) == ComponentTransfer(transfer, as: reading)
    return isUsual ? "\(transfer)" : "\(transfer) as '\(reading.rawValue)'"
  }

  private static func codes(_ format: PixelFormat, _ isFull: Bool) -> String {
    switch format.layout {
    case .planar: "\(format.bitDepth)-bit \(isFull ? "full" : "limited") range"
    case .biPlanar: "\(format.bitDepth)-bit \(isFull ? "full" : "limited") range, bi-planar"
    case .halfRGBA: format.layout.rawValue
    }
  }

  private static func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\((value * 1000).rounded() / 1000)"
  }
}
