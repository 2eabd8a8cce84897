// SPDX-License-Identifier: GPL-2.0-or-later

/// The rows of a whole frame, or of one of its fields.
struct FrameLines: Sendable {
  /// The first of the rows in the frame.
  let first: Int
  /// The distance from each of the rows to the next, in rows of the frame.
  let step: Int

  /// All rows of a frame.
  static let frame = FrameLines(first: 0, step: 1)
  /// The rows of both fields.
  static let fields = [FrameLines(first: 0, step: 2), FrameLines(first: 1, step: 2)]

  /// Returns how many of these rows a frame has.
  func count(of lines: Int) -> Int { max((lines - first + step - 1) / step, 0) }

  /// Returns a row's number in the frame.
  func line(_ line: Int) -> Int { first + line * step }
}
