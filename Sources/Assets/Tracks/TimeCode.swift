// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// The time code of a frame. It has the frame's number, counted from midnight (SMPTE ST 12-1), and
/// the rule by which numbers become hours, minutes, seconds and frames.
package struct TimeCode: Hashable, Sendable, CustomStringConvertible {
  /// How frames are counted.
  package struct Counting: Hashable, Sendable {
    /// The timescale of `frameDuration`, in ticks a second, above 0.
    package let timescale: Int32
    /// The duration of a frame in ticks, above 0.
    package let frameDuration: Int32
    /// How many frames count as a second, above 0: 30 at a rate of 29.97.
    package let framesPerSecond: Int
    /// Whether numbers are dropped so that the count keeps up with the clock.
    package let isDropFrame: Bool
    /// Whether the count begins again at midnight.
    package var wraps = true

    /// - Returns: `nil` if no time code has the rate, or if numbers are to be dropped and
    ///   `framesPerSecond` is not a multiple of 30.
    package init?(
      timescale: Int32, frameDuration: Int32, framesPerSecond: Int, isDropFrame: Bool
    ) {
      guard timescale > 0, frameDuration > 0, (1...255).contains(framesPerSecond),
        !isDropFrame || framesPerSecond % 30 == 0
      else { return nil }
      (self.timescale, self.frameDuration) = (timescale, frameDuration)
      (self.framesPerSecond, self.isDropFrame) = (framesPerSecond, isDropFrame)
    }

    /// Makes the counting for a frame rate. Returns `nil` if the rate is neither a whole number nor
    /// a whole number times 1000/1001, if it is above 255, or if `isDropFrame` is set and the rate
    /// does not allow it.
    package init?(_ rate: FrameRate, isDropFrame: Bool) {
      let rate = rate.reduced
      let whole = rate.framesPerSecond.rounded(.up)
      let isKnown =
        rate.denominator == 1
        || abs(rate.framesPerSecond * 1001 / 1000 - whole) < whole * 0.0001
      guard isKnown, let framesPerSecond = Int(exactly: whole), framesPerSecond <= 255 else {
        return nil
      }
      // Containers that round times give rates such as 2997/100, so the exact rate is restored.
      let isWhole = rate.denominator == 1
      self.init(
        timescale: Int32(framesPerSecond) * (isWhole ? 1 : 1000),
        frameDuration: isWhole ? 1 : 1001, framesPerSecond: framesPerSecond,
        isDropFrame: isDropFrame)
    }

    /// How many numbers are dropped at the beginning of a minute. In minutes 0, 10, …, 50, none are
    /// dropped.
    var droppedCount: Int64 { isDropFrame ? Int64(framesPerSecond / 30 * 2) : 0 }

    /// The number of frames in 24 hours of time code.
    package var framesInDay: Int64 { Int64(framesPerSecond) * 86_400 - droppedCount * 24 * 54 }

    package func duration(of frames: Int64) -> MediaTime {
      MediaTime(
        value: Int64(clamping: Int128(frames) * Int128(frameDuration)), timescale: timescale)
    }

    /// Returns the number of whole frames in a time.
    ///
    /// - Parameter isExact: whether the time is exact. If not, it may have been rounded.
    package func frames(in time: MediaTime, isExact: Bool = false) -> Int64 {
      guard time.isValid else { return 0 }
      let frame = Int128(time.timescale) * Int128(frameDuration)
      // Containers round times. So a time that is slightly shorter than a whole number of frames
      // still counts as that number.
      let ticks = Int128(time.value) * Int128(timescale) + (isExact ? 0 : frame / 16)
      return Int64(clamping: ticks / frame)
    }

    /// The frame rate, rounded to thousandths.
    package var rate: Double {
      (Double(timescale) / Double(frameDuration) * 1000).rounded() / 1000
    }

    /// The frame rate as text: `29.97 frames/s, drop frame`.
    var text: String { "\(rate) frames/s" + (isDropFrame ? ", drop frame" : "") }
  }

  /// The frame's number, 0 at midnight.
  package let number: Int64
  /// How frames are counted.
  package let counting: Counting

  package init(number: Int64, _ counting: Counting) {
    (self.number, self.counting) = (number, counting)
  }

  /// Makes the time code that a label shows.
  ///
  /// - Returns: `nil` if the counting does not have the label: its hour or frame number is too
  ///   high, it is one of the dropped labels, or it has a semicolon although nothing is dropped.
  package init?(_ label: TimeCodeLabel, _ counting: Counting) {
    let rate = Int64(counting.framesPerSecond)
    guard label.hours < 24, label.frames < rate, !label.isDropFrame || counting.isDropFrame else {
      return nil
    }
    let minutes = label.hours * 60 + label.minutes
    let dropped = counting.droppedCount
    if label.seconds == 0, label.frames < dropped, label.minutes % 10 != 0 { return nil }
    number =
      (minutes * 60 + label.seconds) * rate + label.frames - dropped * (minutes - minutes / 10)
    self.counting = counting
  }

  /// The time code as hours, minutes, seconds and frames.
  package var label: TimeCodeLabel {
    let (rate, dropped) = (Int64(counting.framesPerSecond), counting.droppedCount)
    let day = counting.framesInDay
    var number = (number % day + day) % day
    // In drop frame, nine of every ten minutes begin with dropped numbers. Once those are added
    // back, plain division does the rest.
    if dropped > 0 {
      let (tens, rest) = number.quotientAndRemainder(dividingBy: rate * 600 - dropped * 9)
      let minutes = rest < rate * 60 ? 0 : 1 + (rest - rate * 60) / (rate * 60 - dropped)
      number += dropped * (9 * tens + minutes)
    }
    let seconds = number / rate
    return TimeCodeLabel(
      hours: seconds / 3600, minutes: seconds / 60 % 60, seconds: seconds % 60,
      frames: number % rate, isDropFrame: counting.isDropFrame)
  }

  package var description: String { label.description }

  /// Returns the time code of the frame that comes `frames` frames later.
  package func advanced(by frames: Int64) -> TimeCode {
    let (sum, overflow) = number.addingReportingOverflow(frames)
    let next = overflow ? number : sum
    let day = counting.framesInDay
    return TimeCode(number: counting.wraps && next >= day ? next % day : next, counting)
  }

  /// Returns the time code of the frame that is shown `time` later.
  package func advanced(by time: MediaTime) -> TimeCode { advanced(by: counting.frames(in: time)) }

  /// Returns the number of frames to another time code, which may be on the next day.
  package func frames(until other: TimeCode) -> Int64 {
    let day = counting.framesInDay
    guard counting.wraps else { return other.number - number }
    let frames = other.number % day - number % day
    return frames < 0 ? frames + day : frames
  }
}

