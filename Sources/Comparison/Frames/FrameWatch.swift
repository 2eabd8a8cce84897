// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// Finds frames of an output that show nothing although the source's frames show something, and
/// frames that stay the same although the source's frames change.
struct FrameWatch {
  private var pairCount = 0
  private var flat = Run()
  private var still = Run()
  /// The pair of frames at which the output last changed, and whether both frames showed the same
  /// thing.
  private var anchor: (source: FrameCells, output: FrameCells, showsSame: Bool)?
  /// Whether the output shows something at least once.
  private var showsSomething = false
  /// Whether the output shows the same thing as the source at least once.
  private var showsSame = false

  private struct Run {
    // If the frame rates differ, an output frame might repeat the previous one. Only three equal
    // frames in a row are certainly a still image.
    private let fewest = 3
    var length = 0
    /// The number of frames in runs of at least `fewest` frames.
    var total = 0

    mutating func add(_ isOther: Bool) {
      length = isOther ? length + 1 : 0
      if length >= fewest { total += length == fewest ? fewest : 1 }
    }
  }

  /// Examines a pair of frames.
  mutating func add(_ source: PixelBuffer, _ output: PixelBuffer) {
    let grid = FrameCells.grid(source.size, output.size)
    guard let source = FrameCells(source, grid), let output = FrameCells(output, grid) else {
      return
    }
    pairCount += 1
    let isSame = !output.isFlat && output.hasPlaces(of: source)
    showsSomething = showsSomething || !output.isFlat
    showsSame = showsSame || isSame
    flat.add(output.isFlat && source.isVaried)
    if let anchor, output.isSame(as: anchor.output) {
      // A still image counts only if it showed the same as the source at first. Otherwise, the
      // output might be cropped and have lost exactly the part that moves.
      still.add(anchor.showsSame && source.isOther(than: anchor.source))
    } else {
      anchor = (source, output, isSame)
      still.add(false)
    }
  }

  /// How many frames of the output show something other than the source.
  var otherCount: Int {
    // A run over the whole clip counts even if it is shorter than three frames.
    let flatCount = flat.length == pairCount ? pairCount : flat.total
    return still.total + (showsSame || !showsSomething ? flatCount : 0)
  }
}
