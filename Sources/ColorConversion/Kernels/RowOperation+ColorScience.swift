internal import ColorScience
internal import RowOperations

extension AffineMap {
  /// A linear map and an offset.
  init(_ map: Matrix3x3, _ offset: Triple = .zero) {
    self.init(
      x: SIMD4<Float>(SIMD4(map.rows[0], offset.x)), y: SIMD4<Float>(SIMD4(map.rows[1], offset.y)),
      z: SIMD4<Float>(SIMD4(map.rows[2], offset.z)))
  }
}

extension RowOperation {
  /// A gamut mapping; nil for those that kernels have no operation for.
  init?(_ map: GamutMap) {
    switch map {
    case .clip: self = .limit
    case .desaturate(let gamut):
      self = .desaturate(weights: .init(gamut.weights), knee: Float(DesaturateGamut.knee))
    case .hueLinear(let gamut):
      self = .compressChroma(
        HueCompression(
          toLMS: AffineMap(gamut.rgbToLMS), toRGB: AffineMap(gamut.lmsToRGB),
          lightnessWeights: .init(HueLinearGamut.lightnessWeights), knee: Float(gamut.knee),
          tolerance: Float(HueLinearGamut.tolerance)))
    case .bt2407: return nil
    }
  }
}

extension ConstantLuminanceScales {
  init(_ coding: ConstantLuminance) {
    self.init(
      blue: .init(Float(coding.blueScale.negative), Float(coding.blueScale.positive)),
      red: .init(Float(coding.redScale.negative), Float(coding.redScale.positive)))
  }
}

extension ConstantLuminance {
  /// From linear luminance, blue and red to R, G, B.
  var luminanceBlueRedToRGB: Matrix3x3 {
    Matrix3x3(
      [0, 0, 1], Triple(1, -weights.z, -weights.x) / weights.y, [0, 1, 0])
  }
}
