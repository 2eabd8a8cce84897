// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorScience
package import MediaCore

/// One thing that is done to a frame on its way.
package enum ConversionStep: Hashable, Sendable, CustomStringConvertible {
  /// Chroma samples are interpolated to one for each luma sample, in frames or in each field.
  case upsampleChroma(ChromaSubsampling, ChromaLocation, inFields: Bool)
  /// Code values become Y'CbCr of a nominal range.
  case dequantize(PixelFormat, isFullRange: Bool)
  /// Y'CbCr becomes R'G'B'.
  case toRGB(ColorDescription)
  /// R'G'B' becomes linear light, in units of the transfer function.
  case toLinear(TransferCharacteristics, as: SDRReading)
  /// Scene light becomes display light in cd/m².
  case ootf(LightSystem, ColorPrimaries, peakLuminance: Double, surround: Double)
  /// Light is multiplied, to change its unit.
  case scale(Double, reason: String)
  /// Display light in cd/m² is brought into a smaller range.
  case toneMap(ToneOperator, reason: String)
  /// Display light in cd/m² is brought into a larger range.
  case inverseToneMap(ToneOperator, reason: String)
  /// Linear light moves to other primaries.
  case changePrimaries(from: ColorPrimaries, to: ColorPrimaries)
  /// Colors are brought into the gamut.
  case mapGamut(GamutMap, ColorPrimaries)
  /// Display light in cd/m² becomes scene light.
  case inverseOOTF(LightSystem, ColorPrimaries, peakLuminance: Double)
  /// Linear light becomes R'G'B'.
  case toSignal(TransferCharacteristics, as: SDRReading)
  /// R'G'B' becomes Y'CbCr.
  case fromRGB(ColorDescription)
  /// Linear light of BT.2020 in units of a transfer function becomes its I, Ct, Cp without being
  /// R'G'B' on the way.
  case lightToICtCp(ICtCp)
  /// Chroma samples are filtered and left out.
  case downsampleChroma(ChromaSubsampling, ChromaLocation, inFields: Bool)
  /// Y'CbCr becomes code values.
  case quantize(PixelFormat, isFullRange: Bool, ConversionOptions.Dither)

  /// The step in a few words.
  package var description: String {
    switch self {
    case .upsampleChroma(let subsampling, let location, let inFields):
      "interpolate chroma from \(subsampling.rawValue), \(location)" + Self.fields(inFields)
    case .dequantize(let format, let full): "read \(Self.codes(format, full))"
    case .toRGB(let color) where color.matrixCoefficients == .identity:
      "samples are R'G'B', \(color.matrixCoefficients)"
    case .toRGB(let color): "Y'CbCr to R'G'B' by \(color.matrixCoefficients)"
    case .toLinear(let transfer, let reading):
      "signal to light by \(Self.function(transfer, reading))"
    case .ootf(let system, _, let peak, let surround):
      "\(system.name) OOTF for a display of \(Self.plain(peak)) cd/m²"
        + (surround == HLG.referenceSurround
          ? "" : " in a surround of \(Self.plain(surround)) cd/m²")
    case .scale(_, let reason), .toneMap(_, let reason), .inverseToneMap(_, let reason): reason
    case .changePrimaries(let from, let to): "primaries from \(from) to \(to)"
    case .mapGamut(let map, let primaries): "gamut mapping '\(map.name)' into \(primaries)"
    case .inverseOOTF(let system, _, let peak):
      "inverse \(system.name) OOTF for a display of \(Self.plain(peak)) cd/m²"
    case .toSignal(let transfer, let reading):
      "light to signal by \(Self.function(transfer, reading))"
    case .fromRGB(let color) where color.matrixCoefficients == .identity:
      "R'G'B' as samples, \(color.matrixCoefficients)"
    case .fromRGB(let color): "R'G'B' to Y'CbCr by \(color.matrixCoefficients)"
    case .lightToICtCp: "light to ICtCp"
    case .downsampleChroma(let subsampling, let location, let inFields):
      "reduce chroma to \(subsampling.rawValue), \(location)" + Self.fields(inFields)
    case .quantize(let format, let full, let dither):
      "write \(Self.codes(format, full))"
        + (dither == .none ? "" : " with \(dither.rawValue) dither")
    }
  }

  private static func fields(_ inFields: Bool) -> String { inFields ? ", in each field" : "" }

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
    case .halfRGBA, .rgba, .bgra: format.description
    }
  }

  static func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\((value * 1000).rounded() / 1000)"
  }
}
