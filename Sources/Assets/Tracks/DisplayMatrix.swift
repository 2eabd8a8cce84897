// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The transformation matrix of `tkhd` (ISO/IEC 14496-12, 8.3.2): a, b, u, c, d, v, x, y, w.
package struct DisplayMatrix: Sendable {
  package let values: [Int32]

  /// Makes a matrix from nine numbers; `nil` if there are more or fewer.
  package init?(_ values: [Int32]) {
    guard values.count == 9 else { return nil }
    self.values = values
  }

  /// The signs of a, b, c and d if frames are turned by a multiple of 90° or mirrored, at any
  /// scale; `nil` for other transformations.
  package var quarterTurn: (a: Int, b: Int, c: Int, d: Int)? {
    let turn = (
      a: Int(values[0].signum()), b: Int(values[1].signum()), c: Int(values[3].signum()),
      d: Int(values[4].signum())
    )
    let isUpright = turn.b == 0 && turn.c == 0 && turn.a != 0 && turn.d != 0
    let isOnItsSide = turn.a == 0 && turn.d == 0 && turn.b != 0 && turn.c != 0
    return isUpright || isOnItsSide ? turn : nil
  }

  /// Whether frames are turned by a multiple of 90° or mirrored, and not scaled.
  package var isQuarterTurnOrMirror: Bool { isUnscaled && quarterTurn != nil }

  private var isUnscaled: Bool {
    [0, 1, 3, 4].allSatisfy { [0, 0x1_0000].contains(abs(Int(values[$0]))) }
  }

  /// The clockwise turn in degrees (0, 90, 180 or 270) if the matrix does nothing else; `nil` for
  /// other matrices.
  package var rotation: Int? {
    guard isUnscaled, let turn = quarterTurn else { return nil }
    switch turn {
    case (1, 0, 0, 1): return 0
    case (0, 1, -1, 0): return 90
    case (-1, 0, 0, -1): return 180
    case (0, -1, 1, 0): return 270
    default: return nil
    }
  }

  /// Returns the matrix for frames of another size. Only its offsets change.
  package func scaled(from old: VideoDimensions, to new: VideoDimensions) -> [Int32] {
    guard old != new, old.width > 0, old.height > 0 else { return values }
    let across = Double(new.width) / Double(old.width)
    let down = Double(new.height) / Double(old.height)
    // With a quarter turn, the offset across comes from the frame's height, and the offset down
    // from its width.
    let isOnItsSide = values[0] == 0 && values[4] == 0
    var result = values
    func scale(_ value: Int32, _ factor: Double) -> Int32 {
      Int32(exactly: (Double(value) * factor).rounded()) ?? value
    }
    result[6] = scale(values[6], isOnItsSide ? down : across)
    result[7] = scale(values[7], isOnItsSide ? across : down)
    return result
  }
}

extension DisplayMatrix: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("rotation", "Clockwise, in degrees; absent if the matrix does more than rotate.") {
      $0.rotation
    },
    .init("values", "The nine numbers of tkhd, in fixed point.") { $0.values },
  ]
}
