// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// Watches for frames of an output that show another picture than the source's: none at all, or one
/// that stands still where the source's does not.
///
/// Three in a row count, because where rates differ a frame may show the one before. Frames that
/// are a part of the source's do not count: what moves may be cut off.
struct PictureWatch {
  private var pairCount = 0
  private var flat = Run()
  private var still = Run()
  /// The frames since which the output's has not changed, and whether they showed the same.
  private var anchor: (source: PictureCells, output: PictureCells, showsSame: Bool)?
  /// True if the output shows something somewhere.
  private var showsSomething = false
  /// True if it shows the same as the source somewhere.
  private var showsSame = false

  /// Frames in a row.
  private struct Run {
    /// The number from which on they count.
    private let fewest = 3
    var length = 0
    /// The frames of runs that were long enough.
    var total = 0

    mutating func add(_ isOther: Bool) {
      length = isOther ? length + 1 : 0
      if length >= fewest { total += length == fewest ? fewest : 1 }
    }
  }

  /// Looks at frames that correspond.
  mutating func add(_ source: PixelBuffer, _ output: PixelBuffer) {
    let grid = PictureCells.grid(source.size, output.size)
    guard let source = PictureCells(source, grid), let output = PictureCells(output, grid) else {
      return
    }
    pairCount += 1
    let isSame = !output.isFlat && output.hasPlaces(of: source)
    showsSomething = showsSomething || !output.isFlat
    showsSame = showsSame || isSame
    flat.add(output.isFlat && source.isVaried)
    if let anchor, output.isSame(as: anchor.output) {
      still.add(anchor.showsSame && source.isOther(than: anchor.source))
    } else {
      anchor = (source, output, isSame)
      still.add(false)
    }
  }

  /// The frames of the output that show another picture.
  var otherCount: Int {
    let flatCount = flat.length == pairCount ? pairCount : flat.total
    return still.total + (showsSame || !showsSomething ? flatCount : 0)
  }
}