/// A time code as people write it: `10:00:01:12`, or `10:00:01;12` if numbers are dropped.
package struct TimeCodeLabel: Hashable, Sendable, CustomStringConvertible {
  package let hours: Int64
  package let minutes: Int64
  package let seconds: Int64
  package let frames: Int64
  /// Whether the label has a semicolon.
  package let isDropFrame: Bool

  init(hours: Int64, minutes: Int64, seconds: Int64, frames: Int64, isDropFrame: Bool) {
    (self.hours, self.minutes) = (hours, minutes)
    (self.seconds, self.frames, self.isDropFrame) = (seconds, frames, isDropFrame)
  }

  /// - Returns: `nil` if the text has another form, or more than 59 minutes or seconds.
  package init?(_ text: some StringProtocol) {
    var parts = [""]
    var separators = ""
    for character in text {
      if ":;".contains(character) {
        separators.append(character)
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    let numbers = parts.compactMap { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int64(part) : nil
    }
    guard parts.count == 4, numbers.count == 4, [":::", "::;", ";;;"].contains(separators),
      numbers[1] < 60, numbers[2] < 60
    else { return nil }
    self.init(
      hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
      isDropFrame: separators != ":::")
  }

  package var description: String {
    func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits(hours)):\(digits(minutes)):\(digits(seconds))"
      + "\(isDropFrame ? ";" : ":")\(digits(frames))"
  }
}
