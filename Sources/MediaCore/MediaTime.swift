/// A point or span of time as a rational number, the way media files state it; Core Media's
/// `CMTime` without its flags.
public struct MediaTime: Hashable, Sendable, Comparable {
  /// The count of ticks.
  public var value: Int64
  /// Ticks a second, above 0.
  public var timescale: Int32

  /// A time of `value` ticks at `timescale` ticks a second.
  public init(value: Int64, timescale: Int32) {
    precondition(timescale > 0, "a timescale is above 0")
    self.value = value
    self.timescale = timescale
  }

  /// Zero.
  public static let zero = MediaTime(value: 0, timescale: 1)

  /// The time in seconds, rounded to a `Double`.
  public var seconds: Double { Double(value) / Double(timescale) }

  /// The same instant in another timescale, rounded to the nearest tick, halves away from zero;
  /// a time that does not fit is clamped.
  public func converted(to newTimescale: Int32) -> MediaTime {
    guard newTimescale != timescale else { return self }
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

  /// Whether two times are the same number of seconds, whatever their timescales.
  public func isSameInstant(as other: MediaTime) -> Bool {
    !(self < other) && !(other < self)
  }

  /// Compares instants exactly, by cross multiplication.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
    let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
    return a.high == b.high ? a.low < b.low : a.high < b.high
  }
}
