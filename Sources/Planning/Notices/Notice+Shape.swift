// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import MediaCore
internal import Settings

/// Notices about changes to the shape and the times of frames.
extension Notice {
  /// Interlaced frames become progressive frames.
  static func framesDeinterlaced(_ mode: VideoSettings.DeinterlaceMode) -> Notice {
    let count = mode == .bob ? "two progressive frames are" : "one progressive frame is"
    let which = mode == .auto ? "interlaced frame" : "frame"
    return Notice(
      "framesDeinterlaced", ["mode": mode.rawValue], "\(count) made from each \(which)")
  }

  /// Frames come from film whose rate was raised by repeating fields.
  static func telecine(_ count: Int, of total: Int) -> Notice {
    Notice(
      "telecine", severity: .warning, ["count": "\(count)", "total": "\(total)"],
      "\(count) of the first \(total.counted("frame")) repeat a field: this looks like film with "
        + "pulldown, which is not undone")
  }

  /// Some frames are interlaced, and others are not.
  static func scanMixed(_ count: Int, of total: Int) -> Notice {
    Notice(
      "scanMixed", severity: .warning, ["count": "\(count)", "total": "\(total)"],
      "\(count) of the first \(total.counted("frame")) \(count == 1 ? "is" : "are") interlaced and "
        + "the others are not, as in telecined film: video.deinterlace 'auto' deinterlaces only "
        + "those that need it"
    )
  }

  /// The display matrix does more than mirror frames or turn them by quarter turns.
  ///
  /// - Parameter isKept: whether the output gets the matrix. If not, frames are shown without it.
  package static func rotationNotApplied(isKept: Bool) -> Notice {
    Notice(
      "rotationNotApplied", severity: .warning, [:],
      "the display matrix does more than mirror frames or turn them by quarter turns, so frames "
        + (isKept ? "are not turned, and the output keeps the matrix" : "are shown without it"))
  }

  /// The frame rate is converted.
  static func frameRateChanged(from old: FrameRate, to new: FrameRate) -> Notice {
    Notice(
      "frameRateChanged", ["from": old.text, "to": new.text],
      "the frame rate changes to \(new.text), from \(old.text) on average")
  }

  /// A frame is shown for too long to be repeated.
  ///
  /// - Parameter id: the ID of the frame's track, or `nil` for a program's frames.
  static func frameHeld(
    _ id: Int?, from start: MediaTime, lasting length: MediaTime
  ) -> Notice {
    let times = ["start": "\(start.roundedSeconds)", "length": "\(length.roundedSeconds)"]
    let place = id.map { "track \($0)" } ?? "the input"
    return Notice(
      "frameHeld", severity: .warning, times.merging(id.map { ["track": "\($0)"] } ?? [:]) { $1 },
      "\(place) (video): its times jump by \(length.roundedSeconds) s at \(start.roundedSeconds) "
        + "s; the output shows one frame for that long instead of repeating it")
  }

  /// To change the frame rate, interlaced frames are repeated or left out, always with both fields.
  static let fieldPairsRepeated = Notice(
    "fieldPairsRepeated", severity: .warning, [:],
    "interlaced frames are repeated or dropped to change the frame rate, so motion jumps back and "
      + "forth; video.deinterlace 'bob' avoids that by making a frame from each field")

  /// Frames are smaller than the settings ask for.
  ///
  /// - Parameter isStill: whether the frame is a still. Stills are never enlarged, whatever the
  ///   settings.
  package static func sizeNotReached(
    _ wanted: VideoDimensions, by size: VideoDimensions, isStill: Bool = false
  ) -> Notice {
    Notice(
      "sizeNotReached", ["size": "\(size)", "wanted": "\(wanted)"],
      "the frames are \(size), not \(wanted) as requested: "
        + (isStill
          ? "stills are never enlarged"
          : "video.scalingMode 'fit' does not enlarge them, but 'resizeAspect' does"))
  }

  /// There are fewer frames than requested stills.
  package static func fewerFrames(than wanted: Int, _ count: Int) -> Notice {
    Notice(
      "fewerFrames", ["wanted": "\(wanted)", "count": "\(count)"],
      "there are only \(count.counted("frame")): \(count.counted("still")) instead of \(wanted)")
  }

  /// Black bars are cut off.
  static func barsCropped(
    to part: PixelRectangle, of size: VideoDimensions, _ evidence: String
  ) -> Notice {
    Notice(
      "barsCropped",
      [
        "x": "\(part.x)", "y": "\(part.y)", "width": "\(part.width)", "height": "\(part.height)",
      ],
      "black bars are cropped: of \(size), \(part.size) at x \(part.x), y \(part.y) is kept "
        + "(\(evidence))")
  }

  /// There are no black bars to cut off.
  static func barsNotFound(_ evidence: String) -> Notice {
    Notice("barsNotFound", [:], "no black bars were found: nothing is cropped (\(evidence))")
  }
}

extension FrameRate {
  /// The rate as text: `30`, `30000/1001`.
  var text: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
