// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// The frames a second that are wanted.
package enum FrameRateSetting: Hashable, Sendable {
  /// The frames of the source, each at its own time.
  case source
  /// A constant rate.
  case exactly(FrameRate)
  /// The source's own times where no second has more frames than this; else a grid of this rate.
  case atMost(FrameRate)

  /// The pattern of the spellings that are taken.
  static let pattern = #"^(source|(max )?[0-9]+(\.[0-9]+)?(/[0-9]+)?)$"#
  /// The rates that are taken, in frames a second.
  package static let range = 0.1...1000.0

  /// The setting of a text: `source`, `30`, `29.97`, `30000/1001`, `max 30`; nil for others.
  package init?(spelling: String) {
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
  /// A rate from `30`, `29.97` or `30000/1001`; nil for others.
  fileprivate init?(spelling: Substring) {
    let parts = spelling.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let top = Int(parts[0]), let bottom = Int(parts[1]), top <= 10_000_000,
        (1...1_000_000).contains(bottom)
      else { return nil }
      self.init(top, per: bottom)
    } else {
      guard parts.count == 1, !spelling.hasPrefix("+"), let value = Double(spelling) else {
        return nil
      }
      self.init(nearest: value)
    }
    guard FrameRateSetting.range.contains(framesPerSecond) else { return nil }
    self = reduced
  }

  /// The rate that a decimal number stands for: 29.97 and 23.98 are those of NTSC, a whole number
  /// of frames in 1.001 seconds.
  package init?(nearest value: Double) {
    guard FrameRateSetting.range.contains(value) else { return nil }
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
