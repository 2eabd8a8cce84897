// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import MediaCore
internal import Settings

/// Notices about changes to the shape and the times of frames.
extension Notice {
  /// Interlaced frames are made whole.
  static func framesDeinterlaced(_ mode: VideoSettings.DeinterlaceMode) -> Notice {
    let count = mode == .bob ? "two whole frames are" : "one whole frame is"
    let which = mode == .auto ? "interlaced frame" : "frame"
    return Notice(
      "framesDeinterlaced", ["mode": mode.rawValue], "\(count) made of each \(which)")
  }

  /// Frames were film, brought to another rate by showing fields twice.
  static func telecine(_ count: Int, of total: Int) -> Notice {
    Notice(
      "telecine", severity: .warning, ["count": "\(count)", "total": "\(total)"],
      "\(count) of the first \(total.counted("frame")) repeat a field: film was brought to "
        + "another rate (pulldown), which is not undone")
  }

  /// Some frames are interlaced, others are not.
  static func scanMixed(_ count: Int, of total: Int) -> Notice {
    Notice(
      "scanMixed", severity: .warning, ["count": "\(count)", "total": "\(total)"],
      "\(count) of the first \(total.counted("frame")) are interlaced, others are not, as in film "
        + "that was brought to another rate (telecine): video.deinterlace 'auto' treats each as it "
        + "is"
    )
  }

  /// A matrix does more than turn by quarters and mirror.
  ///
  /// - Parameter isKept: whether the matrix is written, or frames are shown without it.
  package static func rotationNotApplied(isKept: Bool) -> Notice {
    Notice(
      "rotationNotApplied", severity: .warning, [:],
      "the matrix of the frames does not only turn them by quarters and mirror them: "
        + (isKept ? "it is kept, and samples are not turned" : "they are shown without it"))
  }

  /// Frames are brought to another rate.
  static func frameRateChanged(from old: FrameRate, to new: FrameRate) -> Notice {
    Notice(
      "frameRateChanged", ["from": old.text, "to": new.text],
      "frames are brought to \(new.text) a second, from \(old.text) on average")
  }

  /// A frame is shown too long to be repeated.
  ///
  /// - Parameter id: the ID of its track, or `nil` for a program's frames.
  static func frameHeld(
    _ id: Int?, from start: MediaTime, lasting length: MediaTime
  ) -> Notice {
    let times = ["start": "\(start.roundedSeconds)", "length": "\(length.roundedSeconds)"]
    let place = id.map { "track \($0)" } ?? "the input"
    return Notice(
      "frameHeld", severity: .warning, times.merging(id.map { ["track": "\($0)"] } ?? [:]) { $1 },
      "\(place) (video): its times make a step of \(length.roundedSeconds) s at "
        + "\(start.roundedSeconds) s, in which the output shows one frame that is not repeated")
  }

  /// Frames of two fields are repeated or left out as a whole.
  static let fieldPairsRepeated = Notice(
    "fieldPairsRepeated", severity: .warning, [:],
    "the frames stay interlaced, and are repeated or left out with both fields: motion goes back "
      + "and forth; video.deinterlace 'bob' makes a frame of each field")

  /// Frames are smaller than the settings ask for.
  ///
  /// - Parameter isStill: whether it is a still. No setting changes that for stills.
  package static func sizeNotReached(
    _ wanted: VideoDimensions, by size: VideoDimensions, isStill: Bool = false
  ) -> Notice {
    Notice(
      "sizeNotReached", ["size": "\(size)", "wanted": "\(wanted)"],
      "the frames are \(size), not \(wanted) as asked for: "
        + (isStill
          ? "stills are never enlarged"
          : "video.scalingMode 'fit' does not enlarge them, 'resizeAspect' does"))
  }

  /// There are fewer frames than stills that were asked for.
  package static func fewerFrames(than wanted: Int, _ count: Int) -> Notice {
    Notice(
      "fewerFrames", ["wanted": "\(wanted)", "count": "\(count)"],
      "there are \(count.counted("frame")) only: \(count.counted("still")) in place of \(wanted)")
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
      "black bars are cut off: \(part.size) from \(part.x), \(part.y) of \(size) is kept "
        + "(\(evidence))")
  }

  /// There are no black bars to cut off.
  static func barsNotFound(_ evidence: String) -> Notice {
    Notice("barsNotFound", [:], "no black bars were found: nothing is cut off (\(evidence))")
  }
}

extension FrameRate {
  /// The rate as text: `30`, `30000/1001`.
  var text: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
