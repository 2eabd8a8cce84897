/// Three numbers: the components of a color.
public typealias Triple = SIMD3<Double>

extension Triple {
  /// A function applied to each component.
  public func componentwise(_ function: (Double) -> Double) -> Triple {
    Triple(function(x), function(y), function(z))
  }
}

/// A matrix of three rows and columns, for linear maps between colors.
public struct Matrix3x3: Hashable, Sendable {
  /// The rows.
  public var rows: [Triple]

  /// A matrix from its rows.
  public init(_ first: Triple, _ second: Triple, _ third: Triple) {
    rows = [first, second, third]
  }

  /// The matrix that changes nothing.
  public static let identity = Matrix3x3([1, 0, 0], [0, 1, 0], [0, 0, 1])

  /// A matrix with numbers on its diagonal alone.
  public static func diagonal(_ values: Triple) -> Matrix3x3 {
    Matrix3x3([values.x, 0, 0], [0, values.y, 0], [0, 0, values.z])
  }

  /// A column.
  public func column(_ index: Int) -> Triple {
    Triple(rows[0][index], rows[1][index], rows[2][index])
  }

  /// The matrix applied to a color.
  public static func * (matrix: Matrix3x3, color: Triple) -> Triple {
    Triple(
      (matrix.rows[0] * color).sum(), (matrix.rows[1] * color).sum(),
      (matrix.rows[2] * color).sum())
  }

  /// The matrix that applies `right` first and `left` then.
  public static func * (left: Matrix3x3, right: Matrix3x3) -> Matrix3x3 {
    let columns = (0..<3).map { left * right.column($0) }
    return Matrix3x3(
      Triple(columns[0].x, columns[1].x, columns[2].x),
      Triple(columns[0].y, columns[1].y, columns[2].y),
      Triple(columns[0].z, columns[1].z, columns[2].z))
  }

  /// The matrix that undoes this one, which must have a determinant other than 0.
  public var inverse: Matrix3x3 {
    let (a, b, c) = (rows[0], rows[1], rows[2])
    let x = Self.cross(b, c)
    let y = Self.cross(c, a)
    let z = Self.cross(a, b)
    let determinant = (a * x).sum()
    return Matrix3x3(
      Triple(x.x, y.x, z.x) / determinant, Triple(x.y, y.y, z.y) / determinant,
      Triple(x.z, y.z, z.z) / determinant)
  }

  private static func cross(_ a: Triple, _ b: Triple) -> Triple {
    Triple(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
