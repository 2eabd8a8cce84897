// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorScience
package import MediaCore

/// One step in the conversion of a frame.
package enum ConversionStep: Hashable, Sendable, CustomStringConvertible {
  /// Interpolates chroma samples to one for each luma sample, in frames or in each field.
  case upsampleChroma(ChromaSubsampling, ChromaLocation, inFields: Bool)
  /// Turns code values into Y'CbCr of a nominal range.
  case dequantize(PixelFormat, isFullRange: Bool)
  /// Turns Dolby Vision's base layer into linear light of BT.2020, in units of 10 000 cd/m².
  /// `middle` is the code value in the middle of chroma, divided by the largest code value.
  case reshape(SignalReshaping, middle: Double)
  /// Turns Y'CbCr into R'G'B'.
  case toRGB(ColorDescription)
  /// Turns R'G'B' into linear light, in units of the transfer function.
  case toLinear(TransferCharacteristics, as: SDRReading)
  /// Turns scene light into display light in cd/m².
  case ootf(LightSystem, ColorPrimaries, peakLuminance: Double, surround: Double)
  /// Multiplies light, to change its unit.
  case scale(Double, reason: String)
  /// Brings display light in cd/m² into a smaller range.
  case toneMap(ToneOperator, reason: String)
  /// Brings display light in cd/m² into a larger range.
  case inverseToneMap(ToneOperator, reason: String)
  /// Moves linear light to other primaries.
  case changePrimaries(from: ColorPrimaries, to: ColorPrimaries)
  /// Brings colors into the gamut of these primaries.
  case mapGamut(GamutMap, ColorPrimaries)
  /// Turns display light in cd/m² into scene light.
  case inverseOOTF(LightSystem, ColorPrimaries, peakLuminance: Double)
  /// Turns linear light into R'G'B'.
  case toSignal(TransferCharacteristics, as: SDRReading)
  /// Turns R'G'B' into Y'CbCr.
  case fromRGB(ColorDescription)
  /// Turns linear light of BT.2020, in units of a transfer function, into I, Ct and Cp of that
  /// function, without R'G'B' in between.
  case lightToICtCp(ICtCp)
  /// Filters chroma samples and keeps fewer of them.
  case downsampleChroma(ChromaSubsampling, ChromaLocation, inFields: Bool)
  /// Turns Y'CbCr into code values.
  case quantize(PixelFormat, isFullRange: Bool, ConversionOptions.Dither)

  /// The step in a few words.
  package var description: String {
    switch self {
    case .upsampleChroma(let subsampling, let location, let inFields):
      "interpolate chroma from \(subsampling.rawValue), \(location)" + Self.fields(inFields)
    case .dequantize(let format, let full): "read \(Self.codes(format, full))"
    case .reshape: "reshape to light with BT.2020 primaries by each frame's Dolby Vision RPU"
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
    // Most curves have only one reading, so name it only if it changes something.
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
