// SPDX-License-Identifier: GPL-2.0-or-later
/// Three numbers, most often the components of a color.
package typealias Triple = SIMD3<Double>

extension Triple {
  /// Applies a function to each component.
  package func componentwise(_ function: (Double) -> Double) -> Triple {
    Triple(function(x), function(y), function(z))
  }
}

/// A matrix of three rows and columns, for linear maps between colors.
package struct Matrix3x3: Hashable, Sendable {
  private let first: Triple
  private let second: Triple
  private let third: Triple

  /// The three rows, from the first to the last.
  package var rows: [Triple] { [first, second, third] }

  package init(_ first: Triple, _ second: Triple, _ third: Triple) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  /// Maps each color to itself.
  package static let identity = Matrix3x3([1, 0, 0], [0, 1, 0], [0, 0, 1])

  /// Makes a matrix that is 0 except on its diagonal.
  package static func diagonal(_ values: Triple) -> Matrix3x3 {
    Matrix3x3([values.x, 0, 0], [0, values.y, 0], [0, 0, values.z])
  }

  /// Returns the column with this index, from 0 to 2.
  package func column(_ index: Int) -> Triple {
    Triple(first[index], second[index], third[index])
  }

  /// Applies a matrix to a color.
  package static func * (matrix: Matrix3x3, color: Triple) -> Triple {
    Triple(
      (matrix.first * color).sum(), (matrix.second * color).sum(), (matrix.third * color).sum())
  }

  /// Returns the matrix that applies `right` first and then `left`.
  package static func * (left: Matrix3x3, right: Matrix3x3) -> Matrix3x3 {
    let (a, b, c) = (left * right.column(0), left * right.column(1), left * right.column(2))
    return Matrix3x3(Triple(a.x, b.x, c.x), Triple(a.y, b.y, c.y), Triple(a.z, b.z, c.z))
  }

  /// The matrix that undoes this one, whose determinant must not be 0.
  package var inverse: Matrix3x3 {
    let (a, b, c) = (first, second, third)
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

extension Triple {
  /// Limits every component to a range. NaN counts as 0.
  func contained(in range: ClosedRange<Double>) -> Triple {
    Triple(
      Self.limit(x, to: range), Self.limit(y, to: range), Self.limit(z, to: range))
  }

  private static func limit(_ x: Double, to range: ClosedRange<Double>) -> Double {
    // `min` and `max` of a NaN depend on the order of arguments, so it is replaced first.
    let number = x.isNaN ? 0 : x
    return Swift.min(Swift.max(number, range.lowerBound), range.upperBound)
  }
}

/// The largest magnitude of a curve's input and result.
let containedLimit = 1e9

/// Returns a number that curves can work with: 0 (black) for NaN, and at most ``containedLimit`` in
/// magnitude.
func contained(_ x: Double) -> Double {
  // The limit is far beyond the value of any sample (half floats end at 65 504), and small enough
  // that sums and products of colors stay finite.
  x.isNaN ? 0 : min(max(x, -containedLimit), containedLimit)
}
