// SPDX-License-Identifier: GPL-2.0-or-later
/// A point or span of time as a rational number, the way media files state it; Core Media's
/// `CMTime` without its flags.
///
/// A time whose timescale is not above 0 is no time: it is invalid, as in Core Media, and so is
/// all that is computed from it. What takes a time throws an error of kind `invalidSettings` then.
///
/// A time is at most 2⁶¹ ticks from zero, and what would be farther is clamped to that, whether it
/// is stated or computed: files state any number, and a sum of three such times is a number still.
public struct MediaTime: Hashable, Sendable, Comparable {
  /// The most ticks between a time and zero.
  package static let mostTicks: Int64 = 1 << 61

  /// The count of ticks.
  public var value: Int64
  /// Ticks a second, above 0 in times that are valid.
  public var timescale: Int32

  /// A time of `value` ticks at `timescale` ticks a second; ``invalid`` unless these are above 0.
  public init(value: Int64, timescale: Int32) {
    let limited = min(max(value, -Self.mostTicks), Self.mostTicks)
    (self.value, self.timescale) = timescale > 0 ? (limited, timescale) : (0, 0)
  }

  /// A time in seconds, rounded to the nearest tick, halves away from zero. It is ``invalid`` for
  /// a number that is not finite, and clamped if it is too long.
  public init(seconds: Double, preferredTimescale: Int32) {
    let ticks = (seconds * Double(preferredTimescale)).rounded()
    let most = Double(Self.mostTicks)
    self =
      ticks.isFinite
      ? MediaTime(value: Int64(min(max(ticks, -most), most)), timescale: preferredTimescale)
      : .invalid
  }

  /// Zero.
  public static let zero = MediaTime(value: 0, timescale: 1)

  /// No time (`kCMTimeInvalid`).
  public static let invalid = MediaTime(value: 0, timescale: 0)

  /// True if it is a time: its timescale is above 0.
  public var isValid: Bool { timescale > 0 }

  /// The time in seconds, rounded to a `Double`; NaN if it is invalid.
  public var seconds: Double { isValid ? Double(value) / Double(timescale) : .nan }
  /// The time in seconds, rounded to thousandths, for messages.
  package var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }

  /// The same instant in another timescale, rounded to the nearest tick, halves away from zero;
  /// a time that does not fit is clamped. Invalid for a timescale that is not above 0.
  public func converted(to newTimescale: Int32) -> MediaTime {
    guard newTimescale != timescale else { return self }
    guard isValid, newTimescale > 0 else { return .invalid }
    let product = value.magnitude.multipliedFullWidth(by: UInt64(newTimescale))
    let divisor = UInt64(timescale)
    guard product.high < divisor else {
      return MediaTime(value: value < 0 ? .min : .max, timescale: newTimescale)
    }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    let rounded = quotient &+ (remainder * 2 >= divisor ? 1 : 0)
    let limited = Int64(clamping: rounded)
    return MediaTime(value: value < 0 ? -limited : limited, timescale: newTimescale)
  }

  /// True if two times are the same instant, or both invalid. Their timescales may differ.
  public static func == (left: MediaTime, right: MediaTime) -> Bool {
    !(left < right) && !(right < left)
  }

  /// Equal for equal instants.
  public func hash(into hasher: inout Hasher) {
    guard isValid else { return hasher.combine(0) }
    let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    hasher.combine(value / Int64(divisor))
    hasher.combine(UInt64(timescale) / divisor)
  }

  /// Compares instants exactly, by cross multiplication. What is invalid is after all others.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    guard left.isValid, right.isValid else { return left.isValid && !right.isValid }
    let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
    let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
    return a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension MediaTime {
  /// The sum of two times, exact where their timescales have a common multiple that fits, and
  /// otherwise rounded to the finer of the two timescales.
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    combine(left, right) { $0.addingReportingOverflow($1) }
  }

  /// The difference of two times, as exact as the sum.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    combine(left, right) { $0.subtractingReportingOverflow($1) }
  }

  private static func combine(
    _ left: MediaTime, _ right: MediaTime,
    _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> MediaTime {
    guard left.isValid, right.isValid else { return .invalid }
    let timescale = commonTimescale(left.timescale, right.timescale)
    let result = operation(
      left.converted(to: timescale).value, right.converted(to: timescale).value)
    let limit = result.partialValue < 0 ? Int64.max : Int64.min
    return MediaTime(value: result.overflow ? limit : result.partialValue, timescale: timescale)
  }

  /// The least common multiple, or the larger one where that does not fit.
  package static func commonTimescale(_ left: Int32, _ right: Int32) -> Int32 {
    if left == right { return left }
    let multiple = Int64(left / greatestCommonDivisor(left, right)) * Int64(right)
    return Int32(exactly: multiple) ?? max(left, right)
  }
}

/// The greatest common divisor of two numbers above 0.
func greatestCommonDivisor<Number: BinaryInteger>(_ left: Number, _ right: Number) -> Number {
  var (a, b) = (left, right)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

/// Frames a second as a rational number: 30000/1001.
package struct FrameRate: Hashable, Sendable {
  /// Frames in `denominator` seconds, above 0.
  package var numerator: Int
  /// The seconds, above 0.
  package var denominator: Int

  /// A rate of `numerator` frames in `denominator` seconds; nil unless both are above 0.
  package init?(_ numerator: Int, per denominator: Int = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A whole number of frames a second, above 0; smaller numbers become 1.
  package init(framesPerSecond: Int) {
    numerator = max(framesPerSecond, 1)
    denominator = 1
  }

  /// The same rate in lowest terms.
  package var reduced: FrameRate {
    let divisor = greatestCommonDivisor(numerator, denominator)
    return FrameRate(numerator / divisor, per: denominator / divisor) ?? self
  }

  /// Frames a second, rounded to a `Double`.
  package var framesPerSecond: Double { Double(numerator) / Double(denominator) }
}
