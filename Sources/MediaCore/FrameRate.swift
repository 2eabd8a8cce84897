/// Frames a second as a rational number: 30000/1001.
public struct FrameRate: Hashable, Sendable {
  /// Frames in `denominator` seconds, above 0.
  public var numerator: Int
  /// The seconds, above 0.
  public var denominator: Int

  /// A rate of `numerator` frames in `denominator` seconds; nil unless both are above 0.
  public init?(_ numerator: Int, per denominator: Int = 1) {
    guard numerator > 0, denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A whole number of frames a second, above 0; 1 in place of what is below.
  public init(framesPerSecond: Int) {
    numerator = max(framesPerSecond, 1)
    denominator = 1
  }

  /// Frames a second, rounded to a `Double`.
  public var framesPerSecond: Double { Double(numerator) / Double(denominator) }
}
