// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Finds the delay of a signal behind another, in samples.
enum CrossCorrelation {
  /// The delay at which two signals are most alike, in samples, positive where the second is later;
  /// nil where one of them is silent.
  ///
  /// - Parameters:
  ///   - first: samples; as many as of the other.
  ///   - limit: the largest delay, at most the number of samples.
  static func delay(of second: [Float], behind first: [Float], limit: Int) -> Int? {
    var size = 1
    while size < first.count + limit { size *= 2 }
    guard let one = transform(first, size), let other = transform(second, size) else { return nil }
    // The spectrum of the correlation is that of one signal, conjugated, times that of the other.
    var product = [Complex](repeating: Complex(0, 0), count: size)
    for index in 0..<size {
      let (a, b) = (one[index], other[index])
      product[index] = Complex(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x)
    }
    transform(&product, inverse: true)
    let values = (-limit...limit).map { product[$0 >= 0 ? $0 : size + $0].x }
    guard let best = values.max() else { return nil }
    // A tone is like itself after each period: of peaks that are as high, the nearest is meant.
    return values.indices.filter { index in
      values[index] >= best - abs(best) * 1e-3 && values[index] >= values[max(index - 1, 0)]
        && values[index] >= values[min(index + 1, values.count - 1)]
    }.map { $0 - limit }.min { abs($0) < abs($1) }
  }

  private static func transform(_ samples: [Float], _ size: Int) -> [Complex]? {
    guard samples.contains(where: { abs($0) > 1e-5 }) else { return nil }
    var spectrum = samples.map { Complex(Double($0), 0) }
    spectrum += [Complex](repeating: Complex(0, 0), count: size - samples.count)
    transform(&spectrum, inverse: false)
    return spectrum
  }

  /// The discrete Fourier transform of Cooley and Tukey, by powers of two, in place; the inverse is
  /// not divided by their count.
  private static func transform(_ numbers: inout [Complex], inverse: Bool) {
    let count = numbers.count
    reorder(&numbers)
    var length = 2
    while length <= count {
      let angle = (inverse ? 2 : -2) * Double.pi / Double(length)
      let factors = (0..<length / 2).map {
        Complex(cos(angle * Double($0)), sin(angle * Double($0)))
      }
      for start in stride(from: 0, to: count, by: length) {
        for index in 0..<length / 2 {
          let (a, b) = (numbers[start + index], numbers[start + index + length / 2])
          let factor = factors[index]
          let turned = Complex(
            b.x * factor.x - b.y * factor.y, b.x * factor.y + b.y * factor.x)
          numbers[start + index] = a + turned
          numbers[start + index + length / 2] = a - turned
        }
      }
      length *= 2
    }
  }

  /// Exchanges numbers whose indices have the same bits in reverse.
  private static func reorder(_ numbers: inout [Complex]) {
    var other = 0
    for index in 1..<max(numbers.count, 1) {
      var bit = numbers.count / 2
      while other & bit != 0 {
        other ^= bit
        bit /= 2
      }
      other |= bit
      if index < other { numbers.swapAt(index, other) }
    }
  }
}

/// A number with a real and an imaginary part.
typealias Complex = SIMD2<Double>
