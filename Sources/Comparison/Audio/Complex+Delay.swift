// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

extension [Float] {
  /// Returns how many samples later this signal is than another one: the delay at which the two
  /// match best. Returns `nil` if one of them is silent.
  ///
  /// - Parameters:
  ///   - first: the other signal, with as many samples as this one.
  ///   - limit: the largest delay, at most the number of samples.
  func delay(behind first: [Float], limit: Int) -> Int? {
    // A Fourier transform is periodic. Without room for the largest delay, the end of one signal
    // would overlap the beginning of the other.
    var size = 1
    while size < first.count + limit { size *= 2 }
    guard let one = first.spectrum(size), let other = spectrum(size) else { return nil }
    // To correlate the signals, multiply one spectrum by the complex conjugate of the other.
    // Without spectra, correlation would take time that grows with the square of the length.
    var product = [Complex](repeating: Complex(0, 0), count: size)
    for index in 0..<size {
      let (a, b) = (one[index], other[index])
      product[index] = Complex(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x)
    }
    product.transform(inverse: true)
    let values = (-limit...limit).map { product[$0 >= 0 ? $0 : size + $0].x }
    guard let best = values.max() else { return nil }
    // A tone resembles itself after each period. So, if several peaks are equal, take the one with
    // the smallest delay.
    return values.indices.filter { index in
      values[index] >= best - abs(best) * 1e-3
        && values[index] >= values[Swift.max(index - 1, 0)]
        && values[index] >= values[Swift.min(index + 1, values.count - 1)]
    }.map { $0 - limit }.min { abs($0) < abs($1) }
  }

  private func spectrum(_ size: Int) -> [Complex]? {
    guard contains(where: { abs($0) > 1e-5 }) else { return nil }
    var spectrum = map { Complex(Double($0), 0) }
    spectrum += [Complex](repeating: Complex(0, 0), count: size - count)
    spectrum.transform(inverse: false)
    return spectrum
  }
}

/// A complex number: real and imaginary part.
private typealias Complex = SIMD2<Double>

extension [Complex] {
  /// Computes the Fourier transform in place by Cooley and Tukey's algorithm. The count must be a
  /// power of two. The result of the inverse transform is not divided by the count.
  fileprivate mutating func transform(inverse: Bool) {
    reorder()
    var length = 2
    while length <= count {
      let angle = (inverse ? 2 : -2) * Double.pi / Double(length)
      let factors = (0..<length / 2).map {
        Complex(cos(angle * Double($0)), sin(angle * Double($0)))
      }
      for start in stride(from: 0, to: count, by: length) {
        for index in 0..<length / 2 {
          let (a, b) = (self[start + index], self[start + index + length / 2])
          let factor = factors[index]
          let turned = Complex(
            b.x * factor.x - b.y * factor.y, b.x * factor.y + b.y * factor.x)
          self[start + index] = a + turned
          self[start + index + length / 2] = a - turned
        }
      }
      length *= 2
    }
  }

  /// Swaps the numbers whose indices are bit reversals of each other.
  private mutating func reorder() {
    var other = 0
    for index in 1..<Swift.max(count, 1) {
      var bit = count / 2
      while other & bit != 0 {
        other ^= bit
        bit /= 2
      }
      other |= bit
      if index < other { swapAt(index, other) }
    }
  }
}
