// SPDX-License-Identifier: GPL-2.0-or-later
/// A point or span of time as a rational number, as in media files: Core Media's `CMTime` without
/// its flags.
///
/// A time whose timescale is not above 0 is invalid, as in Core Media, and so is every time that is
/// computed from it. Functions that need a valid time throw an error of kind `invalidSettings` if
/// they get an invalid one.
///
/// A time is at most 2⁶¹ ticks from zero. Longer times are clamped, whether they are read or
/// computed.
public struct MediaTime: Hashable, Sendable, Comparable {
  // Files can contain any number. With this limit, the sum of three times still fits into 64 bits.
  /// The largest distance between a time and zero, in ticks.
  package static let mostTicks: Int64 = 1 << 61

  /// How many ticks the time is from zero.
  public var value: Int64
  /// The timescale, in ticks a second; above 0 if the time is valid.
  public var timescale: Int32

  /// Makes a time of `value` ticks at `timescale` ticks a second. It is ``invalid`` if `timescale`
  /// is not above 0.
  public init(value: Int64, timescale: Int32) {
    let limited = min(max(value, -Self.mostTicks), Self.mostTicks)
    (self.value, self.timescale) = timescale > 0 ? (limited, timescale) : (0, 0)
  }

  /// Makes a time from seconds, rounded to the nearest tick, halves away from zero. It is
  /// ``invalid`` if the number is not finite, and clamped if it is too long.
  public init(seconds: Double, preferredTimescale: Int32) {
    let ticks = (seconds * Double(preferredTimescale)).rounded()
    // `Int64` traps on a `Double` that does not fit, so the ticks are clamped first.
    let most = Double(Self.mostTicks)
    self =
      ticks.isFinite
      ? MediaTime(value: Int64(min(max(ticks, -most), most)), timescale: preferredTimescale)
      : .invalid
  }

  /// The time zero, with a timescale of 1.
  public static let zero = MediaTime(value: 0, timescale: 1)

  /// No time (`kCMTimeInvalid`).
  public static let invalid = MediaTime(value: 0, timescale: 0)

  /// Whether the timescale is above 0.
  public var isValid: Bool { timescale > 0 }

  /// Whether the time is a number. Every valid time is a number, because times cannot be infinite
  /// here.
  public var isNumeric: Bool { isValid }

  /// The time in seconds, rounded to a `Double`; NaN if it is invalid.
  public var seconds: Double { isValid ? Double(value) / Double(timescale) : .nan }
  /// The time in seconds, rounded to thousandths, for messages.
  package var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }

  /// Returns the same instant in another timescale, rounded to the nearest tick, halves away from
  /// zero. A time that does not fit is clamped. The result is invalid if this time is invalid or
  /// `newTimescale` is not above 0.
  public func converted(to newTimescale: Int32) -> MediaTime {
    guard newTimescale != timescale else { return self }
    guard isValid, newTimescale > 0 else { return .invalid }
    // The product of ticks (62 bits) and a timescale (31 bits) needs more than 64 bits.
    let product = value.magnitude.multipliedFullWidth(by: UInt64(newTimescale))
    let divisor = UInt64(timescale)
    // `dividingFullWidth` traps if the quotient has more than 64 bits.
    guard product.high < divisor else {
      return MediaTime(value: value < 0 ? .min : .max, timescale: newTimescale)
    }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    let rounded = quotient &+ (remainder * 2 >= divisor ? 1 : 0)
    let limited = Int64(clamping: rounded)
    return MediaTime(value: value < 0 ? -limited : limited, timescale: newTimescale)
  }

  /// Returns whether two times are the same instant, or both invalid. Their timescales may differ.
  public static func == (left: MediaTime, right: MediaTime) -> Bool {
    !(left < right) && !(right < left)
  }

  /// Hashes the fraction in lowest terms, so that equal instants have equal hashes.
  public func hash(into hasher: inout Hasher) {
    // All invalid times are equal to each other, whatever their ticks.
    guard isValid else { return hasher.combine(0) }
    let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    hasher.combine(value / Int64(divisor))
    hasher.combine(UInt64(timescale) / divisor)
  }

  /// Compares instants exactly, by cross multiplication. Invalid times come after all others.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    guard left.isValid, right.isValid else { return left.isValid && !right.isValid }
    let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
    let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
    return a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension MediaTime {
  /// Returns the sum of two times. It is exact if their timescales have a common multiple that fits
  /// into 32 bits. Otherwise it is rounded to the finer of the two timescales.
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    combine(left, right) { $0.addingReportingOverflow($1) }
  }

  /// Returns the difference of two times, as exact as the sum.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    combine(left, right) { $0.subtractingReportingOverflow($1) }
  }

  /// Returns a multiple of a time (`CMTimeMultiply`), clamped if it does not fit.
  public static func * (time: MediaTime, multiplier: Int32) -> MediaTime {
    guard time.isValid else { return .invalid }
    let (product, overflow) = time.value.multipliedReportingOverflow(by: Int64(multiplier))
    // A product that overflows can have either sign, so only the signs of the factors show the true
    // sign.
    let isNegative = (time.value < 0) != (multiplier < 0)
    let limit = isNegative ? Int64.min : Int64.max
    return MediaTime(value: overflow ? limit : product, timescale: time.timescale)
  }

  private static func combine(
    _ left: MediaTime, _ right: MediaTime,
    _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> MediaTime {
    guard left.isValid, right.isValid else { return .invalid }
    let timescale = commonTimescale(left.timescale, right.timescale)
    let result = operation(
      left.converted(to: timescale).value, right.converted(to: timescale).value)
    // A sum can overflow because `value` can be set beyond the initializer's limit. The overflowing
    // sum has the wrong sign, so the limit with the opposite sign is used.
    let limit = result.partialValue < 0 ? Int64.max : Int64.min
    return MediaTime(value: result.overflow ? limit : result.partialValue, timescale: timescale)
  }

  /// Returns the least common multiple of two timescales, or the larger one if that does not fit.
  package static func commonTimescale(_ left: Int32, _ right: Int32) -> Int32 {
    if left == right { return left }
    let multiple = Int64(left / greatestCommonDivisor(left, right)) * Int64(right)
    return Int32(exactly: multiple) ?? max(left, right)
  }
}

/// Returns the greatest common divisor of two numbers above 0.
func greatestCommonDivisor<Number: BinaryInteger>(_ left: Number, _ right: Number) -> Number {
  var (a, b) = (left, right)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

/// A frame rate in frames a second, as a rational number: 30000/1001.
public struct FrameRate: Hashable, Sendable {
  /// The number of frames in `denominator` seconds, above 0.
  public package(set) var numerator: Int
  /// The number of seconds for `numerator` frames, above 0.
  public package(set) var denominator: Int

  /// Makes a rate of `numerator` frames in `denominator` seconds; `nil` unless both are above 0.
  public init?(_ numerator: Int, per denominator: Int = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Makes a rate of a whole number of frames a second. Numbers below 1 become 1.
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
  public var framesPerSecond: Double { Double(numerator) / Double(denominator) }
}

extension MediaTime {
  /// The time in seconds as a reduced fraction, which is the same for equal times: `1001/30000 s`.
  package var fraction: String {
    var (a, b) = (value.magnitude, UInt64(timescale))
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int64(clamping: max(a, 1))
    let (top, bottom) = (value / divisor, Int64(timescale) / divisor)
    return bottom == 1 ? "\(top) s" : "\(top)/\(bottom) s"
  }
}
