internal import LibAV

/// How pictures are turned for display: clockwise, by quarters. Frames are never turned themselves;
/// what is said of the picture as people see it is turned back.
struct Orientation: Sendable, Hashable {
  /// 0…3.
  let quarterTurns: Int

  /// Not turned.
  static let upright = Orientation(quarterTurns: 0)

  init(quarterTurns: Int) {
    self.quarterTurns = quarterTurns
  }

  /// What a matrix of `tkhd` (ISO/IEC 14496-12, 8.3.2) does; none and mirrored ones count as
  /// upright.
  init(matrix: [Int32]?) {
    guard let matrix, matrix.count == 9 else {
      self = .upright
      return
    }
    switch (matrix[0].signum(), matrix[1].signum(), matrix[3].signum(), matrix[4].signum()) {
    case (0, 1, -1, 0): quarterTurns = 1
    case (-1, 0, 0, -1): quarterTurns = 2
    case (0, -1, 1, 0): quarterTurns = 3
    default: quarterTurns = 0
    }
  }

  /// A size as people see it, of a frame, and the other way round.
  func turned(_ size: (width: Int, height: Int)) -> (width: Int, height: Int) {
    quarterTurns % 2 == 0 ? size : (size.height, size.width)
  }

  /// A part of the picture as people see it, in a frame.
  func inFrame(
    _ part: PictureLayout.Rectangle, frame: (width: Int, height: Int)
  ) -> PictureLayout.Rectangle {
    let size = turned((part.width, part.height))
    let (x, y) =
      switch quarterTurns {
      case 1: (part.y, frame.height - part.x - part.width)
      case 2: (frame.width - part.x - part.width, frame.height - part.y - part.height)
      case 3: (frame.width - part.y - part.height, part.x)
      default: (part.x, part.y)
      }
    return PictureLayout.Rectangle(x: x, y: y, width: size.width, height: size.height)
  }

  /// Numbers of a picture as people see it, row by row, in the order of a frame.
  func inFrame(_ numbers: [Float], width: Int, height: Int) -> [Float] {
    guard quarterTurns != 0 else { return numbers }
    let size = turned((width, height))
    var result = [Float](repeating: 0, count: numbers.count)
    for y in 0..<height {
      for x in 0..<width {
        let place = inFrame(
          PictureLayout.Rectangle(x: x, y: y, width: 1, height: 1), frame: size)
        result[place.y * size.width + place.x] = numbers[y * width + x]
      }
    }
    return result
  }
}
