// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// The time code of a frame: its number, counted from midnight (SMPTE ST 12-1), and how numbers
/// become hours, minutes, seconds and frames.
package struct TimeCode: Hashable, Sendable, CustomStringConvertible {
  /// The way in which frames are counted.
  package struct Counting: Hashable, Sendable {
    /// Ticks a second of `frameDuration`, above 0.
    package let timescale: Int32
    /// Ticks that a frame lasts, above 0.
    package let frameDuration: Int32
    /// Frames that are counted as a second, above 0: 30 where there are 29.97.
    package let framesPerSecond: Int
    /// True if numbers are dropped, so that the count keeps up with the clock.
    package let isDropFrame: Bool
    /// True if the count begins again at midnight.
    package var wraps = true

    /// - Returns: nil for a rate that no time code has, and for dropped numbers of another rate
    ///   than 29.97 and its multiples.
    package init?(
      timescale: Int32, frameDuration: Int32, framesPerSecond: Int, isDropFrame: Bool
    ) {
      guard timescale > 0, frameDuration > 0, (1...255).contains(framesPerSecond),
        !isDropFrame || framesPerSecond % 30 == 0
      else { return nil }
      (self.timescale, self.frameDuration) = (timescale, frameDuration)
      (self.framesPerSecond, self.isDropFrame) = (framesPerSecond, isDropFrame)
    }

    /// The counting of video with a frame rate; nil for rates that are neither whole nor whole ones
    /// times 1000/1001.
    package init?(_ rate: FrameRate, isDropFrame: Bool) {
      let rate = rate.reduced
      let whole = rate.framesPerSecond.rounded(.up)
      let isKnown =
        rate.denominator == 1
        || abs(rate.framesPerSecond * 1001 / 1000 - whole) < whole * 0.0001
      guard isKnown, let framesPerSecond = Int(exactly: whole), framesPerSecond <= 255 else {
        return nil
      }
      // Containers that round times give rates such as 2997/100.
      let isWhole = rate.denominator == 1
      self.init(
        timescale: Int32(framesPerSecond) * (isWhole ? 1 : 1000),
        frameDuration: isWhole ? 1 : 1001, framesPerSecond: framesPerSecond,
        isDropFrame: isDropFrame)
    }

    /// Numbers that are dropped at the beginning of each minute but each tenth.
    var droppedCount: Int64 { isDropFrame ? Int64(framesPerSecond / 30 * 2) : 0 }

    /// The frames of a day.
    package var framesInDay: Int64 { Int64(framesPerSecond) * 86_400 - droppedCount * 24 * 54 }

    /// The time that some frames last.
    package func duration(of frames: Int64) -> MediaTime {
      MediaTime(
        value: Int64(clamping: Int128(frames) * Int128(frameDuration)), timescale: timescale)
    }

    /// The whole frames of a time. Times that containers round may lack a little of one.
    ///
    /// - Parameter isExact: true if the time is not rounded.
    package func frames(in time: MediaTime, isExact: Bool = false) -> Int64 {
      guard time.isValid else { return 0 }
      let frame = Int128(time.timescale) * Int128(frameDuration)
      let ticks = Int128(time.value) * Int128(timescale) + (isExact ? 0 : frame / 16)
      return Int64(clamping: ticks / frame)
    }

    /// Frames a second, rounded to thousandths.
    package var rate: Double {
      (Double(timescale) / Double(frameDuration) * 1000).rounded() / 1000
    }

    /// Frames a second in a few words: `29.97 frames/s, drop frame`.
    var text: String { "\(rate) frames/s" + (isDropFrame ? ", drop frame" : "") }
  }

  /// The number of the frame, from 0 at midnight.
  package let number: Int64
  /// The way in which frames are counted.
  package let counting: Counting

  package init(number: Int64, _ counting: Counting) {
    (self.number, self.counting) = (number, counting)
  }

  /// The time code that is shown by a label.
  ///
  /// - Returns: nil for a label that the counting does not have: a number of a frame that is too
  ///   high, or that is dropped.
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

  /// Hours, minutes, seconds and frames.
  package var label: TimeCodeLabel {
    let (rate, dropped) = (Int64(counting.framesPerSecond), counting.droppedCount)
    let day = counting.framesInDay
    var number = (number % day + day) % day
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

  /// The time code a number of frames later.
  package func advanced(by frames: Int64) -> TimeCode {
    let (sum, overflow) = number.addingReportingOverflow(frames)
    let next = overflow ? number : sum
    let day = counting.framesInDay
    return TimeCode(number: counting.wraps && next >= day ? next % day : next, counting)
  }

  /// The time code of the frame that is shown a time later.
  package func advanced(by time: MediaTime) -> TimeCode { advanced(by: counting.frames(in: time)) }

  /// The frames from this time code to another, which may be of the next day.
  package func frames(until other: TimeCode) -> Int64 {
    let day = counting.framesInDay
    guard counting.wraps else { return other.number - number }
    let frames = other.number % day - number % day
    return frames < 0 ? frames + day : frames
  }
}

/// A time code as people write it: `10:00:01:12`, or `10:00:01;12` with dropped numbers.
package struct TimeCodeLabel: Hashable, Sendable, CustomStringConvertible {
  package let hours: Int64
  package let minutes: Int64
  package let seconds: Int64
  package let frames: Int64
  /// True for a label with a semicolon.
  package let isDropFrame: Bool

  init(hours: Int64, minutes: Int64, seconds: Int64, frames: Int64, isDropFrame: Bool) {
    (self.hours, self.minutes) = (hours, minutes)
    (self.seconds, self.frames, self.isDropFrame) = (seconds, frames, isDropFrame)
  }

  /// - Returns: nil for other texts, and for more than 59 minutes or seconds.
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
