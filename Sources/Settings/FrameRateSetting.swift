// SPDX-License-Identifier: GPL-2.0-or-later
public import MediaCore

/// The requested frame rate.
public enum FrameRateSetting: Hashable, Sendable {
  /// The source's frames, each at its own time.
  case source
  /// A constant frame rate.
  case exactly(FrameRate)
  /// Frames keep their own times if no second has more frames than this. Otherwise, frames are
  /// dropped to reach this rate.
  case atMost(FrameRate)

  /// A regular expression for the accepted spellings.
  static let pattern = #"^(source|(max )?[0-9]+(\.[0-9]+)?(/[0-9]+)?)$"#
  /// The accepted rates, in frames per second.
  package static let range = 0.1...1000.0

  /// Parses `source`, `30`, `29.97`, `30000/1001` or `max 30`. Returns `nil` for other text.
  public init?(spelling: String) {
    let text = spelling.lowercased()
    if text == "source" {
      self = .source
    } else if text.hasPrefix("max "), let rate = FrameRate(spelling: text.dropFirst(4)) {
      self = .atMost(rate)
    } else if let rate = FrameRate(spelling: text[...]) {
      self = .exactly(rate)
    } else {
      return nil
    }
  }
}

extension FrameRate {
  /// Parses `30`, `29.97` or `30000/1001`. Returns `nil` for other text.
  fileprivate init?(spelling: Substring) {
    let parts = spelling.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      // These bounds keep the products of times and rates far from overflow.
      guard let top = Int(parts[0]), let bottom = Int(parts[1]), top <= 10_000_000,
        (1...1_000_000).contains(bottom)
      else { return nil }
      self.init(top, per: bottom)
    } else {
      // `Double` accepts a plus sign, but the schema's pattern does not. So refuse it here, too.
      guard parts.count == 1, !spelling.hasPrefix("+"), let value = Double(spelling) else {
        return nil
      }
      self.init(nearest: value)
    }
    guard FrameRateSetting.range.contains(framesPerSecond) else { return nil }
    self = reduced
  }

  /// Returns the rate that a decimal number stands for.
  package init?(nearest value: Double) {
    guard FrameRateSetting.range.contains(value) else { return nil }
    // 29.97 and 23.98 stand for NTSC's 30000/1001 and 24000/1001. Taken literally, these rates
    // would drift from the source's, and a frame would be repeated or dropped now and then. The
    // tolerance of 0.005 covers rounding to two decimals.
    let ntsc = (value * 1.001).rounded()
    if value == value.rounded() {
      self.init(Int(value))
    } else if ntsc > 0, abs(ntsc / 1.001 - value) < 0.005 {
      self.init(Int(ntsc) * 1000, per: 1001)
    } else {
      self.init(Int((value * 1000).rounded()), per: 1000)
    }
    self = reduced
  }
}
