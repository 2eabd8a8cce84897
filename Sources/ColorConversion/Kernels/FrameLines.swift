// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// The rows of a whole frame, or of one of its fields.
struct FrameLines: Sendable {
  /// The first row's number in the frame.
  let first: Int
  /// The distance from each row to the next, in rows of the frame.
  let step: Int

  /// All rows of a frame.
  static let frame = FrameLines(first: 0, step: 1)
  /// The rows of both fields.
  private static let fields = [FrameLines(first: 0, step: 2), FrameLines(first: 1, step: 2)]

  /// Returns the rows of each field if frames are interlaced. Returns the rows of the whole frame
  /// if they are not, or if a plane has too few rows for two fields.
  ///
  /// - Parameter formats: the formats of the frames that are read or written.
  static func parts(
    isInterlaced: Bool, _ formats: [PixelFormat], width: Int, height: Int
  ) -> [FrameLines] {
    let haveFields = formats.allSatisfy {
      $0.planeSize(1, width: width, height: height).height > 1
    }
    // A plane with a single row, as chroma of 4:2:0 may have, belongs to both fields. Frames with
    // such a plane are taken as a whole.
    return isInterlaced && height > 1 && haveFields ? fields : [.frame]
  }

  /// Returns how many of these rows there are in a frame with `lines` rows.
  func count(of lines: Int) -> Int { max((lines - first + step - 1) / step, 0) }

  /// Returns a row's number in the frame.
  func line(_ line: Int) -> Int { first + line * step }
}
