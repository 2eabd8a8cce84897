// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV

/// How frames are turned in steps of 90°, or mirrored, for display.
struct Orientation: Sendable, Hashable {
  // These numbers say how viewers see a step in the coded frame. They mean the same as a, b, c and
  // d in the matrix of a track header (`tkhd`). One step to the right becomes the step (a, b), and
  // one step down becomes the step (c, d). Each number is −1, 0 or 1. Positions in a preset refer
  // to the frame as viewers see it. These numbers convert them to positions in the coded frame,
  // which itself is usually not turned.
  private let a: Int
  private let b: Int
  private let c: Int
  private let d: Int

  static let upright = Orientation(matrix: nil)

  /// Reads the matrix of a track header (`tkhd`; ISO/IEC 14496-12, 8.3.2). Scaling is ignored. A
  /// matrix that turns frames by other angles, or skews them, counts as upright.
  init(matrix: [Int32]?) {
    (a, b, c, d) = matrix.flatMap { DisplayMatrix($0)?.quarterTurn } ?? (1, 0, 0, 1)
  }

  /// How the samples are reordered if the frame itself is turned.
  var turn: FrameRotator.Turn {
    FrameRotator.Turn(swapsAxes: a == 0, reversesColumns: a + b < 0, reversesRows: c + d < 0)
  }

  /// Returns a frame's clean aperture as viewers see it.
  func inPicture(_ aperture: CleanAperture) -> CleanAperture {
    func signed(_ offset: CleanAperture.Fraction, _ sign: Int) -> CleanAperture.Fraction {
      CleanAperture.Fraction(offset.numerator * Int64(sign), offset.denominator)
    }
    // An offset of `clap` counts from the center, so turning the frame may change its sign.
    let across = signed(aperture.horizontalOffset, a + b)
    let down = signed(aperture.verticalOffset, c + d)
    return a != 0
      ? CleanAperture(
        width: aperture.width, height: aperture.height, horizontalOffset: across,
        verticalOffset: down)
      : CleanAperture(
        width: aperture.height, height: aperture.width, horizontalOffset: down,
        verticalOffset: across)
  }

  /// Converts a size from the frame's orientation to the viewer's, or back.
  func turned(_ size: VideoDimensions) -> VideoDimensions {
    a != 0 ? size : size.transposed
  }

  /// Converts a part from the viewer's coordinates to the frame's.
  func inFrame(
    _ part: PixelRectangle, frame: VideoDimensions
  ) -> PixelRectangle {
    let size = turned(part.size)
    func position(_ right: Int, _ down: Int, length: Int, of whole: Int) -> Int {
      let start = right != 0 ? part.x : part.y
      return right + down > 0 ? start : whole - start - length
    }
    return PixelRectangle(
      x: position(a, b, length: size.width, of: frame.width),
      y: position(c, d, length: size.height, of: frame.height),
      width: size.width, height: size.height)
  }

  /// Converts a part from the frame's coordinates to the viewer's.
  func inPicture(
    _ part: PixelRectangle, frame: VideoDimensions
  ) -> PixelRectangle {
    let size = turned(part.size)
    let across = a + b > 0 ? part.x : frame.width - part.x - part.width
    let along = c + d > 0 ? part.y : frame.height - part.y - part.height
    return PixelRectangle(
      x: a != 0 ? across : along, y: a != 0 ? along : across, width: size.width,
      height: size.height)
  }

  /// Reorders numbers, one for each pixel, from the row order that viewers see to the row order of
  /// the frame.
  func inFrame(_ numbers: [Float], width: Int, height: Int) -> [Float] {
    // Nearly all frames are upright, and returning early saves them a copy of the numbers.
    guard self != .upright else { return numbers }
    let size = turned(VideoDimensions(width: width, height: height))
    var result = [Float](repeating: 0, count: numbers.count)
    for y in 0..<height {
      for x in 0..<width {
        let place = inFrame(
          PixelRectangle(x: x, y: y, width: 1, height: 1), frame: size)
        result[place.y * size.width + place.x] = numbers[y * width + x]
      }
    }
    return result
  }
}
