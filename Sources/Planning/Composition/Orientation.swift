// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV

/// Quarter turn and mirroring of frames for display. Where frames are not turned themselves, what
/// is drawn in them for viewers is turned back.
struct Orientation: Sendable, Hashable {
  // Of each step to the right and down in a frame, how far it leads to the right and down for those
  // who watch: a, b and c, d of the matrix, as −1, 0 and 1.
  private let a: Int
  private let b: Int
  private let c: Int
  private let d: Int

  /// Neither turned nor mirrored.
  static let upright = Orientation(matrix: nil)

  /// The turn of a matrix of `tkhd` (ISO/IEC 14496-12, 8.3.2); anything but quarter turns and
  /// mirrors counts as upright.
  init(matrix: [Int32]?) {
    (a, b, c, d) = matrix.flatMap { DisplayMatrix($0)?.quarterTurn } ?? (1, 0, 0, 1)
  }

  /// Order of samples in a frame that is turned itself.
  var turn: PictureTurner.Turn {
    PictureTurner.Turn(swapsAxes: a == 0, reversesColumns: a + b < 0, reversesRows: c + d < 0)
  }

  /// A clean aperture of a frame, in the picture as people see it.
  func inPicture(_ aperture: CleanAperture) -> CleanAperture {
    func signed(_ offset: CleanAperture.Fraction, _ sign: Int) -> CleanAperture.Fraction {
      CleanAperture.Fraction(offset.numerator * Int64(sign), offset.denominator)
    }
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

  /// A size as people see it, of a frame, and the other way round.
  func turned(_ size: VideoDimensions) -> VideoDimensions {
    a != 0 ? size : size.transposed
  }

  /// A part of the picture as people see it, in a frame.
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

  /// A part of a frame, in the picture as people see it.
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

  /// Numbers of a picture as people see it, row by row, in the order of a frame.
  func inFrame(_ numbers: [Float], width: Int, height: Int) -> [Float] {
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
