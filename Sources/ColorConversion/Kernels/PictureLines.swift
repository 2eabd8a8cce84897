// SPDX-License-Identifier: GPL-2.0-or-later

/// The rows of a whole frame, or of one of its fields, as if they were a frame of their own.
struct PictureLines: Sendable {
  /// The first row in the frame.
  let first: Int
  /// The rows of the frame from one to the next.
  let step: Int

  /// All rows.
  static let frame = PictureLines(first: 0, step: 1)
  /// The rows of both fields.
  static let fields = [PictureLines(first: 0, step: 2), PictureLines(first: 1, step: 2)]

  /// Number of rows of this kind in a frame of so many rows.
  func count(of lines: Int) -> Int { max((lines - first + step - 1) / step, 0) }

  /// A row's number in the frame.
  func line(_ line: Int) -> Int { first + line * step }
}
