// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// The part of the coded frame that should be shown: the content of a `clap` box (ISO/IEC 14496-12,
/// 12.1.4).
package struct CleanAperture: Hashable, Sendable, CustomStringConvertible {
  /// A number of pixels, possibly fractional.
  package struct Fraction: Hashable, Sendable {
    package let numerator: Int64
    /// The denominator, always above 0.
    package let denominator: Int64

    /// Makes a fraction without reducing it.
    package init(_ numerator: Int64, _ denominator: Int64 = 1) {
      // Do not reduce it, because a box that is not changed must give the same bytes again.
      self.numerator = numerator
      self.denominator = max(denominator, 1)
    }

    /// The fraction as a decimal number.
    package var value: Double { Double(numerator) / Double(denominator) }

    /// Reduces the fraction so that its numbers fit 32 bits, and rounds it if that is not enough.
    private func fitted() -> Fraction {
      var (a, b) = (numerator.magnitude, denominator.magnitude)
      while b != 0 { (a, b) = (b, a % b) }
      var (top, bottom) = (numerator / Int64(max(a, 1)), denominator / Int64(max(a, 1)))
      while max(top.magnitude, bottom.magnitude) > UInt64(Int32.max) {
        (top, bottom) = (top / 2, max(bottom / 2, 1))
      }
      return Fraction(top, bottom)
    }

    /// Returns the fraction times `length` / `other`.
    package func scaled(by length: Int, over other: Int) -> Fraction {
      // Fit both into 32 bits first, so that products of their numbers fit into 64 bits.
      let (own, factor) = (fitted(), Fraction(Int64(length), Int64(max(other, 1))).fitted())
      return Fraction(
        own.numerator * factor.numerator, own.denominator * factor.denominator
      ).fitted()
    }

    /// Returns the fraction plus half of `length`.
    package func adding(halfOf length: Int) -> Fraction {
      let own = fitted()
      return Fraction(2 * own.numerator + Int64(length) * own.denominator, 2 * own.denominator)
        .fitted()
    }
  }

  /// `cleanApertureWidthN` and `cleanApertureWidthD`.
  package let width: Fraction
  /// `cleanApertureHeightN` and `cleanApertureHeightD`.
  package let height: Fraction
  /// `horizOffN` and `horizOffD`: from the center of the frame to the center of the aperture.
  package let horizontalOffset: Fraction
  /// `vertOffN` and `vertOffD`: the same in the vertical direction, above 0 if downward.
  package let verticalOffset: Fraction

  package init(
    width: Fraction, height: Fraction, horizontalOffset: Fraction = Fraction(0),
    verticalOffset: Fraction = Fraction(0)
  ) {
    self.width = width
    self.height = height
    self.horizontalOffset = horizontalOffset
    self.verticalOffset = verticalOffset
  }

  /// The numbers that must be above 0: width, height and all denominators.
  private static let positive = [
    (0, "cleanApertureWidthN"), (1, "cleanApertureWidthD"), (2, "cleanApertureHeightN"),
    (3, "cleanApertureHeightD"), (5, "horizOffD"), (7, "vertOffD"),
  ]

  /// Reads the payload of a `clap` box.
  ///
  /// - Throws: ``ISOBMFFError`` if it is too short, has no area, or has a denominator of 0 or less.
  package init(_ payload: [UInt8]) throws(ISOBMFFError) {
    var reader = ByteReader(payload)
    var numbers: [Int64] = []
    do throws(BitstreamError) {
      // In the standard, all numbers except the offsets are unsigned. Here they are read as signed,
      // so absurdly large numbers become negative and are refused like other negative numbers.
      for _ in 0..<8 { numbers.append(Int64(Int32(bitPattern: try reader.integer()))) }
    } catch {
      throw .shortPayload("clap", error)
    }
    for (index, name) in Self.positive where numbers[index] <= 0 {
      throw .invalidField(
        "clap", field: name, observed: numbers[index], expected: "a number above 0")
    }
    self.init(
      width: Fraction(numbers[0], numbers[1]), height: Fraction(numbers[2], numbers[3]),
      horizontalOffset: Fraction(numbers[4], numbers[5]),
      verticalOffset: Fraction(numbers[6], numbers[7]))
  }

  /// The payload of a `clap` box.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    for fraction in [width, height, horizontalOffset, verticalOffset] {
      writer.append(UInt32(truncatingIfNeeded: fraction.numerator))
      writer.append(UInt32(truncatingIfNeeded: fraction.denominator))
    }
    return writer.bytes
  }

  /// Whether the aperture covers at least one pixel of a frame in each direction.
  package func shows(_ size: VideoDimensions) -> Bool {
    func length(_ span: ClosedRange<Double>, _ side: Int) -> Double {
      min(span.upperBound, Double(side)) - max(span.lowerBound, 0)
    }
    return length(columns(ofWidth: size.width), size.width) >= 1
      && length(rows(ofHeight: size.height), size.height) >= 1
  }

  /// Whether the whole aperture is inside a frame.
  package func isInside(_ size: VideoDimensions) -> Bool {
    let (across, down) = (columns(ofWidth: size.width), rows(ofHeight: size.height))
    return across.lowerBound >= 0 && across.upperBound <= Double(size.width)
      && down.lowerBound >= 0 && down.upperBound <= Double(size.height)
  }

  /// Whether the aperture is inside a frame and its edges cut through no pixel.
  package func isWhole(in size: VideoDimensions) -> Bool {
    let (across, down) = (columns(ofWidth: size.width), rows(ofHeight: size.height))
    let sides = [across.lowerBound, across.upperBound, down.lowerBound, down.upperBound]
    return isInside(size) && sides.allSatisfy { $0 == $0.rounded() }
  }

  /// Returns the columns inside the aperture, in a frame of the given width.
  package func columns(ofWidth width: Int) -> ClosedRange<Double> {
    Self.span(self.width, horizontalOffset, of: width)
  }

  /// Returns the rows inside the aperture, in a frame of the given height.
  package func rows(ofHeight height: Int) -> ClosedRange<Double> {
    Self.span(self.height, verticalOffset, of: height)
  }

  private static func span(
    _ length: Fraction, _ offset: Fraction, of side: Int
  ) -> ClosedRange<Double> {
    let center = Double(side) / 2 + offset.value
    return center - length.value / 2...center + length.value / 2
  }

  /// The size, such as `704×480`, and the offset if there is one.
  package var description: String {
    func text(_ fraction: Fraction) -> String {
      let rounded = (fraction.value * 100).rounded() / 100
      return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
    let size = "\(text(width))×\(text(height))"
    guard horizontalOffset.numerator != 0 || verticalOffset.numerator != 0 else { return size }
    return "\(size), its center moved by \(text(horizontalOffset)), \(text(verticalOffset))"
  }
}

extension SampleEntry {
  /// The clean aperture of the `clap` box; `nil` if there is no such box or if it is invalid.
  package var cleanAperture: CleanAperture? { payload("clap").flatMap { try? CleanAperture($0) } }
}
