// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

extension AffineMap {
  /// Makes a linear map with an offset.
  init(_ map: Matrix3x3, _ offset: Triple = .zero) {
    self.init(
      x: Self.row(map.rows[0], offset.x), y: Self.row(map.rows[1], offset.y),
      z: Self.row(map.rows[2], offset.z))
  }

  /// Returns a row of the map: three weights and an offset.
  private static func row(_ weights: Triple, _ offset: Double) -> SIMD4<Float> {
    // Inverse matrices have rounding errors in places that should be 0. Kernels have shorter
    // functions for exact zeros, as in Y'CbCr to R'G'B'.
    let least = 1e-12 * max(abs(weights.x), abs(weights.y), abs(weights.z))
    return SIMD4<Float>(
      SIMD4(weights.replacing(with: 0, where: weights .< least .& weights .> -least), offset))
  }
}

extension RowOperation {
  /// Makes an operation of a linear map and an offset.
  static func affine(_ map: Matrix3x3, _ offset: Triple) -> RowOperation {
    var operation = RowOperation(.affine)
    operation.map = AffineMap(map, offset)
    return operation
  }

  /// Brings saved components back. For each component, `places` has the index of the saved
  /// component that replaces it, or −1 if the component stays.
  static func restore(_ places: SIMD3<Int>) -> RowOperation {
    var operation = RowOperation(.restore)
    operation.places = places
    return operation
  }

  /// Marks pixels as doubtful if a component is close to a number.
  ///
  /// - Parameter distance: how close. It is multiplied by the largest component if that is more
  ///   than 1.
  static func doubt(around number: Double, _ distance: Double) -> RowOperation {
    var operation = RowOperation(.doubtNear)
    operation.limits = .init(Float(number), Float(distance))
    return operation
  }

  /// Marks pixels as doubtful if their luminance is less than a share of the largest component.
  static func doubt(luminance weights: Triple, below share: Double) -> RowOperation {
    var operation = RowOperation(.doubtLuminance)
    operation.weights = .init(weights)
    operation.scale = Float(share)
    return operation
  }

  /// Marks pixels as doubtful if a component is less than a share of the largest.
  ///
  /// - Parameter slope: the share is at most this number times the largest component.
  static func doubt(below share: Double, slope: Double) -> RowOperation {
    var operation = RowOperation(.doubtSmall)
    operation.limits = .init(Float(share), Float(slope))
    return operation
  }

  /// Marks all pixels as doubtful.
  static var doubtEverything: RowOperation {
    var operation = RowOperation(.doubtOutside)
    // The range is empty, so no component is inside, and each pixel is doubtful.
    operation.limits = .init(1, 0)
    return operation
  }

  /// Limits components to a range.
  static func limit(_ range: ClosedRange<Double>) -> RowOperation {
    var operation = RowOperation(.limit)
    operation.limits = .init(Float(range.lowerBound), Float(range.upperBound))
    return operation
  }

  /// Makes an operation for constant luminance, in one of its two directions.
  static func constantLuminance(_ kind: Kind, _ coding: ConstantLuminance) -> RowOperation {
    var operation = RowOperation(kind)
    operation.blueScale = .init(Float(coding.blueScale.negative), Float(coding.blueScale.positive))
    operation.redScale = .init(Float(coding.redScale.negative), Float(coding.redScale.positive))
    return operation
  }
}

/// A gamut mapping that kernels have an operation for. For other mappings, colors outside the gamut
/// are computed by the definition in double precision.
protocol RowGamutMethod: GamutMethod {
  /// The kernels' operation, with its parameters.
  var operation: RowOperation { get }
  /// Whether the mapping changes each component separately.
  var isByComponent: Bool { get }
}

extension RowGamutMethod {
  var isByComponent: Bool { false }
}

extension ClippedGamut: RowGamutMethod {
  var operation: RowOperation { RowOperation(.limit) }
  var isByComponent: Bool { true }
}

extension DesaturateGamut: RowGamutMethod {
  var operation: RowOperation {
    var operation = RowOperation(.desaturate)
    operation.weights = .init(weights)
    operation.knee = Float(Self.knee)
    return operation
  }
}

extension GamutCompression: RowGamutMethod {
  var operation: RowOperation {
    var operation = RowOperation(.compressGamut)
    if let dimming {
      operation.kind = .compressGamutSoftly
      operation.compression.softness = Float(HighlightDimming.softness)
      operation.compression.restored = Float(HighlightDimming.restored)
      operation.compression.toLMS = AffineMap(dimming.toLMS)
      operation.compression.fromLMS = AffineMap(dimming.fromLMS)
    }
    operation.weights = .init(weights)
    operation.compression.knee = Float(Self.knee)
    operation.compression.bends = .init(bends)
    operation.compression.whitening = Float(Self.whitening)
    return operation
  }
}

extension Matrix3x3 {
  /// Returns the matrix that changes saturation: it multiplies the difference between each
  /// component and their weighted sum by `factor`. The sum stays the same.
  static func saturation(_ factor: Double, _ weights: Triple) -> Matrix3x3 {
    let gray = (1 - factor) * weights
    return Matrix3x3(
      gray + [factor, 0, 0], gray + [0, factor, 0], gray + [0, 0, factor])
  }
}

extension ConstantLuminance {
  /// The matrix from linear luminance, blue and red to R, G, B.
  var luminanceBlueRedToRGB: Matrix3x3 {
    Matrix3x3(
      [0, 0, 1], Triple(1, -weights.z, -weights.x) / weights.y, [0, 1, 0])
  }
}
